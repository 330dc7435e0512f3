"""The sensitive codes on both sides of cuts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.mondrian import Array, Cuts, Partitions
from shoal.kernels.sorting import greatest, place_of, sorted_places

MAX_UNSORTED_CUTS = 3  # cuts of a partition and attribute, up to which its rows are not sorted


class OwnCodes(NamedTuple):
    """The sensitive codes of each partition, numbered within it.

    Partition p has `codes[firsts[p] : firsts[p + 1]]` in the order of its rows, which are places among its `counts[p]`
    different `values` from `firsts[p]` on.
    """

    firsts: Longs
    codes: Ints
    values: Ints
    counts: Longs


@compiled
def own_codes(partitions: Partitions, sensitive: Array, width: int) -> OwnCodes:
    """Number the sensitive codes, which are below `width`, within each partition, by counting sort."""
    _, _, order, starts, ends = partitions
    place, firsts = np.zeros(width + 1, np.int64), np.zeros(starts.size + 1, np.int64)
    for p in range(starts.size):
        firsts[p + 1] = firsts[p] + ends[p] - starts[p]
        for i in range(starts[p], ends[p]):
            place[sensitive[order[i]] + 1] += 1
    for value in range(width):
        place[value + 1] += place[value]
    by_value, partition = np.empty(firsts[-1], np.int64), np.empty(firsts[-1], np.int32)
    for p in range(starts.size):
        for i in range(starts[p], ends[p]):
            value = sensitive[order[i]]
            by_value[place[value]], partition[place[value]] = i, p
            place[value] += 1
    found, counts = np.empty(firsts[-1], np.int32), np.zeros(starts.size, np.int64)
    codes = np.empty(firsts[-1], np.int32)
    for at in range(by_value.size):
        i, p = by_value[at], partition[at]
        value = sensitive[order[i]]
        if counts[p] == 0 or found[firsts[p] + counts[p] - 1] != value:
            found[firsts[p] + counts[p]] = value
            counts[p] += 1
        codes[firsts[p] + i - starts[p]] = counts[p] - 1
    return OwnCodes(firsts, codes, found, counts)


@compiled
def side_counts(partitions: Partitions, keys: Array, own: OwnCodes, cuts: Cuts) -> tuple[Array, Array, Array]:
    """Count the sensitive codes on the left of each cut, then on the right of each.

    Return where each side begins, then its codes, ascending, and how often each occurs there.
    """
    _, weights, order, starts, ends = partitions
    cells_at = np.zeros(cuts.low.size + 1, np.int64)
    for cut in range(cuts.low.size):
        cells_at[cut + 1] = cells_at[cut] + own.counts[cuts.partition[cut]]
    cells = np.zeros((2, cells_at[-1]), np.int64)
    at = 0
    while at < cuts.low.size:
        p, j, stop = cuts.partition[at], cuts.attribute[at], at
        while stop < cuts.low.size and cuts.partition[stop] == p and cuts.attribute[stop] == j:
            stop += 1
        rows = order[starts[p] : ends[p]]
        codes = own.codes[own.firsts[p] : own.firsts[p + 1]]
        if stop - at <= MAX_UNSORTED_CUTS:
            for cut in range(at, stop):
                for i in range(rows.size):
                    side = 0 if cuts.low[cut] <= keys[rows[i], j] <= cuts.high[cut] else 1
                    cells[side, cells_at[cut] + codes[i]] += weights[rows[i]]
        else:
            column = np.empty(rows.size, np.int32)
            for i in range(rows.size):
                column[i] = keys[rows[i], j]
            _many_sides(column, rows, codes, weights, cuts.low[at:stop], cuts.high[at:stop], cells, cells_at[at])
        at = stop
    sides = np.zeros(2 * cuts.low.size + 1, np.int64)
    most, size = 0, 0
    for side in range(2):
        for cell in range(cells_at[cuts.low.size]):
            most += cells[side, cell] != 0
    values, counts = np.empty(most, np.int32), np.empty(most, np.int64)
    for side in range(2):
        for cut in range(cuts.low.size):
            first = own.firsts[cuts.partition[cut]]
            for cell in range(cells_at[cut], cells_at[cut + 1]):
                if cells[side, cell] != 0:
                    values[size], counts[size] = own.values[first + cell - cells_at[cut]], cells[side, cell]
                    size += 1
            sides[side * cuts.low.size + cut + 1] = size
    return sides, values, counts


@compiled
def _many_sides(
    column: Array, rows: Array, codes: Array, weights: Array, low: Array, high: Array, cells: Array, begin: int
) -> None:
    """Count the codes on both sides of many cuts of one partition and attribute, in one pass over its rows by value.

    The cells of the cuts follow one another from `begin` on.
    """
    width = greatest(codes) + 1
    running, sort = np.zeros(width, np.int64), sorted_places(column)
    # The different values, and the cuts that begin and those that end at each of them, as linked lists.
    values, found = np.empty(column.size, np.int32), 0
    lows, highs = np.empty(column.size, np.int64), np.empty(column.size, np.int64)
    for i in range(sort.size):
        if found == 0 or values[found - 1] != column[sort[i]]:
            values[found], lows[found], highs[found] = column[sort[i]], -1, -1
            found += 1
    next_low, next_high = np.empty(low.size, np.int64), np.empty(low.size, np.int64)
    for cut in range(low.size):
        lowest, highest = place_of(low[cut], values, found), place_of(high[cut], values, found)
        next_low[cut], next_high[cut] = lows[lowest], highs[highest]
        lows[lowest], highs[highest] = cut, cut
    row = 0
    for v in range(found):
        cut = lows[v]
        while cut >= 0:
            for s in range(width):
                cells[0, begin + cut * width + s] -= running[s]
            cut = next_low[cut]
        while row < column.size and column[sort[row]] == values[v]:
            running[codes[sort[row]]] += weights[rows[sort[row]]]
            row += 1
        cut = highs[v]
        while cut >= 0:
            for s in range(width):
                cells[0, begin + cut * width + s] += running[s]
            cut = next_high[cut]
    for cut in range(low.size):
        for s in range(width):
            cells[1, begin + cut * width + s] = running[s] - cells[0, begin + cut * width + s]
