"""The sections and keys of a shoal.toml, each with the parameter of `shoal anonymize` that it sets."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any


@dataclass(frozen=True)
class Kind:
    """A kind of value: its types, its description for errors, whether a list of such values is one, too, and limits."""

    types: tuple[type, ...]
    description: str
    several: bool = False
    least: float = -inf
    most: float = inf

    def matches(self, value: Any) -> bool:
        """Whether a value is of this kind; true and false are not numbers."""
        return isinstance(value, self.types) and (bool in self.types or not isinstance(value, bool))

    def within(self, value: Any) -> bool:
        """Whether a value of this kind is within its limits."""
        return not isinstance(value, int | float) or self.least <= value <= self.most

    @property
    def limits(self) -> str:
        """The limits of a number in words."""
        return f"{self.least:g} or more" if self.most == inf else f"a number from {self.least:g} to {self.most:g}"


WHOLE = Kind((int,), "a whole number, such as 5", least=0)
COUNT = Kind((int,), "a whole number, such as 5", least=1)
SHARE = Kind((int, float), "a number, such as 0.2", least=0, most=1)
NUMBER = Kind((int, float), "a number, such as 0.2")
LIMIT = Kind((int, float), "a share of the rows such as 0.02, or a number of rows such as 100")
TEXT = Kind((str,), "text in quotes")
TEXTS = Kind((str,), "text in quotes", several=True)
PATH = Kind((str,), "the name of a file in quotes")
PATHS = Kind((str,), "the name of a file in quotes", several=True)
COLUMNS = Kind((str,), 'names of columns in quotes, such as ["age", "sex"]', several=True)
SWITCH = Kind((bool,), "true or false")
DROPPED = Kind((bool, str), 'true (the same as "roles"), "all" or false')
TABLE = Kind((dict,), "a table by column, such as { age = 3 }")


@dataclass(frozen=True)
class Key:
    """The parameter of the command that a key sets, and the kind of its value."""

    parameter: str
    kind: Kind


def _keys(**keys: Kind | Key) -> dict[str, Key]:
    """Return the keys of a section; one that is given by its kind sets the parameter of its own name."""
    return {name: key if isinstance(key, Key) else Key(name, key) for name, key in keys.items()}


# In [hierarchies] every other key is the name of a column, in [algorithm] a parameter of the algorithm.
SECTIONS: dict[str, dict[str, Key]] = {
    "data": _keys(file=Key("data", PATH), query=TEXT, separator=TEXT, encoding=TEXT)
    | _keys(missing=TEXTS, missing_label=TEXT, drop_missing=DROPPED)
    | _keys(names=Key("named", COLUMNS), header=SWITCH, rows=COUNT, sample=COUNT),
    "roles": _keys(quasi=COLUMNS, sensitive=COLUMNS, identifying=COLUMNS, pseudonymize=COLUMNS, keep=COLUMNS)
    | _keys(key_file=PATH)
    | _keys(unit=TEXT, group=TEXT, missing_units=TEXT, shift_dates=COLUMNS, rows_are_people=SWITCH),
    "hierarchies": _keys(folder=Key("hierarchies", PATH)),
    "model": _keys(k=COUNT, l=COUNT, t=SHARE, require=TEXTS, k_map=COUNT, population=PATH)
    | _keys(sensitive_hierarchies=Key("sensitive_hierarchy", TABLE), promise=TEXT, strict=SWITCH, accept=TEXTS)
    | _keys(range_ends=TEXT),
    "algorithm": _keys(name=Key("algorithm", TEXT), seed=WHOLE, weights=Key("weight", TABLE), levels=TABLE),
    "limits": _keys(max_suppression=LIMIT, suppressed=TEXT, memory=TEXT, block_rows=COUNT),
    "engine": _keys(name=Key("engine", TEXT), master=TEXT),
    "output": _keys(file=Key("output", PATH), replace=SWITCH, escape_formulas=SWITCH, report=PATHS)
    | _keys(order=TEXT, shuffle=SWITCH, class_column=TEXT, ranges=TEXT)
    | _keys(statistics=PATH, count_values=SWITCH, groups=PATH, show_groups=WHOLE)
    | _keys(nodes=PATH, front=PATH, trade_off=SWITCH)
    | _keys(quiet=SWITCH, json=Key("as_json", SWITCH)),
}
ENGINES = ("local", "spark")
# The parameter that all other keys of a section set.
OPEN = {"hierarchies": "hierarchy", "algorithm": "set_"}
