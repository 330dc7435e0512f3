"""A few rows on their own: their values by rank, and a table of what any two of them cost in one cell."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs, Places
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.costs import SET, TREE

COUNTED = 3  # the kind of a column that conditions count the values of, and that costs nothing
KIND, CODES_AT, FULL, STEP, MISSING, FACTOR = range(6)  # of an attribute
LEAF, POSITION, WEIGHT, BEFORE = range(4)  # of a code
PARENT, HIGH, COST = range(3)  # of a node


class Costs(NamedTuple):
    """What cells cost, in few arrays, as each is paid for when a kernel compiles."""

    attribute: Longs  # a line for each attribute and each counted column
    code: Longs  # a line for each code, with its node among those of all trees
    node: Longs  # a line for each node of the trees, with its parent among all
    price: Longs  # by the number of covered rows; empty: by the loss


class Few(NamedTuple):
    """A few rows: where each value is among theirs, and what cells cost."""

    ranks: Places  # rows × columns: the rank of each value in its column, from where the column starts
    start: Longs  # of each column, and the end
    pair: Longs  # from the lowest to the highest rank, width × width; of a set: the weight of each value
    pair_at: Longs  # of each attribute: where its costs begin


@compiled
def few_rows(costs: Costs, cells: Ints, rows: Longs, count: int, rank_of: Ints) -> Any:
    """Return the first rows of a list; `rank_of` is scratch space: −1 for each code between calls."""
    columns = cells.shape[1]
    index = np.empty((count, columns), np.uint32)
    values = np.empty(count * columns, np.int32)
    start = np.zeros(columns + 1, np.int64)
    pair_at = np.zeros(columns + 1, np.int64)
    for a in range(columns):
        at, first, end = costs.attribute[a, CODES_AT], start[a], start[a]
        for i in range(count):
            code = cells[rows[i], a]
            if rank_of[at + code] < 0:
                rank_of[at + code] = 0
                place = end
                while place > first and values[place - 1] > code:
                    values[place] = values[place - 1]
                    place -= 1
                values[place] = code
                end += 1
        for place in range(first, end):
            rank_of[at + values[place]] = place
        for i in range(count):
            index[i, a] = rank_of[at + cells[rows[i], a]]
        for place in range(first, end):
            rank_of[at + values[place]] = -1
        width, kind = end - first, costs.attribute[a, KIND]
        start[a + 1] = end
        pair_at[a + 1] = pair_at[a] + (0 if kind == COUNTED else width if kind == SET else width * width)
    pair = np.zeros(pair_at[columns], np.int64)
    for a in range(columns):
        _fill(costs, a, values, start[a], start[a + 1], pair, pair_at[a])
    return Few(index, start, pair, pair_at)


@lean
def _fill(costs: Costs, a: int, values: Ints, first: int, end: int, pair: Longs, at: int) -> None:
    """Compute what a cell costs from any value to any higher one; of sets the weight of each value."""
    attribute, codes, nodes, price = costs.attribute[a], costs.code, costs.node, costs.price
    kind, base, by_loss = attribute[KIND], attribute[CODES_AT], price.size == 0
    if kind == COUNTED:
        return
    for low in range(first, end):
        code = base + values[low]
        if kind == SET:
            pair[at + low - first] = codes[code, WEIGHT]
            continue
        node = codes[code, LEAF]
        for high in range(low, end):
            last = base + values[high]
            if kind == TREE:
                while nodes[node, HIGH] < values[high]:
                    node = nodes[node, PARENT]
                now = nodes[node, COST]
            elif by_loss and low == high:
                now = np.int64(0)
            elif values[low] == attribute[MISSING] and high > low:
                now = attribute[FULL] if by_loss else price[price.size - 1] * attribute[FACTOR]
            elif by_loss:
                now = codes[last, POSITION] - codes[code, POSITION] + attribute[STEP]
            else:
                covered = codes[last, BEFORE] + codes[last, WEIGHT] - codes[code, BEFORE]
                now = price[covered] * attribute[FACTOR]
            pair[at + (low - first) * (end - first) + high - first] = now


@lean
def set_cost(costs: Costs, a: int, weight: int) -> Any:
    """Return what a set costs whose values have this weight in all."""
    if costs.price.size == 0:
        return costs.code[costs.attribute[a, CODES_AT] + weight - 1, POSITION]
    return costs.price[weight] * costs.attribute[a, FACTOR]
