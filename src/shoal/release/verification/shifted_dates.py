"""check_shifted(): whether the dates of each person were moved by one number of days, or count from their first."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime
from typing import Any

from shoal.errors import VerificationError
from shoal.io.source import Source
from shoal.release.request import Request


def check_shifted(original: Source, shifted: Source, request: Request) -> None:
    """Refuse dates of which one person's were moved by different numbers of days; missing ones stay missing."""
    if not request.shift_dates or request.unit is None or request.unit.column is None:
        return
    owners = original.arrow(request.unit.column).to_pylist()
    moved: dict[Any, set[int]] = defaultdict(set)
    days: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for name in request.shift_dates:
        pairs = zip(owners, original.arrow(name).to_pylist(), shifted.arrow(name).to_pylist(), strict=True)
        for row, (owner, before, after) in enumerate(pairs):
            if _is_missing(before, request.missing_values) != (after is None):
                raise VerificationError(f"Column {name!r} gained or lost a date in row {row + 1}.")
            if after is None or owner is None or owner == "":
                continue
            if request.unit.linked:
                days[owner].append((_day(before).toordinal(), after))
            else:
                moved[owner].add(_day(after).toordinal() - _day(before).toordinal())
    if any(len(offsets) > 1 for offsets in moved.values()) or any(map(_is_wrong, days.values())):
        raise VerificationError("The dates of a person were not all moved by the same number of days.")


def _is_wrong(days: list[tuple[int, int]]) -> bool:
    first = min(before for before, _ in days)
    return any(before - first != after for before, after in days)


def _is_missing(value: Any, missing: tuple[str, ...]) -> bool:
    return value is None or value == "" or value in missing


def _day(value: Any) -> date:
    if isinstance(value, str):
        return date.fromisoformat(value)
    return value.date() if isinstance(value, datetime) else value
