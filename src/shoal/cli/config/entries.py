"""The entries of a shoal.toml as the command takes them; errors name the place and the value."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from shoal.cli.config.keys import COLUMNS, DROPPED, ENGINES, LIMIT, NUMBER, PATH, PATHS, SECTIONS, TABLE, WHOLE, Key
from shoal.errors import HierarchyError, InputError
from shoal.system.close_names import did_you_mean

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

    def refused(self, remedy: str) -> InputError:
        """Return an error with the place, the value, and what to do."""
        from shoal.io.databases.address import without_passwords

        try:
            shown = without_passwords(json.dumps(self.value, ensure_ascii=False, default=str))
        except RecursionError:
            shown = "{…}"  # tables nested too deeply to be written
        end = "" if remedy.endswith("?") else "."
        return InputError(f"{self.path}, [{self.section}] {self.name} = {shown}: {remedy}{end}")

    def explained(self, error: Exception) -> str:
        """Return what an error says of the value, with the place before it."""
        return f"{self.path}, [{self.section}] {self.name}: {error}"

    def by_column(self) -> list[Entry]:
        """Split a table by column into its entries."""
        if not TABLE.matches(self.value):
            raise self.refused(f"give {TABLE.description}")
        return [Entry(self.path, f"{self.section}.{self.name}", name, value) for name, value in self.value.items()]


def value_of(entry: Entry, key: Key) -> Any:
    """Return the value of an option as the command takes it."""
    values = entry.value if key.kind.several and isinstance(entry.value, list) else [entry.value]
    if not all(key.kind.matches(value) for value in values):
        raise entry.refused(f"give {key.kind.description}")
    if key.kind is DROPPED and entry.value not in (True, False, "roles", "all"):
        raise entry.refused(f"give {key.kind.description}")
    if not all(map(key.kind.within, values)):
        raise entry.refused(f"give {key.kind.limits}")
    try:
        for value in values:
            _check(key.parameter, value)
    except InputError as error:
        raise InputError(entry.explained(error)) from error
    choices = _choices(key.parameter)
    if choices and entry.value not in choices:
        raise entry.refused(choose(entry.value, choices))
    if key.kind in (PATH, PATHS):
        values = [place_in(entry.path.parent, value) for value in values]
    if key.kind is COLUMNS:
        values = ['"' + value.replace('"', '""') + '"' for value in values]  # a name may contain commas
    if key.kind is DROPPED and isinstance(entry.value, bool):
        values = ["roles" if entry.value else None]
    if key.kind is LIMIT:
        values = [str(value) for value in values]
    return values if key.kind.several else values[0]


def _check(parameter: str, value: Any) -> None:
    """Raise InputError for a value that the command itself would refuse, without a word of the file."""
    if parameter == "accept":
        from shoal.cli.values import names
        from shoal.release.review.finding_codes import check_codes

        check_codes(names([value]))
    elif parameter == "encoding":
        from shoal.io.csv_dialect import check_encoding

        check_encoding(value)
    elif parameter == "max_suppression":
        from shoal.data.budget import budget_of

        budget_of(value, rows=0)
    elif parameter == "memory":
        from shoal.engines.streams.memory import memory_of

        memory_of(value)
    elif parameter == "require":
        from shoal.analysis.assessment.requirements import check_requirements

        check_requirements(value)
    elif parameter == "separator":
        from shoal.io.csv_dialect import separator_of

        separator_of(value)


def _choices(parameter: str) -> Collection[str]:
    """Return the words that a parameter may be; none if there are more than a few."""
    from shoal.data.unit import WORDS, Missing
    from shoal.release.range_ends.kinds import KINDS
    from shoal.release.request import ORDERS, TREATMENTS

    choices: dict[str, Collection[str]] = {
        "engine": ENGINES,
        "missing_units": get_args(Missing),
        "order": ORDERS,
        "promise": WORDS,
        "range_ends": KINDS,
        "suppressed": TREATMENTS,
    }
    return choices.get(parameter, ())


def choose(value: object, choices: Collection[str]) -> str:
    """Say what to choose from, and which of them was probably meant."""
    close = did_you_mean(value, choices)
    return f"choose from {', '.join(choices)}{'.' if close else ''}{close}"


def place_in(folder: Path, place: str) -> str:
    """Resolve a path, or the address of a database file, relative to a folder."""
    from shoal.io.databases.address import Address, beside

    return str(folder / place) if Address.of(place) is None else beside(place, folder)


def is_hierarchy(value: Any) -> bool:
    """Whether the value of the key `folder` is the hierarchy of a column of that name."""
    from shoal.data.hierarchies.spec import builds

    return not isinstance(value, str) or builds(value)


def hierarchy_of(entry: Entry) -> Hierarchy | Path | str:
    """Parse a hierarchy: the spelling of a builder, a file, or a tree written in the configuration itself."""
    from shoal.data.hierarchies.spec import NAMES, SPELLINGS, builds, is_file
    from shoal.data.hierarchy import Hierarchy

    if isinstance(entry.value, dict | list) and not _lists_members(entry.value):
        raise entry.refused('give each group a list of values, such as { Higher = ["BSc", "MSc"] }')
    if isinstance(entry.value, dict | list):
        try:
            return Hierarchy.from_nested(entry.value)
        except HierarchyError as error:
            raise HierarchyError(entry.explained(error)) from error
    if not isinstance(entry.value, str):
        raise entry.refused('give a spelling such as "flat", a file, or a tree such as { Higher = ["BSc", "MSc"] }')
    if builds(entry.value):
        return entry.value
    place = entry.path.parent / entry.value
    if not is_file(place):
        close = did_you_mean(entry.value.partition(":")[0], NAMES)
        spellings = f"{', '.join(SPELLINGS)}{'.' if close else ''}{close}"
        raise entry.refused(f"there is no file {str(place)!r}, and the spellings are {spellings}")
    return place


def _lists_members(content: Any) -> bool:
    """Return whether every group of a tree has its members in a list or in groups, however deep it is."""
    waiting = [content]
    while waiting:
        group = waiting.pop()
        if isinstance(group, dict):
            if not all(isinstance(members, dict | list) for members in group.values()):
                return False
            waiting += group.values()
        elif isinstance(group, list):
            waiting += [member for member in group if isinstance(member, dict)]
    return True


def tree_of(entry: Entry) -> Hierarchy | Path:
    """Parse a hierarchy that needs no data to be built, as a sensitive column needs it."""
    hierarchy = hierarchy_of(entry)
    if isinstance(hierarchy, str):
        raise entry.refused('give a file, or a tree such as { Lungs = ["flu", "asthma"] }')
    return hierarchy


def parameter_of(algorithm: str, entry: Entry) -> str:
    """Return a parameter of the algorithm as --set takes it."""
    from shoal.cli.algorithms import ENDLESS, algorithms_with, parameters_of

    defaults = parameters_of(algorithm)
    if entry.name not in defaults:
        owners = algorithms_with(entry.name) if algorithm == "auto" else []
        raise entry.refused(
            f'auto has no such parameter; add name = "{owners[0]}"' if owners else hint(entry, defaults)
        )
    default, value = defaults[entry.name], entry.value
    kind: Any = (int, float) if isinstance(default, float) else type(default)
    if entry.name == "effort":  # by name or in seconds
        kind = (str, int, float)
    endless = entry.name in ENDLESS and value == "none"
    if entry.name == "effort" and not (isinstance(value, kind) and not isinstance(value, bool)):
        raise entry.refused("give fast, balanced, best or a number of seconds, such as 10")
    if entry.name == "effort":
        from shoal.algorithms.local_recoding.effort import check_effort

        try:
            check_effort(value)
        except InputError as error:
            raise InputError(entry.explained(error)) from error
    if not endless and not (isinstance(value, kind) and isinstance(value, bool) == isinstance(default, bool)):
        raise entry.refused(f"give a value like {json.dumps(default)}")
    return str(value).lower() if isinstance(value, bool) else str(value)


def weight_of(entry: Entry) -> str:
    """Return the weight of a column as --weight takes it."""
    if not NUMBER.matches(entry.value):
        raise entry.refused("give a number, such as 2")
    return str(entry.value)


def levels_of(entry: Entry) -> str:
    """Return the levels of a column as --levels takes them."""
    if isinstance(entry.value, str) and LEVELS.fullmatch(entry.value):
        return entry.value
    ends = entry.value if isinstance(entry.value, list) else [entry.value]
    if len(ends) in (1, 2) and all(map(WHOLE.matches, ends)):
        return "-".join(map(str, ends))
    raise entry.refused('give a level such as 2, or the lowest and the highest such as "1-3"')


def hint(entry: Entry, parameters: Collection[str] = ()) -> str:
    """Say what may have been meant by an unknown key."""
    keys = list(dict.fromkeys([*SECTIONS[entry.section], *parameters]))
    close = get_close_matches(entry.name.lower().replace("-", "_"), keys, n=1)
    if close:
        return f"there is no such key; did you mean {close[0]}?"
    home = next((section for section, names in SECTIONS.items() if entry.name in names), None)
    if home:
        return f"this key belongs in [{home}]"
    return f"there is no such key; [{entry.section}] has {', '.join(keys)}"
