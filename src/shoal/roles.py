"""Roles: which column is what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from shoal.errors import InputError


@dataclass(frozen=True)
class Roles:
    """The columns by what they are: quasi-identifying, sensitive, identifying (removed) or pseudonymized."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    identifying: tuple[str, ...] = ()
    pseudonymized: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        *,
        quasi_identifiers: str | Iterable[str],
        sensitive: str | Iterable[str] = (),
        identifying: str | Iterable[str] = (),
        pseudonymize: str | Iterable[str] = (),
    ) -> Roles:
        """Check that every named column exists and has one role."""
        roles = cls(*(_names(names) for names in (quasi_identifiers, sensitive, identifying, pseudonymize)))
        if not roles.quasi:
            raise InputError(
                "No quasi-identifier is named: name the columns that could tell who a row is about, such as age or sex."
            )
        seen: dict[str, str] = {}
        for role, names in vars(roles).items():
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


def check_column(name: str, columns: Sequence[str]) -> None:
    """Refuse a column that is not there, with the name that may have been meant."""
    if name in columns:
        return
    close = get_close_matches(name, columns, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else f"The columns are {_few(columns)}."
    raise InputError(f"There is no column {name!r}. {hint}")


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _few(columns: Sequence[str], limit: int = 20) -> str:
    shown = ", ".join(map(repr, columns[:limit]))
    return shown + (f" and {len(columns) - limit} more" if len(columns) > limit else "")
