"""Walks in a tree whose leaves are numbered depth-first, and in a tree of cuts."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Ints
from shoal.kernels.compiling import compiled


@compiled
def smallest_cover(parents: Ints, highs: Ints, leaf_nodes: Ints, low: Ints, high: Ints) -> Ints:
    """Return for each interval of leaves the lowest node above leaf `low` whose leaves reach `high`."""
    nodes = np.empty(low.size, np.int32)
    for i in range(low.size):
        node = leaf_nodes[low[i]]
        while highs[node] < high[i]:
            node = parents[node]
        nodes[i] = node
    return nodes


@compiled
def climb(parents: Ints, nodes: Ints, steps: int) -> Ints:
    """Return the ancestor of each node `steps` edges up; above the root it is the root."""
    out = nodes.copy()
    for i in range(out.size):
        for _ in range(steps):
            if parents[out[i]] < 0:
                break
            out[i] = parents[out[i]]
    return out


@compiled
def leaves_of(codes: Ints, columns: Ints, edges: Ints, lefts: Ints, rights: Ints) -> Ints:
    """Return the leaf of each row: a node with a column sends codes up to its edge to the left."""
    found = np.empty(len(codes), np.int32)
    for i in range(len(codes)):
        node = 0
        while columns[node] >= 0:
            node = lefts[node] if codes[i, columns[node]] <= edges[node] else rights[node]
        found[i] = node
    return found
