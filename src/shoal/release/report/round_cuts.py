"""Round cuts between numbers or months, which depend only on how many rows lie between round numbers.

Each grid of cuts contains the one before it. So the chosen cuts, and the fact that coarser ones were not enough, follow
from the number of rows in each cell of the last grid, not from where in its cell a value lies or whether it is a cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from math import ceil, floor as whole, log10

import numpy as np
from numpy.typing import NDArray

ENOUGH_BARS = 4  # a grid with this many is fine enough
ENOUGH_CELLS = 20  # a grid with this many is fine enough, however few bars it gives
MAX_BARS = 50  # so a bar stands for at least 1 / 50 of the rows
MONTH_STEPS = (12_000, 6_000, 1_200, 600, 120, 60, 12, 3, 1)

Numbers = NDArray[np.float64]
Cut = tuple[float, str]  # the number and its name


def round_cuts(numbers: Numbers, rows: NDArray[np.int64], *, unit: str, floor: int) -> list[Cut]:
    """Choose cuts between numbers (or months) with at least `floor` rows between any two of them and at the ends."""
    order = np.argsort(numbers, kind="stable")
    below = np.cumsum(rows[order])
    total = int(below[-1])
    enough = max(floor, total // MAX_BARS)
    if total < 2 * enough:
        return []
    low, high = (float(numbers[order[np.searchsorted(below, row)]]) for row in (enough, total - enough + 1))
    if low == high:  # any cut has too few rows on one side
        return []
    best: list[Cut] = []
    for cuts in _month_grids(low, high) if unit == "month" else _number_grids(low, high):
        selected = _selected(cuts, numbers, rows, enough)
        if len(selected) > len(best):
            best = selected
        if len(selected) + 1 >= ENOUGH_BARS or len(cuts) >= ENOUGH_CELLS:
            break
    return best


def _selected(cuts: list[Cut], numbers: Numbers, rows: NDArray[np.int64], enough: int) -> list[Cut]:
    """Select cuts from the left so that enough rows lie between them."""
    cells = np.searchsorted(np.array([value for value, _ in cuts]), numbers, side="right")
    totals = np.bincount(cells, weights=rows, minlength=len(cuts) + 1).astype(np.int64).tolist()
    left, right = totals[0], sum(totals[1:])
    selected = []
    for cut, total in zip(cuts, totals[1:], strict=True):
        if left >= enough and right >= enough:
            selected.append(cut)
            left = 0
        left, right = left + total, right - total
    return selected


def _number_grids(low: float, high: float) -> Iterator[list[Cut]]:
    """Yield the multiples of …, 10, 5, 1, 0.5, … above `low` and up to `high`; too few rows lie outside."""
    for power in count(ceil(log10(max(abs(low), abs(high)))) + 1, -1):
        for step, digits in ((Fraction(10) ** power, -power), (Fraction(10) ** power / 2, 1 - power)):
            times = range(whole(Fraction(low) / step) + 1, whole(Fraction(high) / step) + 1)
            yield [(value, _name(value, digits)) for value in (float(number * step) for number in times)]


def _name(value: float, digits: int) -> str:
    return f"{value:.{max(0, digits)}f}" if digits < 6 and abs(value) < 1e15 else repr(value)


def _month_grids(low: float, high: float) -> Iterator[list[Cut]]:
    """Yield the beginnings of millennia, centuries, decades, years and parts of years, in months from the year 0."""
    for step in MONTH_STEPS:
        months = range((int(low) // step + 1) * step, int(high) + 1, step)
        yield [
            (float(month), f"{month // 12:04d}" if step >= 12 else f"{month // 12:04d}-{month % 12 + 1:02d}")
            for month in months
        ]
