"""People whose rows differ."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.compiling import compiled


@compiled
def several_values(codes: Ints, units: Ints, people: int) -> Longs:
    """Return for each attribute how many people have several codes of it: other ones than in their first row."""
    first = np.full(people, -1, np.int64)
    differs: Flags = np.zeros((people, codes.shape[1]), np.bool_)
    found = np.zeros(codes.shape[1], np.int64)
    for row in range(units.size):
        person = units[row]
        if first[person] < 0:
            first[person] = row
            continue
        for j in range(codes.shape[1]):
            if codes[row, j] != codes[first[person], j] and not differs[person, j]:
                differs[person, j] = True
                found[j] += 1
    return found
