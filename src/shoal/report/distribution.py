"""How the values of a column are distributed, told so that no bar stands for fewer than `floor` rows.

A value that fewer rows have is not named: such values are pooled, and the pool takes the next rarest until it is large
enough. Numbers and dates are counted between round cuts; the first and the last bar are open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil, isfinite, log10
from math import floor as whole

import numpy as np
from numpy.typing import NDArray

from shoal.domain import AnyDomain, NumericDomain
from shoal.encoding import numbers_of

MOST = 10  # values that are named
STEPS = 8  # bars that numbers are cut into, about
DATE = re.compile(r"(\d{4})-(\d{2})-\d{2}")

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]


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
    known = np.flatnonzero(np.arange(len(domain)) != domain.missing)
    missing = int(counts[domain.missing]) if domain.missing >= 0 else 0
    rows = counts[known]
    labels = [domain.labels[code] for code in known.tolist()]
    positions = _positions(domain, known, labels)
    if positions is None or np.count_nonzero(rows) <= MOST:
        named = [(label, count) for label, count in zip(labels, rows.tolist(), strict=True) if count]
        named += [(f"{domain.labels[domain.missing]} (missing)", missing)] * (missing > 0)
        return _by_value(named, floor, ordered=positions is not None), None
    bars, cuts = _between_cuts(*positions, rows, floor)
    unit = positions[1]
    names = tuple(bar.name for bar in bars)
    scale = Scale("number", cuts, names) if unit == "1" else Scale("moment", tuple(map(_seconds, cuts)), names)
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


def _positions(domain: AnyDomain, codes: NDArray[np.int64], labels: list[str]) -> tuple[Numbers, str] | None:
    """The values as numbers and what these count (`1`, `month`); None where they are neither numbers nor dates."""
    if not labels:
        return None
    dates = [DATE.match(label) for label in labels] if DATE.match(labels[0]) else [None]
    months = [int(date[1]) * 12 + int(date[2]) - 1 for date in dates if date]
    if len(months) == len(labels):
        return np.array(months, np.float64), "month"
    if isinstance(domain, NumericDomain):
        return (domain.values[codes], "1") if domain.are_numbers else None
    numbers = numbers_of(labels)
    return None if numbers is None else (numbers.astype(np.float64), "1")


def _between_cuts(numbers: Numbers, unit: str, rows: Counts, floor: int) -> tuple[list[Bar], tuple[float, ...]]:
    """The rows between round cuts, neighbours joined until each bar has at least `floor` rows, and these cuts."""
    cuts, names = _cuts(numbers, unit, rows, floor)
    inside = np.searchsorted(cuts, numbers, side="right")
    totals = np.bincount(inside, weights=rows, minlength=len(cuts) + 1).astype(np.int64).tolist()
    starts, sums = [0], [0]
    for place, total in enumerate(totals):
        if sums[-1] >= floor and sum(totals[place:]) >= floor:
            starts.append(place)
            sums.append(0)
        sums[-1] += total
    ends = [*starts[1:], len(totals)]
    bars = [Bar(_between(names, low, high), total) for low, high, total in zip(starts, ends, sums, strict=True)]
    return bars, tuple(float(cuts[place - 1]) for place in starts[1:])


def _between(names: list[str], low: int, high: int) -> str:
    """The name of the bar from the cut before place `low` to the cut before place `high`."""
    first, last = low == 0, high > len(names)
    if first and last:
        return "all values"
    if first:
        return f"< {names[high - 1]}"
    return f"≥ {names[low - 1]}" if last else f"{names[low - 1]} to < {names[high - 1]}"


def _cuts(numbers: Numbers, unit: str, rows: Counts, floor: int) -> tuple[Numbers, list[str]]:
    """Round numbers at which to cut, with their names; none is a value that fewer than `floor` rows have, or none."""
    order = np.argsort(numbers)
    below = np.cumsum(rows[order])
    beyond = max(floor, int(below[-1]) // 20)  # rows at either end that have no say
    if below[-1] < 2 * beyond:
        return np.zeros(0), []
    low, high = (float(numbers[order[np.searchsorted(below, row)]]) for row in (beyond, below[-1] - beyond))
    years = unit == "month" and high - low >= 12 * STEPS / 2
    scale = 12 if years else 1
    step = _round((high - low) / scale / STEPS, least=1.0 if unit == "month" else 0.0)
    if not isfinite(high - low) or step == 0.0:
        return np.zeros(0), []
    found = {}
    for times in range(ceil(low / scale / step), whole(high / scale / step) + 1):
        name = _number(times, step)
        value = float(name) * scale
        if unit == "month" and not years:
            name = f"{int(value) // 12:04d}-{int(value) % 12 + 1:02d}"
        found[value] = name
    rare = set() if unit == "month" else set(numbers[rows < floor].tolist())
    kept = {value: name for value, name in found.items() if value not in rare}
    return np.array(list(kept)), list(kept.values())


def _round(step: float, least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, … and their tenths that is at least this."""
    if step <= 0 or not isfinite(step):
        return 0.0
    power = 10.0 ** whole(log10(step))
    if power == 0.0:
        return 0.0
    return max(least, next(power * factor for factor in (1, 2, 5, 10, 20) if power * factor >= step * (1 - 1e-9)))


def _number(times: int, step: float) -> str:
    """A multiple of a round step as people write it."""
    digits = max(0, -whole(log10(step) + 1e-9))
    return f"{times * step:.{digits}f}" if digits < 6 and abs(times * step) < 1e15 else f"{times * step:.12g}"


def _with_missing(bars: list[Bar], missing: int, floor: int) -> tuple[Bar, ...]:
    """The bars with the rows that miss the value, in a bar of their own if there are enough of them."""
    if missing >= floor and min(bar.rows for bar in bars) >= floor:
        return (*bars, Bar("(missing)", missing))
    if missing:
        least = min(range(len(bars)), key=lambda place: bars[place].rows)
        bars[least] = Bar(f"{bars[least].name}, or missing", bars[least].rows + missing)
    return tuple(bars)
