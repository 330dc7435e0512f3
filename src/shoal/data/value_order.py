"""The order of numbers, dates and times, be they typed or text."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.arrays import Floats

# A number as people write it; 007 and +1 are codes, not numbers.
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def numbers_of(values: list[Any]) -> NDArray[Any] | None:
    """Convert values to an array to sort by; return None if they are not all numbers, dates or times."""
    kinds = set(map(type, values))
    if kinds <= {str}:
        if (plain := _whole_numbers(values)) is not None:
            return plain
        if not values or not all(NUMBER.fullmatch(value) for value in values):
            return None
        floats = np.array([float(value) for value in values])
        # Numbers that differ by less than a double can represent are treated as text.
        exact = np.abs(floats).max() < 2**53 and np.unique(floats).size == _different(values)
        return floats if exact else None
    if isinstance(values[0], date):
        return np.array([_without_zone(value) for value in values], "datetime64[us]").astype(np.int64)
    if isinstance(values[0], time):
        values = [datetime.combine(date.min, value) - datetime.min for value in values]
    if isinstance(values[0], timedelta):
        return np.array([value // timedelta(microseconds=1) for value in values])
    whole = kinds <= {int, bool}
    return np.array(values, object if whole and max(values) >= 2**63 else None)


def _whole_numbers(values: list[str]) -> Floats | None:
    """Convert plain whole numbers, of which there may be millions, to doubles; return None if one is something else."""
    if not values or len(max(values, key=len)) > 15 or not all(map(str.isascii, values)):
        return None
    if not all(map(str.isdigit, values)):
        return None
    numbers = list(map(int, values))
    return np.array(numbers, np.float64) if list(map(str, numbers)) == values else None


def _different(numbers: list[str]) -> int:
    """Count the distinct numbers; return −1 if one cannot be represented."""
    try:
        return len(set(map(Decimal, numbers)))
    except ArithmeticError:
        return -1


def _without_zone(moment: date) -> date:
    if isinstance(moment, datetime) and moment.tzinfo is not None:
        return moment.astimezone(UTC).replace(tzinfo=None)
    return moment
