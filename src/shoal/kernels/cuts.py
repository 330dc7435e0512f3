"""The leaves of a tree of cuts that rows fall into."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Ints
from shoal.kernels.compiling import compiled


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
