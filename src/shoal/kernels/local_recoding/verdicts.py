"""Compiled verdicts: how far a class is from what a condition on its sensitive values asks for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import lean

DIFFERENT, SHARE, ENTROPY, TAIL = range(4)  # kinds of conditions
LARGEST_COUNT: Any = np.int64(1 << 62)


class Conditions(NamedTuple):
    """Conditions on the values of counted columns, one column for each.

    DIFFERENT  at least `first` different values
    SHARE      of a class with n rows, no value has more than table[at + n]
    ENTROPY    n · first + Σ c · table[at + c] is at most n · table[at + n], up to rounding
    TAIL       first · r₁ is below second · (the rows beside the `table[at]` most frequent values)
    """

    rule: Longs  # conditions × (kind, first, second, at)
    table: Longs


@lean
def deficit(conditions: Conditions, j: int, count: Ints | Longs, begin: int, end: int, size: Any) -> Any:
    """Return how far counts of values are from a condition: 0 or less if it holds."""
    kind, first, second = conditions.rule[j, 0], conditions.rule[j, 1], conditions.rule[j, 2]
    at, table, found = conditions.rule[j, 3], conditions.table, np.int64(0)
    if kind == DIFFERENT:
        for place in range(begin, end):
            if count[place] > 0:
                found += 1
        return first - found
    if kind == SHARE:
        for place in range(begin, end):
            found = max(found, np.int64(count[place]))
        return found - table[at + size]
    if kind == ENTROPY:
        for place in range(begin, end):
            found += count[place] * table[at + count[place]]
        return size * first + found - size * table[at + size] - 2 * size
    left, below, most = table[at], LARGEST_COUNT, np.int64(0)
    while left > 0:
        highest, times = np.int64(0), np.int64(0)
        for place in range(begin, end):
            if highest < count[place] < below:
                highest, times = np.int64(count[place]), np.int64(1)
            elif count[place] == highest:
                times += 1
        if highest == 0:
            break
        most = max(most, highest)
        found += min(times, left) * highest
        left -= times
        below = highest
    if most == 0:
        for place in range(begin, end):
            most = max(most, np.int64(count[place]))
    return first * most - second * (size - found) + 1
