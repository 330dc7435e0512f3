"""The scales of ordered values, and the values that labels represent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from shoal.data.value_order import numbers_of

SCALES = ("number", "moment", "time", "duration")
DURATION = re.compile(r"(?:(-?\d+) days?, )?(\d+):(\d\d):(\d\d(?:\.\d+)?)")


def scale_of(values: Sequence[Any]) -> str:
    """Return the scale of values, or "text"."""
    first = values[0]
    if isinstance(first, time):
        return "time"
    if isinstance(first, timedelta):
        return "duration"
    if isinstance(first, str):
        return "number" if numbers_of(list(values)) is not None else "text"
    return "number" if isinstance(first, int | float) else "moment"


def value_on(scale: str, label: str) -> Any:
    """Return the value that a label represents; raise ValueError if it represents none.

    >>> value_on("number", "1.5"), value_on("moment", "2024-03-15"), value_on("duration", "1 day, 2:00:00")
    (1.5, datetime.date(2024, 3, 15), datetime.timedelta(days=1, seconds=7200))
    """
    if scale == "number":
        return int(label) if label.lstrip("-").isdecimal() else float(label)
    if scale == "moment":
        return date.fromisoformat(label) if len(label) == len("2024-03-15") else datetime.fromisoformat(label)
    if scale == "time":
        return time.fromisoformat(label)
    match = DURATION.fullmatch(label)
    if match is None:
        raise ValueError(label)
    days, hours, minutes, seconds = match.groups()
    return timedelta(int(days or 0), 0, round(float(seconds) * 10**6), 0, int(minutes), int(hours))
