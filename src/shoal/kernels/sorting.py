"""Orders of small arrays in plain loops: numba's own sort takes a second to compile."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.compiling import compiled, lean

RUN = 16  # rows that are sorted by inserting one after the other; a power of 2


@lean
def longest(starts: Any, ends: Any) -> int:
    """Return the length of the longest of some slices."""
    most = 0
    for p in range(starts.size):
        most = max(most, ends[p] - starts[p])
    return most


@lean
def greatest(numbers: Any) -> Any:
    """Return the greatest of some numbers, none of which is negative; 0 if there are none."""
    most = 0
    for i in range(numbers.size):
        most = max(most, numbers[i])
    return most


@compiled
def sorted_places(column: Any) -> Any:
    """Return the places of the entries in ascending order, equal ones in the order of the array: a merge sort."""
    order, merged = np.empty(column.size, np.int64), np.empty(column.size, np.int64)
    for i in range(column.size):
        value, to = column[i], i
        while to & (RUN - 1) and column[order[to - 1]] > value:
            order[to] = order[to - 1]
            to -= 1
        order[to] = i
    width = RUN
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


@lean
def place_of(value: int, ascending: Any, size: int) -> int:
    """Return the first place, among the first `size`, whose entry is not below the value."""
    low, high = 0, size
    while low < high:
        middle = (low + high) >> 1
        if ascending[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
