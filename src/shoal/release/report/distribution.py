"""How the values of a column are distributed, told so that no bar stands for fewer than `floor` rows.

A value that fewer rows have is not named: such values are pooled, and the pool takes the next rarest until it is large
enough. Numbers and dates are counted between round cuts; the first and the last bar are open. Values that none of the
counted rows has, have no say: they are those of suppressed rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain
from shoal.data.value_order import NUMBER
from shoal.release.report.round_cuts import Numbers, round_cuts

MOST = 10  # values that are named
DATE = re.compile(r"\d{4}-\d{2}-\d{2}([ T].*)?")

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Bar:
    """Some rows and what they have in common."""

    name: str
    rows: float


@dataclass(frozen=True)
class Scale:
    """The cuts between the bars of a column of numbers (or of moments, in seconds), and the names of the bars."""

    kind: str
    cuts: tuple[float, ...]
    names: tuple[str, ...]


def distribution(domain: AnyDomain, counts: Counts, floor: int) -> tuple[tuple[Bar, ...], Scale | None]:
    """The bars of a column of which `counts` rows have each value, and their scale where they have one."""
    found = np.flatnonzero(counts)
    known = found[found != domain.missing]
    missing = int(counts[domain.missing]) if domain.missing >= 0 else 0
    rows = counts[known]
    labels = [domain.labels[code] for code in known.tolist()]
    positions = _positions(labels)
    if positions is None or len(labels) <= MOST:
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
    """The beginning of a month, counted from the year 0, as seconds."""
    return datetime(int(month) // 12, int(month) % 12 + 1, 1, tzinfo=UTC).timestamp()


def _by_value(named: list[tuple[str, int]], floor: int, *, ordered: bool) -> tuple[Bar, ...]:
    """The most frequent values, and the others in one bar of at least `floor` rows."""
    by_rows = sorted(named, key=lambda one: (-one[1], one[0]))
    kept = [one for one in by_rows[:MOST] if one[1] >= floor]
    others = by_rows[len(kept) :]
    while others and kept and sum(rows for _, rows in others) < floor:
        others.append(kept.pop())
    if ordered:
        kept = [one for one in named if one in kept]
    bars = [Bar(name, rows) for name, rows in kept]
    if others:
        count = len(others)
        name = f"{count} other value{'s' * (count > 1)}" if bars else f"all {count} values"
        bars.append(Bar(name, sum(rows for _, rows in others)))
    return tuple(bars)


def _positions(labels: list[str]) -> tuple[Numbers, str] | None:
    """The values as numbers and what these count (`1`, `month`); None where they are neither numbers nor dates."""
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
    """The month of a date, counted from the year 0; None for what is no date, such as 0000-00-00."""
    if not DATE.fullmatch(label):
        return None
    try:
        day = date.fromisoformat(label[:10])
    except ValueError:
        return None
    return day.year * 12 + day.month - 1


def _between(cuts: list[str]) -> list[str]:
    """The names of the bars between these cuts."""
    if not cuts:
        return ["all values"]
    inner = [f"{low} to < {high}" for low, high in pairwise(cuts)]
    return [f"< {cuts[0]}", *inner, f"≥ {cuts[-1]}"]


def _with_missing(bars: list[Bar], missing: int, floor: int) -> tuple[Bar, ...]:
    """The bars with the rows that miss the value, in a bar of their own if there are enough of them."""
    if missing >= floor and min(bar.rows for bar in bars) >= floor:
        return (*bars, Bar("(missing)", missing))
    if missing:
        least = min(range(len(bars)), key=lambda place: bars[place].rows)
        bars[least] = Bar(f"{bars[least].name}, or missing", bars[least].rows + missing)
    return tuple(bars)
