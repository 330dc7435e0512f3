"""The sections and keys of a shoal.toml, each with the parameter of `shoal anonymize` that it sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kind:
    """A kind of value, and its description for errors."""

    types: tuple[type, ...]
    description: str

    def matches(self, value: Any) -> bool:
        """Whether a value is of this kind; true and false are not numbers."""
        return isinstance(value, self.types) and (bool in self.types or not isinstance(value, bool))


WHOLE = Kind((int,), "a whole number, such as 5")
NUMBER = Kind((int, float), "a number, such as 0.2")
LIMIT = Kind((int, float), "a share of the rows such as 0.02, or a number of rows such as 100")
TEXT = Kind((str,), "text in quotes")
PATH = Kind((str,), "the name of a file in quotes")
COLUMNS = Kind((str,), 'names of columns in quotes, such as ["age", "sex"]')
SWITCH = Kind((bool,), "true or false")
TABLE = Kind((dict,), "a table by column, such as { age = 3 }")


@dataclass(frozen=True)
class Key:
    """The parameter of the command that a key sets, and the kind of its value."""

    parameter: str
    kind: Kind


# In [hierarchies] every other key is the name of a column, in [algorithm] a parameter of the algorithm.
SECTIONS: dict[str, dict[str, Key]] = {
    "data": {
        "file": Key("data", PATH),
        "query": Key("query", TEXT),
        "separator": Key("separator", TEXT),
        "encoding": Key("encoding", TEXT),
        "missing": Key("missing", TEXT),
        "missing_label": Key("missing_label", TEXT),
        "drop_missing": Key("drop_missing", SWITCH),
    },
    "roles": {
        "quasi": Key("quasi", COLUMNS),
        "sensitive": Key("sensitive", COLUMNS),
        "identifying": Key("identifying", COLUMNS),
        "pseudonymize": Key("pseudonymize", COLUMNS),
        "key_file": Key("key_file", PATH),
    },
    "hierarchies": {"folder": Key("hierarchies", PATH)},
    "model": {
        "k": Key("k", WHOLE),
        "l": Key("l", WHOLE),
        "t": Key("t", NUMBER),
        "require": Key("require", TEXT),
        "k_map": Key("k_map", WHOLE),
        "population": Key("population", PATH),
        "sensitive_hierarchies": Key("sensitive_hierarchy", TABLE),
    },
    "algorithm": {
        "name": Key("algorithm", TEXT),
        "seed": Key("seed", WHOLE),
        "weights": Key("weight", TABLE),
        "levels": Key("levels", TABLE),
    },
    "limits": {
        "max_suppression": Key("max_suppression", LIMIT),
        "suppressed": Key("suppressed", TEXT),
        "memory": Key("memory", TEXT),
        "block_rows": Key("block_rows", WHOLE),
    },
    "engine": {
        "name": Key("engine", TEXT),
        "master": Key("master", TEXT),
    },
    "output": {
        "file": Key("output", PATH),
        "replace": Key("replace", SWITCH),
        "escape_formulas": Key("escape_formulas", SWITCH),
        "report": Key("report", PATH),
        "order": Key("order", TEXT),
        "shuffle": Key("shuffle", SWITCH),
        "class_column": Key("class_column", TEXT),
        "ranges": Key("ranges", TEXT),
        "statistics": Key("statistics", PATH),
        "groups": Key("groups", PATH),
        "show_groups": Key("show_groups", WHOLE),
        "nodes": Key("nodes", PATH),
        "front": Key("front", PATH),
        "trade_off": Key("trade_off", SWITCH),
        "quiet": Key("quiet", SWITCH),
        "json": Key("as_json", SWITCH),
    },
}
# The parameter that all other keys of a section set.
OPEN = {"hierarchies": "hierarchy", "algorithm": "set_"}
