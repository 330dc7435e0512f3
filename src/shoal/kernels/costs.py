"""The cost of what a class shows, as integers, so that comparisons are the same on every machine."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import lean

RANGE, TREE, SET = 0, 1, 2


class Space(NamedTuple):
    """The domains of all attributes as flat arrays; attribute j starts at `codes_at[j]` and `nodes_at[j]`."""

    kind: Longs
    size: Longs
    missing: Longs
    codes_at: Longs
    nodes_at: Longs
    position: NDArray[
        np.int64
    ]  # per code of a range: its place from 0 to `full`; of a set: what so many more values cost
    leaf_node: Ints  # per code of a tree: its node
    parent: Ints  # per node
    low: Ints  # per node: its first leaf
    high: Ints  # per node: its last leaf
    cost: Longs  # per node
    full: Longs  # per attribute: the cost of the top value
    step: Longs  # per attribute: what a range costs beside the distance from its low to its high end


@lean
def cover(space: Space, attribute: int, low: int, high: int) -> Any:
    """Return the lowest node of a tree above the codes from `low` to `high`."""
    nodes = space.nodes_at[attribute]
    node = space.leaf_node[space.codes_at[attribute] + low]
    while space.high[nodes + node] < high:
        node = space.parent[nodes + node]
    return node


@lean
def shown_cost(space: Space, attribute: int, low: int, high: int, count: int) -> Any:
    """Return the cost of one cell of a class whose `count` different values run from `low` to `high`."""
    if low == high:
        return 0
    if space.kind[attribute] == TREE:
        return space.cost[space.nodes_at[attribute] + cover(space, attribute, low, high)]
    if space.kind[attribute] == SET:
        return space.position[space.codes_at[attribute] + count - 1]
    if low == space.missing[attribute]:
        return space.full[attribute]
    at = space.codes_at[attribute]
    return space.position[at + high] - space.position[at + low] + space.step[attribute]
