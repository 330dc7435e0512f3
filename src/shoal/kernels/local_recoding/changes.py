"""What a row of a cluster would cost after a change: one row more, one less, or one for another."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.compiling import lean
from shoal.kernels.costs import SET
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, cell_cost

LARGEST_CODE: Any = np.int32(np.iinfo(np.int32).max)


@lean
def cost_with(measure: Measure, groups: Groups, codes: Ints, row: int, c: int, limit: int) -> Any:
    """Return what a row of a cluster costs after one more row has joined, but at most the limit."""
    total = groups.total[c]
    for a in range(codes.shape[1]):
        if total >= limit:
            return limit
        code = codes[row, a]
        if groups.first[c, a] <= code <= groups.last[c, a]:
            continue
        weight = groups.weight[c, a]
        if measure.space.kind[a] == SET and not _holds(groups, c, a, code):
            weight += measure.weight[measure.space.codes_at[a] + code]
        cost = cell_cost(measure, a, min(code, groups.low[c, a]), max(code, groups.high[c, a]), weight)
        total += cost - groups.cost[c, a]
    return min(total, limit)


@lean
def cost_exchanged(measure: Measure, groups: Groups, codes: Ints, sole: Flags, gone: int, come: int) -> Any:
    """Return what a row of a row's cluster costs after the row has left and one of another cluster has joined."""
    c = groups.home[gone]
    total = groups.total[c]
    for a in range(codes.shape[1]):
        code = codes[come, a]
        if codes[gone, a] == code:
            continue
        changes, low, high, weight = _without(measure, groups, codes, sole, gone, a)
        if measure.space.kind[a] == SET and not _holds(groups, c, a, code):
            weight += measure.weight[measure.space.codes_at[a] + code]
            changes = True
        if changes or code < low or code > high:
            total += cell_cost(measure, a, min(low, code), max(high, code), weight) - groups.cost[c, a]
    return total


@lean
def cost_left(measure: Measure, groups: Groups, codes: Ints, sole: Flags, row: int) -> Any:
    """Return what a row of a row's cluster costs after the row has left."""
    c = groups.home[row]
    total = groups.total[c]
    for a in range(codes.shape[1]):
        changes, low, high, weight = _without(measure, groups, codes, sole, row, a)
        if changes:
            total += cell_cost(measure, a, low, high, weight) - groups.cost[c, a]
    return total


@lean
def find_sole(measure: Measure, groups: Groups, codes: Ints, sole: Flags, count: Longs, c: int) -> None:
    """Find the values that only one row of a cluster has; the count of every code is 0 before and after.

    Sets of many values would otherwise be searched through for every row that may leave.
    """
    for a in range(codes.shape[1]):
        at = measure.space.codes_at[a]
        row = groups.head[c]
        while row >= 0:
            count[at + codes[row, a]] += 1
            row = groups.after[row]
        row = groups.head[c]
        while row >= 0:
            sole[row, a] = count[at + codes[row, a]] == 1
            row = groups.after[row]
        row = groups.head[c]
        while row >= 0:
            count[at + codes[row, a]] = 0
            row = groups.after[row]


@lean
def _without(measure: Measure, groups: Groups, codes: Ints, sole: Flags, row: int, attribute: int) -> Any:
    """Return whether an attribute of a row's cluster changes when the row leaves, then its codes and weight.

    What sets cost depends on their weight alone, so their codes stay as they are.
    """
    c, code = groups.home[row], codes[row, attribute]
    low, high, weight = groups.low[c, attribute], groups.high[c, attribute], groups.weight[c, attribute]
    if not sole[row, attribute]:
        return False, low, high, weight
    if measure.space.kind[attribute] == SET:
        return True, low, high, weight - measure.weight[measure.space.codes_at[attribute] + code]
    if low < code < high:
        return False, low, high, weight
    lowest, highest = LARGEST_CODE, np.int32(-1)
    other = groups.head[c]
    while other >= 0:
        if other != row:
            lowest, highest = min(lowest, codes[other, attribute]), max(highest, codes[other, attribute])
        other = groups.after[other]
    return True, lowest, highest, weight


@lean
def _holds(groups: Groups, c: int, attribute: int, code: int) -> Any:
    """Return whether the set of a cluster contains a value."""
    word = groups.held[c, groups.word_at[attribute] + code // 64]
    return (word >> np.uint64(code % 64)) & np.uint64(1) > 0
