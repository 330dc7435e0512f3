"""Scales of bins: 10 by 10, month by month, … between round numbers or dates outside the lowest and highest value.

Neither a bin nor an end of the scale begins at a value because somebody has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from decimal import Decimal
from itertools import pairwise
from math import ceil, floor
from typing import Any

FINE = 4  # bins in the longest step at least, where the values are that fine
MAX_WITHOUT_MARGIN = 4  # whole numbers, up to which a scale begins at the lowest and ends at the highest
DAY = timedelta(days=1)
SECONDS = (1, 60, 3600, 86_400, 31 * 86_400, 366 * 86_400)  # of a second, minute, hour, day, month and year at most
SECOND, MINUTE, HOUR, DAYS, MONTH, YEAR, DECADE = range(7)
FIELDS = ("microsecond", "second", "minute", "hour", "day", "month")  # which are at their lowest where a period begins


@dataclass(frozen=True, eq=False)
class Scale:
    """The exact values of a column by code, the first and last value of each bin, and how to write them."""

    values: Sequence[Any]
    bins: Sequence[tuple[Any, Any]]
    write: Callable[[Any], str]


def scale_of(labels: Sequence[str], share: int) -> Scale | None:
    """Return the scale of values in their order; None if they are not numbers, days or moments without a zone.

    >>> scale = scale_of(["17", "18", "90"], 9)
    >>> scale.bins[0], scale.bins[-1]
    ((10, 10), (90, 90))
    """
    for kind in (_whole_numbers, _numbers, _days, _moments):
        try:
            return kind(labels, share)
        except (ValueError, ArithmeticError):
            continue
    return None


def _whole_numbers(labels: Sequence[str], share: int) -> Scale:
    """Return bins of 1, 10, 100, … whole numbers."""
    values = [int(label) for label in labels]
    span = values[-1] - values[0]
    outer = max(1 + (span >= MAX_WITHOUT_MARGIN), int(_round_share(span)))
    first, last = values[0] // outer * outer, -(-values[-1] // outer) * outer
    width = max(1, int(_power_of_ten(Decimal(max(1, last - first)) / share / FINE)))
    end = last + (width == 1 or values[-1] == last)
    return Scale(values, [(low, low + width - 1) for low in range(first, end, width)], str)


def _numbers(labels: Sequence[str], share: int) -> Scale:
    """Return bins of …, 0.01, 0.1, 1, 10, …"""
    values = [Decimal(label) for label in labels]
    if values[0] == values[-1]:
        return Scale(values, [(values[0], values[0])], _plain)
    outer = _round_share(values[-1] - values[0])
    first, last = floor(values[0] / outer) * outer, ceil(values[-1] / outer) * outer
    width = _power_of_ten((last - first) / share / FINE)
    count = int((last - first) / width)
    bins = [(first + number * width, first + (number + 1) * width) for number in range(count)]
    return Scale(values, bins, _plain)


def _days(labels: Sequence[str], share: int) -> Scale:
    """Return bins of days, months or years."""
    values = [datetime.combine(datetime.strptime(label, "%Y-%m-%d").date(), time.min) for label in labels]
    periods = _periods(values, share, finest=DAYS)
    bins = [(low, max(low, high - DAY if high < datetime.max else high)) for low, high in periods]
    return Scale(values, bins, lambda moment: str(moment.date()))


def _moments(labels: Sequence[str], share: int) -> Scale:
    """Return bins of seconds, minutes, …, years."""
    values = [datetime.fromisoformat(label) for label in labels]
    if any(value.tzinfo is not None for value in values):
        raise ValueError(labels[0])
    return Scale(values, _periods(values, share, finest=SECOND), str)


def _periods(values: Sequence[datetime], share: int, *, finest: int) -> list[tuple[datetime, datetime]]:
    """Return the periods of one length from before the first to after the last value, each with its end."""
    longest = (values[-1] - values[0]).total_seconds() / share / FINE
    unit = max((period for period, seconds in enumerate(SECONDS) if seconds <= longest), default=finest)
    unit = max(unit, finest)
    start, end = _beginning(values[0], unit + 1), _next(_beginning(values[-1], unit + 1), unit + 1)
    starts = [start]
    while starts[-1] < end:
        starts.append(_next(starts[-1], unit))
    return list(pairwise(starts))


def _beginning(moment: datetime, unit: int) -> datetime:
    """Return the beginning of the period in which a moment lies."""
    lowest = {name: int(name in ("day", "month")) for name in FIELDS[: min(unit, YEAR) + 1]}
    moment = moment.replace(**lowest)  # type: ignore[arg-type]
    return moment.replace(year=max(1, moment.year // 10 * 10)) if unit == DECADE else moment


def _next(moment: datetime, unit: int) -> datetime:
    """Return the beginning of the next period; the last moment of all if there is none."""
    try:
        if unit <= DAYS:
            return moment + timedelta(seconds=SECONDS[unit])
        if unit == MONTH:
            return moment.replace(year=moment.year + moment.month // 12, month=moment.month % 12 + 1)
        return moment.replace(year=moment.year + 1 if unit == YEAR else moment.year // 10 * 10 + 10)
    except (ValueError, OverflowError):
        return datetime.max


def _power_of_ten(number: int | Decimal) -> Decimal:
    """Return the highest power of ten that is not above a positive number."""
    return Decimal(1).scaleb(Decimal(number).adjusted())


def _round_share(span: int | Decimal) -> Decimal:
    """Return the highest of 1, 2, 5, 10, 20, … and of 0.5, 0.2, … that is at most a quarter of a span."""
    share = Decimal(span) / 4
    power = _power_of_ten(share) if share else Decimal(1)
    return max((power * digit for digit in (1, 2, 5) if power * digit <= share), default=power)


def _plain(number: Decimal) -> str:
    """Write a number without needless digits, as a double is written."""
    whole = number == number.to_integral_value()
    return str(int(number)) if whole and abs(number) < 2**53 else repr(float(number))
