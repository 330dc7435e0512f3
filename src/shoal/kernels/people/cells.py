"""What a slot shows in one cell: kept as two numbers, joined with a value, and its cost.

A value and a cell are numbers by the kind of the attribute. Range: the place of the value, the lowest and highest
place; a missing number has the place −full, so that it costs as much as the top beside others. Tree: the code, the
node above all codes. Set: one bit, all bits. A set of more than 63 values shares bits, so that its cost is a guess.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.costs import RANGE, SET, TREE, Space

BITS = 63


@compiled
def values_of(space: Space, codes: Ints) -> Longs:
    """Return the value of each code."""
    values = np.empty(codes.shape, np.int64)
    for a in range(codes.shape[1]):
        for row in range(codes.shape[0]):
            code = codes[row, a]
            if space.kind[a] == RANGE:
                missing = code == space.missing[a]
                values[row, a] = -space.full[a] if missing else space.position[space.codes_at[a] + code]
            elif space.kind[a] == SET:
                values[row, a] = np.int64(1) << (code % BITS)
            else:
                values[row, a] = code
    return values


@compiled
def ones(bits: int) -> Any:
    """Count the bits that are set."""
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101) >> 56


@compiled
def above(space: Space, attribute: int, node: int, code: int) -> Any:
    """Return the lowest node of a tree above a node and a code."""
    nodes = space.nodes_at[attribute]
    while code < space.low[nodes + node] or code > space.high[nodes + node]:
        node = space.parent[nodes + node]
    return node


@compiled
def begin(space: Space, attribute: int, value: int) -> Any:
    """Return the cell that shows one value."""
    if space.kind[attribute] == TREE:
        return np.int64(space.leaf_node[space.codes_at[attribute] + value]), np.int64(0)
    return np.int64(value), np.int64(value)


@compiled
def join(space: Space, attribute: int, low: int, high: int, value: int) -> Any:
    """Return the cell that also shows a value."""
    if space.kind[attribute] == RANGE:
        return min(low, value), max(high, value)
    if space.kind[attribute] == SET:
        return low | value, high
    return np.int64(above(space, attribute, low, value)), high


@compiled
def cost(space: Space, attribute: int, low: int, high: int) -> Any:
    """Return what a cell costs."""
    if space.kind[attribute] == RANGE:
        return min(space.full[attribute], high - low)
    if space.kind[attribute] == SET:
        return space.position[space.codes_at[attribute] + ones(low) - 1]
    return space.cost[space.nodes_at[attribute] + low]
