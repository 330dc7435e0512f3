"""The leaves of a tree of cuts that rows fall into."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compiling import compiled


@compiled
def leaves_of(
    codes: NDArray[np.int32],
    columns: NDArray[np.int32],
    edges: NDArray[np.int32],
    lefts: NDArray[np.int32],
    rights: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Return the leaf of each row: a node with a column sends codes up to its edge to the left."""
    found = np.empty(len(codes), np.int32)
    for i in range(len(codes)):
        node = 0
        while columns[node] >= 0:
            node = lefts[node] if codes[i, columns[node]] <= edges[node] else rights[node]
        found[i] = node
    return found
