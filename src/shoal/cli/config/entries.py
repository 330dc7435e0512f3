"""The entries of a shoal.toml as the command takes them; what is wrong is told with its place and value."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.cli.config.keys import COLUMNS, LIMIT, PATH, SECTIONS, TABLE, Key
from shoal.errors import HierarchyError, InputError

if TYPE_CHECKING:
    from shoal.data.hierarchy import Hierarchy

LEVELS = re.compile("[0-9]+(-[0-9]+)?")


@dataclass(frozen=True)
class Entry:
    """One entry of a file."""

    path: Path
    section: str
    name: str
    value: Any

    def refused(self, wanted: str) -> InputError:
        """The error that names the place, the value, and what to do."""
        from shoal.io.databases.address import without_passwords

        try:
            shown = without_passwords(json.dumps(self.value, ensure_ascii=False, default=str))
        except RecursionError:
            shown = "{…}"  # tables within tables, too deep to be written
        end = "" if wanted.endswith("?") else "."
        return InputError(f"{self.path}, [{self.section}] {self.name} = {shown}: {wanted}{end}")

    def by_column(self) -> list[Entry]:
        """The entries of a table with the names of columns."""
        if not TABLE.holds(self.value):
            raise self.refused(f"give {TABLE.wanted}")
        return [Entry(self.path, f"{self.section}.{self.name}", name, value) for name, value in self.value.items()]


def value_of(entry: Entry, key: Key, repeated: bool) -> Any:
    """The value of an option as the command takes it."""
    several = entry.value if repeated and isinstance(entry.value, list) else [entry.value]
    if not all(key.kind.holds(one) for one in several):
        raise entry.refused(f"give {key.kind.wanted}")
    if key.kind is PATH:
        several = [place_in(entry.path.parent, one) for one in several]
    if key.kind is COLUMNS:
        several = ['"' + one.replace('"', '""') + '"' for one in several]  # a name may hold commas
    if key.kind is LIMIT:
        several = [str(one) for one in several]
    return several if repeated else several[0]


def place_in(folder: Path, given: str) -> str:
    """A path or an address of a file as seen from a folder."""
    from shoal.io.databases.address import Address, beside

    return str(folder / given) if Address.of(given) is None else beside(given, folder)


def is_guide(value: Any) -> bool:
    """Whether the value of a key `folder` is the hierarchy of a column with that name."""
    from shoal.data.hierarchies.spec import builds

    return not isinstance(value, str) or builds(value)


def guide_of(entry: Entry) -> Hierarchy | Path | str:
    """A hierarchy: the spelling of a builder, a file, or a tree that stands in the configuration itself."""
    from shoal.data.hierarchies.spec import SPELLINGS, builds, is_file
    from shoal.data.hierarchy import Hierarchy

    if isinstance(entry.value, dict | list):
        try:
            return Hierarchy.from_nested(entry.value)
        except HierarchyError as error:
            raise HierarchyError(f"{entry.path}, [{entry.section}] {entry.name}: {error}") from error
    if not isinstance(entry.value, str):
        raise entry.refused('give a spelling such as "flat", a file, or a tree such as { Higher = ["BSc", "MSc"] }')
    if builds(entry.value):
        return entry.value
    place = entry.path.parent / entry.value
    if not is_file(place):
        raise entry.refused(f"there is no file {str(place)!r}, and the ways to build one are {', '.join(SPELLINGS)}")
    return place


def tree_of(entry: Entry) -> Hierarchy | Path:
    """A hierarchy that is there already, as that of a sensitive column has to be."""
    found = guide_of(entry)
    if isinstance(found, str):
        raise entry.refused('give a file, or a tree such as { Lungs = ["flu", "asthma"] }')
    return found


def parameter_of(algorithm: str, entry: Entry) -> str:
    """A parameter of the algorithm, as --set takes it."""
    from shoal.cli.algorithms import ENDLESS, algorithms_with, parameters_of

    known = parameters_of(algorithm)
    if entry.name not in known:
        owners = algorithms_with(entry.name) if algorithm == "auto" else []
        raise entry.refused(f'auto has no such parameter; add name = "{owners[0]}"' if owners else hint(entry, known))
    default, value = known[entry.name], entry.value
    kind: Any = (int, float) if isinstance(default, float) else type(default)
    if entry.name == "effort":  # by name or in seconds
        kind = (str, int, float)
    endless = entry.name in ENDLESS and value == "none"
    if not endless and not (isinstance(value, kind) and isinstance(value, bool) == isinstance(default, bool)):
        raise entry.refused(f"give a value like {json.dumps(default)}")
    return str(value).lower() if isinstance(value, bool) else str(value)


def weight_of(entry: Entry) -> str:
    """The weight of a column, as --weight takes it."""
    if isinstance(entry.value, bool) or not isinstance(entry.value, int | float):
        raise entry.refused("give a number, such as 2")
    return str(entry.value)


def levels_of(entry: Entry) -> str:
    """The levels of a column, as --levels takes them."""
    if isinstance(entry.value, str) and LEVELS.fullmatch(entry.value):
        return entry.value
    given = entry.value if isinstance(entry.value, list) else [entry.value]
    if len(given) in (1, 2) and all(isinstance(one, int) and not isinstance(one, bool) for one in given):
        return "-".join(map(str, given))
    raise entry.refused('give a level such as 2, or the lowest and the highest such as "1-3"')


def hint(entry: Entry, parameters: Collection[str] = ()) -> str:
    """What may have been meant by an unknown key."""
    keys = list(dict.fromkeys([*SECTIONS[entry.section], *parameters]))
    close = get_close_matches(entry.name.lower().replace("-", "_"), keys, n=1)
    if close:
        return f"there is no such key; did you mean {close[0]}?"
    home = next((section for section, known in SECTIONS.items() if entry.name in known), None)
    if home:
        return f"this key belongs into [{home}]"
    return f"there is no such key; [{entry.section}] has {', '.join(keys)}"
