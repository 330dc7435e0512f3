"""Dates: day, month, quarter, year, decade."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from shoal.errors import HierarchyError
from shoal.hierarchies.paths import tree
from shoal.hierarchy import Hierarchy
from shoal.labels import text

LEVELS: dict[str, Callable[[datetime], str]] = {
    "day": lambda date: date.strftime("%Y-%m-%d"),
    "month": lambda date: date.strftime("%Y-%m"),
    "quarter": lambda date: f"{date.year:04}-Q{(date.month + 2) // 3}",
    "year": lambda date: f"{date.year:04}",
    "decade": lambda date: f"{date.year // 10 * 10:04}s",
}


def build(values: Iterable[object], *, levels: Sequence[str], format: str) -> Hierarchy:  # noqa: A002
    """The tree of the named levels over dates in ISO form, or in a `format` as strptime takes it."""
    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        raise HierarchyError(f"There is no date level {unknown[0]!r}: choose from {', '.join(LEVELS)}.")
    chosen = [level for level in LEVELS if level in levels]
    dated = sorted((_date(label, format), label) for label in dict.fromkeys(text(value) for value in values))

    def groups(date: datetime, label: str) -> list[tuple[str, str]]:
        shown = [LEVELS[level](date) for level in chosen]
        return [(form, form) for form in shown if form != label]

    return tree((label, groups(date, label)) for date, label in dated)  # type: ignore[misc]


def _date(label: str, pattern: str) -> datetime:
    try:
        date = datetime.strptime(label, pattern) if pattern else datetime.fromisoformat(label)
    except ValueError as error:
        form = f"the form {pattern!r}" if pattern else "ISO form (2024-03-15)"
        raise HierarchyError(f"The value {label!r} is not a date in {form}: give the format of your dates.") from error
    return date.replace(tzinfo=None)
