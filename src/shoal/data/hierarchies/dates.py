"""Dates: day, month, quarter, year, decade."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from shoal.data.hierarchies.paths import Step, nodes_of
from shoal.data.style import distinct
from shoal.data.tree import Nodes
from shoal.errors import HierarchyError
from shoal.system.close_names import did_you_mean

LEVELS: dict[str, Callable[[datetime], str]] = {
    "day": lambda date: date.date().isoformat(),
    "month": lambda date: date.date().isoformat()[:7],
    "quarter": lambda date: f"{date.year:04}-Q{(date.month + 2) // 3}",
    "year": lambda date: f"{date.year:04}",
    "decade": lambda date: f"{date.year // 10 * 10:04}s",
}
# The letters of a format that contain the day, and those that contain the month.
DAY_CODES, MONTH_CODES = set("djaAwucx"), set("mbBjUWVcx")


def build(values: Iterable[object], *, levels: Sequence[str], format: str) -> Nodes:  # noqa: A002
    """Build the tree of the named levels over dates in ISO form, or in a `format` as for strptime.

    A level that the format does not contain, or that would only repeat every value, is left out.
    """
    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        close = did_you_mean(unknown[0], LEVELS)
        raise HierarchyError(f"There is no date level {unknown[0]!r}: choose from {', '.join(LEVELS)}.{close}")
    chosen = [LEVELS[level] for level in _levels_in(format) if level in levels]
    dated = sorted((_date(label, format), label) for label in distinct(values))
    chosen = [write for write in chosen if any(write(date) != label for date, label in dated)]

    def groups(date: datetime) -> list[Step]:
        return [(write(date), write(date)) for write in chosen]

    return nodes_of((label, groups(date)) for date, label in dated)


def _levels_in(pattern: str) -> list[str]:
    """List the levels that dates of a format contain: a year alone has no month."""
    codes = set(re.findall("%(.)", pattern)) or DAY_CODES | MONTH_CODES
    absent = set() if codes & DAY_CODES else {"day"}
    absent |= set() if codes & MONTH_CODES else {"day", "month", "quarter"}
    return [level for level in LEVELS if level not in absent]


def is_date(label: str) -> bool:
    """Return whether a value is a date in ISO form."""
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
