"""Rows, or people, by the size of their class, before and after; no bar stands for fewer than `floor` of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.data.classes import ROWS, Noun
from shoal.release.report.distribution import Bar, Counts


def sizes_before_and_after(
    before: Counts, after: Counts, floor: int, noun: Noun = ROWS
) -> tuple[tuple[Bar, ...], tuple[Bar, ...]]:
    """Count rows, or people, by the size of their class, with the same bars before and after."""
    lows = _lows(int(max(before.max(initial=1), after.max(initial=1))))
    old, new = _rows_by_size(before, lows), _rows_by_size(after, lows)
    place = 0
    while place < len(lows):  # merge bars that stand for fewer rows than the floor
        if 0 < old[place] < floor and len(lows) > 1:
            left = place if place + 1 < len(lows) else place - 1
            for counts in (old, new):
                counts[left : left + 2] = [counts[left] + counts[left + 1]]
            del lows[left + 1]
            place = left
        else:
            place += 1
    names = [_size_name(low, high, noun) for low, high in zip(lows, [*lows[1:], None], strict=True)]
    return tuple(map(Bar, names, old)), tuple(map(Bar, names, new))


def _lows(largest: int) -> list[int]:
    """Return 1, 2, 5, 10, 20, 50, … up to `largest`."""
    lows = [1]
    while (following := lows[-1] * (5 if str(lows[-1])[0] == "2" else 4) // 2) <= largest:
        lows.append(following)
    return lows


def _rows_by_size(sizes: Counts, lows: Sequence[int]) -> list[int]:
    bars = np.searchsorted(np.array(lows), sizes, side="right") - 1
    return [int(rows) for rows in np.bincount(bars, weights=sizes, minlength=len(lows))]


def _size_name(low: int, high: int | None, noun: Noun) -> str:
    if high is None:
        return f"{low:,} {noun.many} or more" if low > 1 else "all sizes"
    return noun.of(low) if high - 1 == low else f"{low:,}–{high - 1:,} {noun.many}"
