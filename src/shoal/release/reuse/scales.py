"""Scales that values lie on, and the values that labels stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from shoal.data.value_order import numbers_of

SCALES = ("number", "moment", "time", "duration")
DURATION = re.compile(r"(?:(-?\d+) days?, )?(\d+):(\d\d):(\d\d(?:\.\d+)?)")


def scale_of(values: Sequence[Any]) -> str:
    """What kind of scale values are on."""
    one = values[0]
    if isinstance(one, time):
        return "time"
    if isinstance(one, timedelta):
        return "duration"
    if isinstance(one, str):
        return "number" if numbers_of(list(values)) is not None else "text"
    return "number" if isinstance(one, int | float) else "moment"


def value_on(scale: str, label: str) -> Any:
    """The value that a label stands for; ValueError where it stands for none.

    >>> value_on("number", "1.5"), value_on("moment", "2024-03-15"), value_on("duration", "1 day, 2:00:00")
    (1.5, datetime.date(2024, 3, 15), datetime.timedelta(days=1, seconds=7200))
    """
    if scale == "number":
        return int(label) if label.lstrip("-").isdecimal() else float(label)
    if scale == "moment":
        return date.fromisoformat(label) if len(label) == len("2024-03-15") else datetime.fromisoformat(label)
    if scale == "time":
        return time.fromisoformat(label)
    found = DURATION.fullmatch(label)
    if found is None:
        raise ValueError(label)
    days, hours, minutes, seconds = found.groups()
    return timedelta(int(days or 0), 0, round(float(seconds) * 10**6), 0, int(minutes), int(hours))
