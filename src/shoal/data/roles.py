"""Roles: which columns are quasi-identifiers, sensitive, identifying, pseudonymized or kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from unicodedata import normalize

from shoal.errors import InputError


@dataclass(frozen=True)
class Roles:
    """The columns by role: quasi-identifiers, sensitive, identifying (removed), pseudonymized or kept.

    A kept column was looked at and may leave as it is; a column without a role leaves if the review allows it.
    """

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    identifying: tuple[str, ...] = ()
    pseudonymized: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        *,
        quasi_identifiers: str | Iterable[str],
        sensitive: str | Iterable[str] = (),
        identifying: str | Iterable[str] = (),
        pseudonymize: str | Iterable[str] = (),
        keep: str | Iterable[str] = (),
    ) -> Roles:
        """Check that every named column exists and has one role."""
        roles = cls(*(names_of(names) for names in (quasi_identifiers, sensitive, identifying, pseudonymize, keep)))
        if not roles.quasi:
            raise InputError(
                "No quasi-identifier is named: "
                "name the columns that could reveal who a row is about, such as age or sex."
            )
        seen: dict[str, str] = {}
        for field, names in vars(roles).items():
            role = "quasi-identifier" if field == "quasi" else field
            for name in names:
                check_column(name, columns)
                if name in seen:
                    raise InputError(
                        f"Column {name!r} is named twice as {role}: name it once."
                        if seen[name] == role
                        else f"Column {name!r} is named both as {seen[name]} and as {role}: choose one role."
                    )
                seen[name] = role
        return roles

    @property
    def named(self) -> frozenset[str]:
        """All columns that have a role."""
        return frozenset(name for names in vars(self).values() for name in names)


def check_column(name: str, columns: Sequence[str], *, table: str = "") -> None:
    """Raise InputError if there is no such column, with the name that may have been meant; `table` says where."""
    if name in columns:
        return
    if not isinstance(name, str):
        start = f"In {table}, the" if table else "The"
        raise InputError(f"{start} column name {name!r} is not text: name columns by text.")
    plain = {column.strip().casefold(): column for column in columns}
    close = get_close_matches(name.strip().casefold(), plain, n=1)
    same = [column for column in columns if normalize("NFC", column) == normalize("NFC", name)]
    several = [part.strip() for part in name.split(",")]
    if len(several) > 1 and set(several) <= {*columns}:
        hint = f"These are several: in Python, write {several!r}."
    elif same:
        hint = f"One looks the same, but its letters are composed otherwise: {same[0]!a}, not {name!a}. Copy its name."
    else:
        hint = f"Did you mean {plain[close[0]]!r}?" if close else f"The columns are {_few(columns)}."
    start = f"In {table}, there" if table else "There"
    raise InputError(f"{start} is no column {name!r}. {hint}")


def names_of(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return one name or several as a tuple."""
    if names is None or isinstance(names, str):
        return () if names is None else (names,)
    try:
        return tuple(names)
    except TypeError as error:
        raise InputError(f"{names!r} does not name columns: give a name or a list of names.") from error


def _few(columns: Sequence[str], limit: int = 20) -> str:
    shown = ", ".join(map(repr, columns[:limit]))
    return shown + (f" and {len(columns) - limit} more" if len(columns) > limit else "")
