"""guess_people(): the column that says whose row it is, if values of one repeat, and the column of households."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from shoal.data.column_names import meaning_of
from shoal.data.roles import Roles
from shoal.engines.repeated_values import repeated_people
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.review.names import says_household, says_person, says_whose
from shoal.release.review.repeated_people import Repeated


@dataclass(frozen=True)
class People:
    """The likely unit of a table, why, other columns that name people or their records, and households among them."""

    unit: str | None = None
    why: str = ""
    others: tuple[str, ...] = ()
    household: str | None = None


def guess_people(source: Source, missing: Sequence[str]) -> People:
    """Guess whose rows they are, as the review of a release without a unit does.

    A person comes before a record, a household after all others; of several, the one with the fewest values, as it
    hides the others, too.
    """
    meanings = {name: meaning_of(name) for name in source.columns}
    roles = {name: None if meaning is None else meaning.role for name, meaning in meanings.items()}
    about = [name for name, role in roles.items() if role in ("quasi", "sensitive") and says_whose(name) != "person"]
    columns = {name: _column(source, name) for name in roles if name not in about}
    identifying = tuple(name for name, role in roles.items() if role == "identifying")
    readable = {name: column for name, column in columns.items() if column is not None}
    found = repeated_people(readable, Roles((), identifying=identifying), missing)
    repeated = sorted((one for one in found if says_whose(one.column) != "name"), key=_order)  # people share names
    if not repeated:
        return People()
    unit, names = repeated[0], [found.column for found in repeated]
    return People(
        unit=unit.column,
        why=f"it says whose row it is: {unit.tally.rows:,} rows are of {unit.people}",
        others=tuple(names[1:]),
        household=next(filter(says_household, names), None),
    )


def _order(found: Repeated) -> tuple[bool, bool, bool, int]:
    name = found.column
    return says_household(name), not says_person(name), says_whose(name) != "person", found.tally.different


def _column(source: Source, name: str) -> pa.ChunkedArray | None:
    try:
        return source.arrow(name)
    except InputError:  # its values cannot be grouped, so that it cannot be a unit
        return None
