"""Orders of small arrays in plain loops: numba's own sort takes a second to compile."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.compiling import compiled


@compiled
def longest(starts: Any, ends: Any) -> int:
    """Return the length of the longest of some slices."""
    most = 0
    for p in range(starts.size):
        most = max(most, ends[p] - starts[p])
    return most


@compiled
def sorted_places(column: Any) -> Any:
    """Return the places of the entries in ascending order, equal ones in the order of the array: a merge sort."""
    order, merged = np.empty(column.size, np.int64), np.empty(column.size, np.int64)
    for i in range(column.size):
        order[i] = i
    width = 1
    while width < column.size:
        for begin in range(0, column.size, 2 * width):
            middle, end = min(begin + width, column.size), min(begin + 2 * width, column.size)
            left, right = begin, middle
            for to in range(begin, end):
                if left < middle and (right >= end or column[order[left]] <= column[order[right]]):
                    merged[to] = order[left]
                    left += 1
                else:
                    merged[to] = order[right]
                    right += 1
        order, merged = merged, order
        width *= 2
    return order
