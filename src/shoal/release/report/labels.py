"""The distribution of the released labels of a column, computed from the labels alone."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import inf, isfinite, nextafter

from shoal.data.label_ranges import SECOND, End, place_of, span_of
from shoal.data.style import Style
from shoal.release.report.distribution import MAX_NAMED, Bar, Scale

MAX_OFF_SCALE = 3  # labels that are not numbers and have a bar beside those that are


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
