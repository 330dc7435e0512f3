"""The columns that an attacker knows, and those that are to be learned."""

from __future__ import annotations

from shoal.data.roles import names_of
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.arguments import Names


def known_columns(
    known: Names | None,
    people: Source,
    target: Source,
    *,
    sampled: bool,
    unit: str | None,
    secrets: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """Return the known columns: those that are named, or all that both tables have and that are not secret."""
    if known is not None and (names := _once(known, "known")):
        return names
    if sampled or known is not None:
        raise InputError("No known column is named: name what the attacker knows about people, such as age or sex.")
    shared = tuple(name for name in people.columns if name in target.columns and name not in (unit, *secrets))
    if not shared:
        raise InputError(
            f"The attacker's table shares no column with the released one: it has "
            f"{', '.join(map(repr, people.columns))}, the released one {', '.join(map(repr, target.columns))}."
        )
    return shared


def secret_columns(sensitive: Names, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns that the attacker wants to learn; refuse one that is known."""
    names = _once(sensitive, "sensitive")
    both = next((name for name in names if name in known), None)
    if both is not None:
        raise InputError(
            f"Column {both!r} is both known and sensitive: whoever knows it has nothing to learn. "
            f"Leave it out of one of the two."
        )
    return names


def _once(columns: Names, role: str) -> tuple[str, ...]:
    names = names_of(columns)
    repeated = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if repeated is not None:
        raise InputError(f"Column {repeated!r} is named twice as {role}: name it once.")
    return names
