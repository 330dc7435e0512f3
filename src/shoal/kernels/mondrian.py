"""Cuts of partitions.

A partition is a slice of `order`, which lists rows. A cut sends the rows whose code of one attribute lies from
`low` to `high` to the left side and the rest to the right side.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compiling import compiled
from shoal.kernels.costs import RANGE, SET, TREE, Space, cover, shown_cost

BY_COST, BY_SPAN, BY_RANK = 0, 1, 2
Array = NDArray[Any]


class Partitions(NamedTuple):
    """Rows with codes and weights, and the slices order[starts[p] : ends[p]] that are to be cut."""

    codes: NDArray[np.int32]
    weights: NDArray[np.int64]
    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


class Cuts(NamedTuple):
    """Candidate cuts, those of one partition and attribute together; the greater (first, second) is preferred."""

    partition: NDArray[np.int64]
    attribute: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    left: NDArray[np.int64]  # weight of the left side
    right: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]


@compiled
def frequency_set(
    codes: Array, weights: Array, rows: Array, attribute: int, values: Array, counts: Array, scratch: Array
) -> int:
    """The codes of an attribute among the rows, ascending, and their weights; returns how many there are."""
    low = high = codes[rows[0], attribute]
    for row in rows:
        low = min(low, codes[row, attribute])
        high = max(high, codes[row, attribute])
    found = 0
    if high - low < 8 * rows.size:
        for row in rows:
            scratch[codes[row, attribute]] += weights[row]
        for code in range(low, high + 1):
            if scratch[code] > 0:
                values[found], counts[found] = code, scratch[code]
                scratch[code] = 0
                found += 1
        return found
    column = np.empty(rows.size, np.int32)
    for i in range(rows.size):
        column[i] = codes[rows[i], attribute]
    for i in np.argsort(column):
        if found == 0 or values[found - 1] != column[i]:
            values[found], counts[found] = column[i], 0
            found += 1
        counts[found - 1] += weights[rows[i]]
    return found


@compiled
def stretches(space: Space, attribute: int, kind: int, values: Array, begin: Array, end: Array) -> int:
    """The runs values[begin..end] that a cut may separate from the other values; returns how many there are.

    Ranges and sets: from the first value on. Trees: the same between two children of the node over all values.
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
    partitions: Partitions,
    space: Space,
    smallest: int,
    rule: int,
    ranks: Array,
    only_median: bool,
    by_node: bool,
) -> Array:
    """Every cut that leaves a weight of at least `smallest` on both sides, as rows of the fields of `Cuts`.

    Preferred is, by `rule`, the greatest fall of the cost, the widest attribute, or the highest in `ranks`; then
    the cut nearest to halves. `only_median` admits one cut per attribute, after the lower median; without
    `by_node` trees and sets are cut as ranges.
    """
    codes, weights, order, starts, ends = partitions
    largest = (ends - starts).max()
    values, counts, sums = np.empty(largest, np.int64), np.empty(largest, np.int64), np.empty(largest + 1, np.int64)
    begin, end = np.empty(3 * largest, np.int64), np.empty(3 * largest, np.int64)
    scratch = np.zeros(space.size.max(), np.int64)
    out = np.empty((1024, 8), np.int64)
    found = 0
    for p in range(starts.size):
        rows = order[starts[p] : ends[p]]
        for j in range(codes.shape[1]):
            m = frequency_set(codes, weights, rows, j, values, counts, scratch)
            sums[0] = 0
            for i in range(m):
                sums[i + 1] = sums[i] + counts[i]
            total = sums[m]
            if total < 2 * smallest:
                break
            if m < 2:
                continue
            span = shown_cost(space, j, values[0], values[m - 1], m)
            kind = space.kind[j] if by_node else RANGE
            for s in range(stretches(space, j, kind, values[:m], begin, end)):
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
                    grown[:found] = out
                    out = grown
                out[found, 0], out[found, 1], out[found, 2], out[found, 3] = p, j, values[a], values[b]
                out[found, 4], out[found, 5] = left, right
                out[found, 6], out[found, 7] = preference, -abs(left - right)
                found += 1
    return out[:found]


@compiled
def places(partitions: Partitions) -> Array:
    """For each row, its place in its partition by each attribute; rows of equal code stay in their order."""
    codes, _, order, starts, ends = partitions
    out = np.empty(codes.shape, np.int32)
    for p in range(starts.size):
        rows = order[starts[p] : ends[p]]
        column = np.empty(rows.size, np.int32)
        for j in range(codes.shape[1]):
            for i in range(rows.size):
                column[i] = codes[rows[i], j]
            sort = np.argsort(column, kind="mergesort")
            for i in range(rows.size):
                out[rows[sort[i]], j] = i
    return out


@compiled
def candidate_halves(
    partitions: Partitions, place: Array, space: Space, smallest: int, rule: int, ranks: Array
) -> Array:
    """One cut per partition and attribute, into halves by the rows' places, as `candidate_cuts` gives them."""
    codes, weights, order, starts, ends = partitions
    out = np.empty((starts.size * codes.shape[1], 8), np.int64)
    sorted_rows = np.empty((ends - starts).max(), np.int64)
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


@compiled
def side_histograms(partitions: Partitions, keys: Array, sensitive: Array, cuts: Cuts, width: int) -> Array:
    """How often each of `width` sensitive codes stands on the left and on the right of each cut: 2 × cuts × width."""
    _, weights, order, starts, ends = partitions
    out = np.zeros((2, cuts.low.size, width), np.int64)
    running = np.empty(width, np.int64)
    next_low, next_high = np.empty(cuts.low.size, np.int64), np.empty(cuts.low.size, np.int64)
    at = 0
    while at < cuts.low.size:
        p, j = cuts.partition[at], cuts.attribute[at]
        rows = order[starts[p] : ends[p]]
        column = np.empty(rows.size, np.int32)
        for i in range(rows.size):
            column[i] = keys[rows[i], j]
        sort = np.argsort(column)
        values = np.empty(rows.size, np.int32)
        found = 0
        for i in sort:
            if found == 0 or values[found - 1] != column[i]:
                values[found] = column[i]
                found += 1
        values = values[:found]
        # The cuts that begin and those that end at each value, as chains.
        lows, highs = np.full(values.size, -1, np.int64), np.full(values.size, -1, np.int64)
        stop = at
        while stop < cuts.low.size and cuts.partition[stop] == p and cuts.attribute[stop] == j:
            low, high = np.searchsorted(values, cuts.low[stop]), np.searchsorted(values, cuts.high[stop])
            next_low[stop], next_high[stop] = lows[low], highs[high]
            lows[low], highs[high] = stop, stop
            stop += 1
        running[:] = 0
        row = 0
        for v in range(values.size):
            cut = lows[v]
            while cut >= 0:
                for s in range(width):
                    out[0, cut, s] -= running[s]
                cut = next_low[cut]
            while row < rows.size and column[sort[row]] == values[v]:
                running[sensitive[rows[sort[row]]]] += weights[rows[sort[row]]]
                row += 1
            cut = highs[v]
            while cut >= 0:
                for s in range(width):
                    out[0, cut, s] += running[s]
                cut = next_high[cut]
        for cut in range(at, stop):
            for s in range(width):
                out[1, cut, s] = running[s] - out[0, cut, s]
        at = stop
    return out


@compiled
def best_cuts(cuts: Cuts, allowed: Array, partitions: int) -> Array:
    """For each partition the allowed cut that is preferred, the earliest among equals; −1 where there is none."""
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
    """Reorder each cut partition in place, left side first; returns where each right side begins.

    Both sides keep the order of their rows, or with `sort` are put in that of the keys, which are places then.
    """
    _, _, order, starts, ends = partitions
    middles = ends.copy()
    held = np.empty((ends - starts).max(), order.dtype)
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
        if sort:
            order[starts[p] : ends[p]] = held[: ends[p] - starts[p]]
        else:
            order[to : ends[p]] = held[:right]
        middles[p] = to
    return middles
