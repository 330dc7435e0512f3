"""What a row of a cluster would cost after a change: one more row, or one row for another."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Ints
from shoal.kernels.compiling import lean
from shoal.kernels.costs import SET
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, _without, cell_cost


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
def cost_exchanged(measure: Measure, groups: Groups, codes: Ints, gone: int, come: int) -> Any:
    """Return what a row of a row's cluster costs after the row has left and one of another cluster has joined."""
    c = groups.home[gone]
    total = groups.total[c]
    for a in range(codes.shape[1]):
        code = codes[come, a]
        if codes[gone, a] == code:
            continue
        changes, low, high, weight = _without(measure, groups, codes, gone, a)
        if measure.space.kind[a] == SET and not _holds(groups, c, a, code):
            weight += measure.weight[measure.space.codes_at[a] + code]
            changes = True
        if changes or code < low or code > high:
            total += cell_cost(measure, a, min(low, code), max(high, code), weight) - groups.cost[c, a]
    return total


@lean
def _holds(groups: Groups, c: int, attribute: int, code: int) -> Any:
    """Return whether the set of a cluster contains a value."""
    word = groups.held[c, groups.word_at[attribute] + code // 64]
    return (word >> np.uint64(code % 64)) & np.uint64(1) > 0
