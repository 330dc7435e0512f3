"""Unit: the column that says whose row it is, and what is promised to its people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_text import is_text, plain
from shoal.data.column import read_column
from shoal.data.roles import Roles, check_column
from shoal.errors import InputError
from shoal.kernels.arrays import Ints
from shoal.system.close_names import did_you_mean

Promised = Literal["classes", "profiles", "households"]
Missing = Literal["refuse", "own"]

WORDS = {
    "classes": (
        "The rows of a person cannot be linked with one another: every class has rows of at least as many different "
        "people as promised."
    ),
    "profiles": (
        "The rows of a person can be linked: at least as many people as promised share the whole set of their released "
        "rows, and so its size."
    ),
    "households": (
        "The rows of a household can be linked: at least as many households as promised share the whole set of their "
        "members' released rows, and so their size."
    ),
}


@dataclass(frozen=True)
class Unit:
    """Whose row it is.

    column   says which person a row is about; None: each row is a person of its own
    group    says which people are found together, such as those of a household
    promise  "classes": rows of one person cannot be linked; "profiles": they can, and so the whole set of them is
             shared; "households": the same for the rows of a group
    strict   whether nobody may have more than 1/k of the rows of a class
    missing  "refuse" a missing person, or take each row without one as a person of its "own"
    """

    column: str | None
    group: str | None = None
    promise: Promised = "classes"
    strict: bool = False
    missing: Missing = "refuse"

    @property
    def linked(self) -> bool:
        """Whether released rows can be linked, so that sets of them must be alike."""
        return self.promise != "classes"

    @property
    def owner(self) -> str | None:
        """The column whose values own the rows that can be linked."""
        return self.group if self.promise == "households" else self.column

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are named."""
        return tuple(name for name in (self.column, self.group) if name is not None)

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        roles: Roles,
        *,
        unit: str | None,
        group: str | None = None,
        promise: str | None = None,
        strict: bool = False,
        missing: str = "refuse",
    ) -> Unit | None:
        """Check the arguments that name people; return None if none is given."""
        if unit is None and group is None:
            _refuse_without_unit(promise, strict, missing)
            return None
        for name, role in ((unit, "unit"), (group, "group")):
            if name is not None:
                check_column(name, columns)
                _refuse_other_roles(name, role, roles)
        if unit == group:
            raise InputError(f"Column {unit!r} is named both as unit and as group: name the person, or the household.")
        if missing not in ("refuse", "own"):
            close = did_you_mean(missing, ("refuse", "own"))
            raise InputError(f"missing_units = {missing!r} is not known: choose refuse or own.{close}")
        if not isinstance(strict, bool):
            raise InputError(f"strict is True or False, not {strict!r}.")
        found = cls(unit, group, _promise(unit, group, promise, roles), strict, missing)  # type: ignore[arg-type]
        if strict and found.linked:
            raise InputError("strict is about rows that cannot be linked: leave it out, or leave out pseudonyms.")
        return found


def _refuse_without_unit(promise: str | None, strict: object, missing: str) -> None:
    given = {f"promise = {promise!r}": promise is not None, "strict": strict}
    given |= {f"missing_units = {missing!r}": missing != "refuse"}
    for argument, is_given in given.items():
        if is_given:
            raise InputError(f"{argument} is about people: name the column that says whose row it is (unit=…, --unit).")


def _refuse_other_roles(name: str, role: str, roles: Roles) -> None:
    for names, other in ((roles.quasi, "quasi-identifier"), (roles.sensitive, "sensitive"), (roles.kept, "kept")):
        if name in names:
            raise InputError(
                f"Column {name!r} is named both as {role} and as {other}: the {role} is removed or pseudonymized, so "
                f"leave it out of the others."
            )


def _promise(unit: str | None, group: str | None, promise: str | None, roles: Roles) -> str:
    """Return what is promised: by whether rows of a person or household can be linked, unless it is asked for."""
    linked = unit in roles.pseudonymized
    if promise not in (None, *WORDS):
        raise InputError(
            f"promise = {promise!r} is not known: choose from {', '.join(WORDS)}.{did_you_mean(promise, WORDS)}"
        )
    if group is not None:
        if promise not in (None, "households"):
            raise InputError(f"promise = {promise!r} is not about groups: leave it out, or leave out group={group!r}.")
        if linked:
            raise InputError(
                f"The pseudonyms of {unit!r} would link rows within a household, which the promise to households does "
                f"not cover: remove the column, or leave out group={group!r}."
            )
        return "households"
    if promise == "households":
        raise InputError("The promise to households needs the column of the household: give group=… or --group.")
    if promise == "classes" and linked:
        raise InputError(
            f"The pseudonyms of {unit!r} link the rows of a person, which the promise of classes does not cover: "
            f"remove the column, or choose promise='profiles'."
        )
    return promise or ("profiles" if linked else "classes")


def nobody(column: pa.ChunkedArray, missing_values: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of a column that name nobody: those that mean missing, and blank ones."""
    values = plain(column)
    if not is_text(values.type):
        return tuple(missing_values)
    blank = pc.unique(values.filter(pc.equal(pc.utf8_trim_whitespace(values), "")))
    return (*missing_values, *blank.to_pylist())


def unit_numbers(name: str, column: pa.ChunkedArray, missing_values: Sequence[str], missing: Missing) -> Ints:
    """Number the people of a column; a missing one, as also a blank text is, is refused, or a person of its own."""
    people = read_column(name, column, nobody(column, missing_values))
    numbers = people.places.copy()
    absent_rows = np.flatnonzero(numbers < 0)
    if absent_rows.size and missing == "refuse":
        raise without_unit(name, absent_rows.size, int(absent_rows[0]) + 1)
    numbers[absent_rows] = len(people.values) + np.arange(absent_rows.size, dtype=np.int32)
    # In the order of the rows, as categories have one of their own, which would make another release.
    firsts, places = np.unique(numbers, return_index=True, return_inverse=True)[1:]
    return np.argsort(np.argsort(firsts)).astype(np.int32)[places]


def named_units(values: pa.ChunkedArray | pa.Array, missing_values: Sequence[str]) -> pa.ChunkedArray | pa.Array:
    """Return the values with null for all that name nobody, as an empty text does."""
    if is_text(values.type):
        empty = pc.equal(pc.utf8_trim_whitespace(values), "")
        absent = pc.or_(empty, pc.is_in(values, value_set=pa.array(list(missing_values), values.type)))
        return pc.if_else(absent, pa.scalar(None, values.type), values)
    if pa.types.is_floating(values.type):
        return pc.if_else(pc.is_nan(values), pa.scalar(None, values.type), values)
    return values


def without_unit(name: str, count: int, first: int | None = None) -> InputError:
    """Return the refusal of rows that do not say whose they are, given their number and the first of them, if known."""
    place = "" if first is None else f", the first of them row {first}"
    return InputError(
        f"Column {name!r} does not say whose row it is in {count:,} row{'s' * (count != 1)}{place}: fill it in, leave "
        f"these rows out, or take each as a person of its own (missing_units='own', --missing-units own)."
    )
