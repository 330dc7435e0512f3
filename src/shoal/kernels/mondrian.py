"""Cuts of partitions.

A partition is a slice of `order`, which lists rows. A cut sends the rows whose code of one attribute lies from
`low` to `high` to the left side and the rest to the right side.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.costs import RANGE, SET, TREE, Space, cover, shown_cost
from shoal.kernels.sorting import greatest, longest, sorted_places

BY_COST, BY_SPAN, BY_RANK = 0, 1, 2
Array = NDArray[Any]


class Partitions(NamedTuple):
    """Rows with codes and weights, and the slices order[starts[p] : ends[p]] that are to be cut."""

    codes: Ints
    weights: Longs
    order: Longs
    starts: Longs
    ends: Longs


class Cuts(NamedTuple):
    """Candidate cuts, grouped by partition and attribute; the greater (first, second) is preferred."""

    partition: Longs
    attribute: Longs
    low: Longs
    high: Longs
    left: Longs  # weight of the left side
    right: Longs
    first: Longs
    second: Longs


@compiled
def _frequency_set(column: Array, weights: Array, values: Array, counts: Array, scratch: Array) -> int:
    """Find the codes of a column, ascending, and the weight of each; return how many there are.

    Of a single code the weight is not found.
    """
    low = high = column[0]
    for code in column:
        low = min(low, code)
        high = max(high, code)
    found = 0
    if low == high:
        values[0] = low
        return 1
    if high - low < 8 * column.size:
        for i in range(column.size):
            scratch[column[i]] += weights[i]
        for code in range(low, high + 1):
            if scratch[code] > 0:
                values[found], counts[found] = code, scratch[code]
                scratch[code] = 0
                found += 1
        return found
    for i in sorted_places(column):
        if found == 0 or values[found - 1] != column[i]:
            values[found], counts[found] = column[i], 0
            found += 1
        counts[found - 1] += weights[i]
    return found


@lean
def _stretches(space: Space, attribute: int, kind: int, values: Array, begin: Array, end: Array) -> int:
    """Find the runs values[begin..end] that a cut may separate from the other values; return how many there are.

    Ranges and sets: from the first value on. Trees: the same between two children of the node above all values.
    Sets and trees also: one value, or the values under one node.
    """
    found = 0
    top = cover(space, attribute, values[0], values[-1]) if kind == TREE else 0
    for i in range(values.size - 1):
        if kind != TREE or cover(space, attribute, values[i], values[i + 1]) == top:
            begin[found], end[found] = 0, i
            found += 1
    if kind == SET:
        for i in range(1, values.size - 1):
            begin[found], end[found] = i, i
            found += 1
    if kind == TREE:
        nodes = space.nodes_at[attribute]
        for i in range(values.size):
            node = space.leaf_node[space.codes_at[attribute] + values[i]]
            last, before = i, -1
            while node != top and (i == 0 or values[i - 1] < space.low[nodes + node]):
                while last + 1 < values.size and values[last + 1] <= space.high[nodes + node]:
                    last += 1
                if last != before:
                    begin[found], end[found] = i, last
                    found += 1
                before = last
                node = space.parent[nodes + node]
    return found


@compiled
def candidate_cuts(
    partitions: Partitions, space: Space, smallest: int, rule: int, ranks: Array, only_median: bool, by_node: bool
) -> Array:
    """Return every cut that leaves a weight of at least `smallest` on both sides, as rows of the fields of `Cuts`.

    By `rule`, the cut with the greatest fall of the cost, the widest attribute, or the highest in `ranks` is
    preferred; then the cut nearest to halves. `only_median` admits one cut per attribute, after the lower median;
    without `by_node` trees and sets are cut as ranges.
    """
    codes, weights, order, starts, ends = partitions
    largest = longest(starts, ends)
    values, counts, sums = np.empty(largest, np.int64), np.empty(largest, np.int64), np.empty(largest + 1, np.int64)
    begin, end = np.empty(3 * largest, np.int64), np.empty(3 * largest, np.int64)
    scratch = np.zeros(greatest(space.size), np.int64)
    out = np.empty((1024, 8), np.int64)
    found = 0
    columns, own_weights = np.empty((codes.shape[1], largest), codes.dtype), np.empty(largest, np.int64)
    for p in range(starts.size):
        size, total = ends[p] - starts[p], 0
        for i in range(size):
            own_weights[i] = weights[order[starts[p] + i]]
            total += own_weights[i]
        if total < 2 * smallest:
            continue
        for i in range(size):
            row = order[starts[p] + i]
            for j in range(codes.shape[1]):
                columns[j, i] = codes[row, j]
        for j in range(codes.shape[1]):
            m = _frequency_set(columns[j, :size], own_weights[:size], values, counts, scratch)
            if m < 2:
                continue
            sums[0] = 0
            for i in range(m):
                sums[i + 1] = sums[i] + counts[i]
            span = shown_cost(space, j, values[0], values[m - 1], m)
            kind = space.kind[j] if by_node else RANGE
            for s in range(_stretches(space, j, kind, values[:m], begin, end)):
                a, b = begin[s], end[s]
                left = sums[b + 1] - sums[a]
                right = total - left
                if left < smallest or right < smallest:
                    continue
                if only_median and (a > 0 or 2 * sums[b] >= total or 2 * sums[b + 1] < total):
                    continue
                if rule == BY_COST:
                    rest_low = values[0] if a > 0 else values[b + 1]
                    rest_high = values[m - 1] if b < m - 1 else values[a - 1]
                    preference = (
                        total * span
                        - left * shown_cost(space, j, values[a], values[b], b - a + 1)
                        - right * shown_cost(space, j, rest_low, rest_high, m - (b - a + 1))
                    )
                else:
                    preference = span if rule == BY_SPAN else ranks[p, j]
                if found == out.shape[0]:
                    grown = np.empty((2 * found, 8), np.int64)
                    for c in range(found):
                        for field in range(8):
                            grown[c, field] = out[c, field]
                    out = grown
                out[found, 0], out[found, 1], out[found, 2], out[found, 3] = p, j, values[a], values[b]
                out[found, 4], out[found, 5] = left, right
                out[found, 6], out[found, 7] = preference, -abs(left - right)
                found += 1
    return out[:found]


@compiled
def best_cuts(cuts: Cuts, allowed: Array, partitions: int) -> Array:
    """Return for each partition the preferred allowed cut, the earliest among equals; −1 if none is allowed."""
    best = np.full(partitions, -1, np.int64)
    for c in range(allowed.size):
        if allowed[c]:
            b = best[cuts.partition[c]]
            if (
                b < 0
                or cuts.first[c] > cuts.first[b]
                or (cuts.first[c] == cuts.first[b] and cuts.second[c] > cuts.second[b])
            ):
                best[cuts.partition[c]] = c
    return best


@compiled
def apply_cuts(partitions: Partitions, keys: Array, cuts: Cuts, best: Array, sort: bool) -> Array:
    """Reorder each cut partition in place, left side first; return where each right side begins.

    Both sides keep the order of their rows or, with `sort`, take that of the keys, which are then places.
    """
    _, _, order, starts, ends = partitions
    middles = ends.copy()
    held = np.empty(longest(starts, ends), order.dtype)
    for p in range(starts.size):
        if best[p] < 0:
            continue
        j, low, high = cuts.attribute[best[p]], cuts.low[best[p]], cuts.high[best[p]]
        to, right = starts[p], 0
        for i in range(starts[p], ends[p]):
            row = order[i]
            if sort:
                held[keys[row, j]] = row
                to += keys[row, j] <= high
            elif low <= keys[row, j] <= high:
                order[to] = row
                to += 1
            else:
                held[right] = row
                right += 1
        begin = starts[p] if sort else to
        for i in range(begin, ends[p]):
            order[i] = held[i - begin]
        middles[p] = to
    return middles


@compiled
def cut_sides(partitions: Partitions, middles: Array, attributes: Array) -> Array:
    """Return the highest code of each left side and the lowest of each right side, in the attribute that was cut."""
    codes, _, order, starts, ends = partitions
    sides = np.empty((2, starts.size), np.int32)
    for p in range(starts.size):
        j = attributes[p]
        last, first = codes[order[starts[p]], j], codes[order[middles[p]], j]
        for i in range(starts[p], middles[p]):
            last = max(last, codes[order[i], j])
        for i in range(middles[p], ends[p]):
            first = min(first, codes[order[i], j])
        sides[0, p], sides[1, p] = last, first
    return sides
