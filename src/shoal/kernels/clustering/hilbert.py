"""Records along a Hilbert curve, and the cheapest way to cut a line of records into groups."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Ints, Longs, Words
from shoal.kernels.compiling import compiled
from shoal.kernels.costs import Space, shown_cost


@compiled
def hilbert_keys(places: Longs, bits: int, keys: Words) -> None:
    """Compute the place of each point on a Hilbert curve, as words of 64 bits, the highest first.

    Coordinates have so many bits. J. Skilling, Programming the Hilbert curve (2004), doi:10.1063/1.1751381.
    """
    points, dimensions = places.shape
    x = np.empty(dimensions, np.int64)
    for point in range(points):
        x[:] = places[point]
        for level in range(bits - 1, 0, -1):
            lower = (1 << level) - 1
            for d in range(dimensions):
                if (x[d] >> level) & 1:
                    x[0] ^= lower
                else:
                    change = (x[0] ^ x[d]) & lower
                    x[0] ^= change
                    x[d] ^= change
        for d in range(1, dimensions):
            x[d] ^= x[d - 1]
        flip = np.int64(0)
        for level in range(bits - 1, 0, -1):
            if (x[dimensions - 1] >> level) & 1:
                flip ^= (1 << level) - 1
        at = 64 * keys.shape[1] - bits * dimensions
        for level in range(bits - 1, -1, -1):
            for d in range(dimensions):
                bit = ((x[d] ^ flip) >> level) & 1
                keys[point, at // 64] |= np.uint64(bit) << np.uint64(63 - at % 64)
                at += 1


@compiled
def cheapest_groups(space: Space, codes: Ints, smallest: int, best: Longs, begin: Longs, first: int, last: int) -> None:
    """For each e from `first` to `last`, find the cheapest groups of neighbours among the first e records.

    Groups have less than twice the smallest size. `best[e]` is their cost, −1 if there are none, and `begin[e]` the
    first record of the last group, which is the shortest of equals.
    """
    attributes = codes.shape[1]
    seen = np.full(space.position.size, -1, np.int64)
    low, high = np.empty(attributes, np.int64), np.empty(attributes, np.int64)
    count, cell = np.empty(attributes, np.int64), np.empty(attributes, np.int64)
    for e in range(first, last + 1):
        low[:], high[:], count[:], cell[:] = np.iinfo(np.int32).max, -1, 0, 0
        total = np.int64(0)
        for size in range(1, min(2 * smallest - 1, e) + 1):
            for a in range(attributes):
                code = codes[e - size, a]
                if seen[space.codes_at[a] + code] == e:
                    continue
                seen[space.codes_at[a] + code] = e
                count[a] += 1
                low[a], high[a] = min(low[a], code), max(high[a], code)
                now = shown_cost(space, a, low[a], high[a], count[a])
                total += now - cell[a]
                cell[a] = now
            if size >= smallest and best[e - size] >= 0:
                cost = best[e - size] + size * total
                if best[e] < 0 or cost < best[e]:
                    best[e], begin[e] = cost, e - size
