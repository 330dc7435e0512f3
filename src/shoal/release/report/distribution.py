"""The distributions of the values of a column, in which no bar stands for fewer than `floor` rows, and of its labels.

Rarer values are not named but pooled; the pool takes the next rarest value until it is large enough. Numbers and dates
are counted between round cuts; the first and the last bar are open. Values that no counted row has are ignored: only
suppressed rows have them. The distribution of the released labels is computed from the labels alone.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from itertools import pairwise
from math import inf, isfinite, nextafter

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain
from shoal.data.label_ranges import SECOND, End, place_of, span_of
from shoal.data.style import Style
from shoal.data.value_order import NUMBER
from shoal.release.report.round_cuts import Numbers, round_cuts

MAX_NAMED = 10  # values or labels that have a bar of their own
MAX_OFF_SCALE = 3  # labels that are not numbers and have a bar beside those that are
DATE = re.compile(r"\d{4}-\d{2}-\d{2}([ T].*)?")

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Bar:
    """A number of rows and what they have in common."""

    name: str
    rows: float


@dataclass(frozen=True)
class Scale:
    """The cuts between the bars of a column of numbers (or of moments in seconds), and the names of the bars."""

    kind: str
    cuts: tuple[float, ...]
    names: tuple[str, ...]


def distribution(domain: AnyDomain, counts: Counts, floor: int) -> tuple[tuple[Bar, ...], Scale | None]:
    """Return the bars of a column, given the number of rows with each value, and their scale, if any."""
    present = np.flatnonzero(counts)
    codes = present[present != domain.missing]
    missing = int(counts[domain.missing]) if domain.missing >= 0 else 0
    rows = counts[codes]
    labels = [domain.labels[code] for code in codes.tolist()]
    positions = _positions(labels)
    if positions is None or len(labels) <= MAX_NAMED:
        order = np.arange(len(labels)) if positions is None else np.argsort(positions[0], kind="stable")
        named = [(labels[place], int(rows[place])) for place in order.tolist()]
        named += [(f"{domain.labels[domain.missing]} (missing)", missing)] * (missing > 0)
        return _by_value(named, floor, ordered=positions is not None), None
    numbers, unit = positions
    cuts = round_cuts(numbers, rows, unit=unit, floor=floor)
    ends = np.array([value for value, _ in cuts])
    names = _between([name for _, name in cuts])
    totals = np.bincount(np.searchsorted(ends, numbers, side="right"), rows, len(names)).astype(np.int64).tolist()
    bars = [Bar(name, total) for name, total in zip(names, totals, strict=True)]
    places = ends if unit == "1" else map(_seconds, ends.tolist())
    scale = Scale("number" if unit == "1" else "moment", tuple(map(float, places)), tuple(names))
    return _with_missing(bars, missing, floor), scale


def _seconds(month: float) -> float:
    """Return the beginning of a month, counted from the year 0, in seconds."""
    return datetime(int(month) // 12, int(month) % 12 + 1, 1, tzinfo=UTC).timestamp()


def _by_value(named: list[tuple[str, int]], floor: int, *, ordered: bool) -> tuple[Bar, ...]:
    """Return a bar for each of the most frequent values, and one of at least `floor` rows for the others."""
    by_rows = sorted(named, key=lambda value: (-value[1], value[0]))
    frequent = [value for value in by_rows[:MAX_NAMED] if value[1] >= floor]
    others = by_rows[len(frequent) :]
    while others and frequent and sum(rows for _, rows in others) < floor:
        others.append(frequent.pop())
    if ordered:
        frequent = [value for value in named if value in frequent]
    bars = [Bar(name, rows) for name, rows in frequent]
    if others:
        count = len(others)
        name = f"{count} other value{'s' * (count > 1)}" if bars else f"all {count} values"
        bars.append(Bar(name, sum(rows for _, rows in others)))
    return tuple(bars)


def _positions(labels: list[str]) -> tuple[Numbers, str] | None:
    """Return the values as numbers and their unit (`1` or `month`); None if they are neither numbers nor dates."""
    if not labels:
        return None
    if _month(labels[0]) is not None:
        months = [month for month in map(_month, labels) if month is not None]
        return (np.array(months, np.float64), "month") if len(months) == len(labels) else None
    if not all(NUMBER.fullmatch(label) for label in labels):
        return None
    numbers = np.array([float(label) for label in labels])
    return (numbers, "1") if np.isfinite(numbers).all() else None


def _month(label: str) -> int | None:
    """Return the month of a date, counted from the year 0; None if the text is not a date, such as 0000-00-00."""
    if not DATE.fullmatch(label):
        return None
    try:
        day = date.fromisoformat(label[:10])
    except ValueError:
        return None
    return day.year * 12 + day.month - 1


def _between(cuts: list[str]) -> list[str]:
    """Name the bars between these cuts."""
    if not cuts:
        return ["all values"]
    inner = [f"{low} to < {high}" for low, high in pairwise(cuts)]
    return [f"< {cuts[0]}", *inner, f"≥ {cuts[-1]}"]


def _with_missing(bars: list[Bar], missing: int, floor: int) -> tuple[Bar, ...]:
    """Add the rows in which the value is missing, as a bar of their own if they are enough."""
    if missing >= floor and min(bar.rows for bar in bars) >= floor:
        return (*bars, Bar("(missing)", missing))
    if missing:
        least = min(range(len(bars)), key=lambda place: bars[place].rows)
        bars[least] = Bar(f"{bars[least].name}, or missing", bars[least].rows + missing)
    return tuple(bars)


def most_frequent(labels: Counter[str], most: int = MAX_NAMED) -> tuple[Bar, ...]:
    """Return a bar for each of the most frequent labels, and one for the others."""
    by_rows = sorted(labels.items(), key=lambda label: (-label[1], label[0]))
    named = len(by_rows) if len(by_rows) <= most + 1 else most
    bars = [Bar(label, rows) for label, rows in by_rows[:named]]
    if others := by_rows[named:]:
        bars.append(Bar(f"{len(others):,} other labels", sum(rows for _, rows in others)))
    return tuple(bars)


def spread(labels: Counter[str], scale: Scale, style: Style) -> tuple[Bar, ...]:
    """Count rows on a scale of numbers or moments, those of a range spread evenly over its width; add other labels."""
    ends = (-inf, *scale.cuts, inf)
    totals = [0.0] * len(scale.names)
    off_scale: Counter[str] = Counter()
    for label, rows in labels.items():
        span = _span(label, scale.kind, style)
        if span is None:
            off_scale[label] += rows
            continue
        low, high = span
        width = high - low
        for place, (start, end) in enumerate(pairwise(ends)):
            inside = min(high, end) - max(low, start)
            if width > 0:
                totals[place] += rows * max(0.0, inside) / width
            elif start <= low < end:
                totals[place] += rows
    bars = tuple(Bar(name, rows) for name, rows in zip(scale.names, totals, strict=True))
    return bars + (most_frequent(off_scale, MAX_OFF_SCALE) if off_scale else ())


def _span(label: str, kind: str, style: Style) -> tuple[float, float] | None:
    """Return the ends of a range; a range of whole numbers extends to the next whole number."""
    place = place_of(label)
    span = (place[0], (place[1], 0), (place[1], 0)) if place is not None else span_of(label, style)
    if span is None or span[0] != kind:
        return None
    low, high = (_drawn(kind, end) for end in span[1:])
    whole = kind == "number" and low.is_integer() and high.is_integer()
    return low, high + (whole and high > low)


def _drawn(kind: str, end: End) -> float:
    """Return the end of a range for drawing: moments in seconds, an excluded end as the adjacent number."""
    place, side = end
    number = float(place) if kind == "number" or not isfinite(place) else float(Fraction(place) / SECOND)
    return nextafter(number, side * inf) if side else number
