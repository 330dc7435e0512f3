"""Dates: day, month, quarter, year, decade."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from shoal.data.hierarchies.paths import Step, tree
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import distinct
from shoal.errors import HierarchyError

LEVELS: dict[str, Callable[[datetime], str]] = {
    "day": lambda date: date.date().isoformat(),
    "month": lambda date: date.date().isoformat()[:7],
    "quarter": lambda date: f"{date.year:04}-Q{(date.month + 2) // 3}",
    "year": lambda date: f"{date.year:04}",
    "decade": lambda date: f"{date.year // 10 * 10:04}s",
}
# The signs of a format that tell the day, and those that tell the month.
DAYS, MONTHS = set("djaAwucx"), set("mbBjUWVcx")


def build(values: Iterable[object], *, levels: Sequence[str], format: str) -> Hierarchy:  # noqa: A002
    """The tree of the named levels over dates in ISO form, or in a `format` as strptime takes it.

    A level that the format does not tell, or that would only repeat every value, is left out.
    """
    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        raise HierarchyError(f"There is no date level {unknown[0]!r}: choose from {', '.join(LEVELS)}.")
    chosen = [LEVELS[level] for level in _told(format) if level in levels]
    dated = sorted((_date(label, format), label) for label in distinct(values))
    chosen = [shown for shown in chosen if any(shown(date) != label for date, label in dated)]

    def groups(date: datetime) -> list[Step]:
        return [(shown(date), shown(date)) for shown in chosen]

    return tree((label, groups(date)) for date, label in dated)


def _told(pattern: str) -> list[str]:
    """The levels that dates of a format tell: a year alone has no month."""
    signs = set(re.findall("%(.)", pattern)) or DAYS | MONTHS
    untold = set() if signs & DAYS else {"day"}
    untold |= set() if signs & MONTHS else {"day", "month", "quarter"}
    return [level for level in LEVELS if level not in untold]


def is_date(label: str) -> bool:
    """Whether a value is a date in ISO form."""
    try:
        datetime.fromisoformat(label)
    except ValueError:
        return False
    return True


def _date(label: str, pattern: str) -> datetime:
    try:
        date = datetime.strptime(label, pattern) if pattern else datetime.fromisoformat(label)
    except ValueError as error:
        form = f"the form {pattern!r}" if pattern else "ISO form (2024-03-15)"
        raise HierarchyError(f"The value {label!r} is not a date in {form}: give the format of your dates.") from error
    return date.replace(tzinfo=None)
