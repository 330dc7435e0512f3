"""Cuts of partitions into halves of equal size, which rows of equal value may be on both sides of."""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import compiled
from shoal.kernels.costs import Space, shown_cost
from shoal.kernels.mondrian import BY_COST, BY_SPAN, Array, Partitions
from shoal.kernels.sorting import longest, sorted_places


@compiled
def places(partitions: Partitions) -> Array:
    """Return for each row its place in its partition by each attribute; rows of equal code keep their order."""
    codes, _, order, starts, ends = partitions
    out = np.empty(codes.shape, np.int32)
    for p in range(starts.size):
        rows = order[starts[p] : ends[p]]
        column = np.empty(rows.size, np.int32)
        for j in range(codes.shape[1]):
            for i in range(rows.size):
                column[i] = codes[rows[i], j]
            sort = sorted_places(column)
            for i in range(rows.size):
                out[rows[sort[i]], j] = i
    return out


@compiled
def candidate_halves(
    partitions: Partitions, place: Array, space: Space, smallest: int, rule: int, ranks: Array
) -> Array:
    """Return one cut per partition and attribute, into halves by the rows' places, as `candidate_cuts` does."""
    codes, weights, order, starts, ends = partitions
    out = np.empty((starts.size * codes.shape[1], 8), np.int64)
    sorted_rows = np.empty(longest(starts, ends), np.int64)
    found = 0
    for p in range(starts.size):
        rows = order[starts[p] : ends[p]]
        n = rows.size
        total = 0
        for row in rows:
            total += weights[row]
        for j in range(codes.shape[1]):
            for row in rows:
                sorted_rows[place[row, j]] = row
            first, last = codes[sorted_rows[0], j], codes[sorted_rows[n - 1], j]
            if first == last:
                continue
            half, left = 0, weights[sorted_rows[0]]
            while 2 * left < total:
                half += 1
                left += weights[sorted_rows[half]]
            right = total - left
            if left < smallest or right < smallest:
                continue
            count, count_left, count_right = 1, 1, 1
            for i in range(1, n):
                if codes[sorted_rows[i], j] != codes[sorted_rows[i - 1], j]:
                    count += 1
                    count_left += i <= half
                    count_right += i > half + 1
            span = shown_cost(space, j, first, last, count)
            preference = span if rule == BY_SPAN else ranks[p, j]
            if rule == BY_COST:
                preference = (
                    total * span
                    - left * shown_cost(space, j, first, codes[sorted_rows[half], j], count_left)
                    - right * shown_cost(space, j, codes[sorted_rows[half + 1], j], last, count_right)
                )
            out[found, 0], out[found, 1], out[found, 2], out[found, 3] = p, j, 0, half
            out[found, 4], out[found, 5], out[found, 6], out[found, 7] = left, right, preference, 0
            found += 1
    return out[:found]
