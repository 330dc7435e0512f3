"""A few rows on their own: their values by rank, and a table of what any two of them cost in one cell."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.costs import SET, TREE
from shoal.kernels.local_recoding.row_clusters import Measure

WORD = 64  # different values of a set that a few rows may have, at most


class Few(NamedTuple):
    """A few rows: the rank of each value among theirs, and the costs by rank."""

    ranks: Ints  # rows × attributes
    width: Longs  # of each attribute: how many different values there are
    cost: Longs  # from the lowest to the highest rank, width × width; of a set: the weight of each value
    cost_at: Longs  # of each attribute: where its costs begin
    is_set: Flags
    price: Longs  # of sets by their weight
    price_at: Longs  # of each attribute: where its prices begin
    factor: Longs  # of each attribute: what its prices are multiplied by


@compiled
def few_rows(measure: Measure, codes: Ints, rows: Longs, rank_of: Ints) -> Any:
    """Return a few rows of a table; `rank_of` is scratch space: −1 for each code between calls."""
    space = measure.space
    kind, codes_at = space.kind, space.codes_at
    attributes = codes.shape[1]
    ranks = np.empty((rows.size, attributes), np.int32)
    values = np.empty(rows.size * attributes, np.int32)
    width, cost_at, first = np.zeros(attributes, np.int64), np.zeros(attributes + 1, np.int64), 0
    is_set = np.zeros(attributes, np.bool_)
    for a in range(attributes):
        at, count = codes_at[a], 0
        for place in range(rows.size):
            code = codes[rows[place], a]
            if rank_of[at + code] < 0:
                rank_of[at + code] = 0
                values[first + count] = code
                count += 1
        own = values[first : first + count]
        own.sort()
        for rank in range(count):
            rank_of[at + own[rank]] = rank
        for place in range(rows.size):
            ranks[place, a] = rank_of[at + codes[rows[place], a]]
        for rank in range(count):
            rank_of[at + own[rank]] = -1
        width[a], is_set[a] = count, kind[a] == SET
        cost_at[a + 1] = cost_at[a] + (count if is_set[a] else count * count)
        first += count
    cost = np.zeros(cost_at[attributes], np.int64)
    _fill(measure, values, width, cost, cost_at)
    by_loss = measure.price.size == 0
    price = space.position if by_loss else measure.price
    price_at = codes_at - 1 if by_loss else np.zeros(attributes, np.int64)
    factor = np.ones(attributes, np.int64) if by_loss else measure.factor
    return Few(ranks, width, cost, cost_at, is_set, price, price_at, factor)


@compiled
def _fill(measure: Measure, values: Ints, width: Longs, cost: Longs, cost_at: Longs) -> None:
    """Compute what a cell costs from any value to any higher one; of sets the weight of each value."""
    space, price, weights, before, factor = measure
    leaf_node, parent, node_high, node_cost = space.leaf_node, space.parent, space.high, space.cost
    position, full, step, missing = space.position, space.full, space.step, space.missing
    first, by_loss = 0, price.size == 0
    for a in range(width.size):
        count, at, nodes = width[a], space.codes_at[a], space.nodes_at[a]
        for low in range(count):
            code = values[first + low]
            if space.kind[a] == SET:
                cost[cost_at[a] + low] = weights[at + code]
                continue
            node = nodes + leaf_node[at + code]
            for high in range(low, count):
                last = values[first + high]
                if space.kind[a] == TREE:
                    while node_high[node] < last:
                        node = nodes + parent[node]
                    now = node_cost[node]
                elif by_loss and low == high:
                    now = np.int64(0)
                elif code == missing[a] and high > low:
                    now = full[a] if by_loss else price[price.size - 1] * factor[a]
                elif by_loss:
                    now = position[at + last] - position[at + code] + step[a]
                else:
                    now = price[before[at + last] + weights[at + last] - before[at + code]] * factor[a]
                cost[cost_at[a] + low * count + high] = now
        first += count
