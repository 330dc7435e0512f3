"""How the released labels of a column are distributed, told from the labels alone."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import inf, isfinite, nextafter

from shoal.data.label_ranges import SECOND, End, place_of, span_of
from shoal.data.style import Style
from shoal.release.report.distribution import MOST, Bar, Scale

ODD = 3  # labels that are no numbers and are shown beside those that are


def most_frequent(labels: Counter[str], most: int = MOST) -> tuple[Bar, ...]:
    """The labels that most rows show, and the others in one bar."""
    by_rows = sorted(labels.items(), key=lambda one: (-one[1], one[0]))
    few = len(by_rows) if len(by_rows) <= most + 1 else most
    bars = [Bar(label, rows) for label, rows in by_rows[:few]]
    if others := by_rows[few:]:
        bars.append(Bar(f"{len(others):,} other labels", sum(rows for _, rows in others)))
    return tuple(bars)


def spread(labels: Counter[str], scale: Scale, style: Style) -> tuple[Bar, ...]:
    """The rows on a scale of numbers or moments, those of a range evenly over its width; other labels beside it."""
    ends = (-inf, *scale.cuts, inf)
    totals = [0.0] * len(scale.names)
    odd: Counter[str] = Counter()
    for label, rows in labels.items():
        span = _span(label, scale.kind, style)
        if span is None:
            odd[label] += rows
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
    return bars + (most_frequent(odd, ODD) if odd else ())


def _span(label: str, kind: str, style: Style) -> tuple[float, float] | None:
    """The ends of a range; one of whole numbers reaches up to the next one."""
    place = place_of(label)
    span = (place[0], (place[1], 0), (place[1], 0)) if place is not None else span_of(label, style)
    if span is None or span[0] != kind:
        return None
    low, high = (_drawn(kind, end) for end in span[1:])
    whole = kind == "number" and low.is_integer() and high.is_integer()
    return low, high + (whole and high > low)


def _drawn(kind: str, end: End) -> float:
    """The end of a range as it is drawn: moments in seconds, and one that is left out as the number beside it."""
    place, side = end
    number = float(place) if kind == "number" or not isfinite(place) else float(Fraction(place) / SECOND)
    return nextafter(number, side * inf) if side else number
