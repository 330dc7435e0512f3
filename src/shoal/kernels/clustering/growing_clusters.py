"""Clusters of rows while they grow: what each would show, what that costs, and what it would cost with another row."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs, Words
from shoal.kernels.compiling import compiled
from shoal.kernels.costs import SET, Space, shown_cost


class Clusters(NamedTuple):
    """The lowest and highest code of each cluster and attribute, and of sets the values held, a bit for each."""

    size: Longs
    low: Ints  # clusters × attributes
    high: Ints
    values: Ints  # of sets only: how many different ones
    held: Words  # clusters × words
    word_at: Longs  # the first word of each attribute


@compiled
def no_clusters(space: Space, clusters: int) -> Any:
    """Return this many empty clusters."""
    attributes = space.kind.size
    word_at = np.zeros(attributes + 1, np.int64)
    for a in range(attributes):
        words = (space.size[a] + 63) // 64 if space.kind[a] == SET else 0
        word_at[a + 1] = word_at[a] + words
    return Clusters(
        np.zeros(clusters, np.int64),
        np.full((clusters, attributes), np.iinfo(np.int32).max, np.int32),
        np.full((clusters, attributes), -1, np.int32),
        np.zeros((clusters, attributes), np.int32),
        np.zeros((clusters, word_at[attributes]), np.uint64),
        word_at,
    )


@compiled
def clear(clusters: Clusters, c: int) -> None:
    """Take all rows out of a cluster."""
    clusters.size[c] = 0
    clusters.low[c] = np.iinfo(np.int32).max
    clusters.high[c] = -1
    clusters.values[c] = 0
    clusters.held[c] = np.uint64(0)


@compiled
def add(space: Space, clusters: Clusters, c: int, codes: Ints) -> None:
    """Put a row into a cluster."""
    clusters.size[c] += 1
    for a in range(codes.size):
        clusters.low[c, a] = min(clusters.low[c, a], codes[a])
        clusters.high[c, a] = max(clusters.high[c, a], codes[a])
        if space.kind[a] == SET and not holds(clusters, c, a, codes[a]):
            clusters.held[c, clusters.word_at[a] + codes[a] // 64] |= np.uint64(1) << np.uint64(codes[a] % 64)
            clusters.values[c, a] += 1


@compiled
def holds(clusters: Clusters, c: int, attribute: int, code: int) -> bool:
    """Return whether a set contains a value."""
    word = clusters.held[c, clusters.word_at[attribute] + code // 64]
    return bool((word >> np.uint64(code % 64)) & np.uint64(1))


@compiled
def cost_of(space: Space, clusters: Clusters, c: int) -> int:
    """Return what a row of a cluster costs; 0 if it is empty."""
    total = 0
    if clusters.size[c] > 0:
        for a in range(space.kind.size):
            total += shown_cost(space, a, clusters.low[c, a], clusters.high[c, a], clusters.values[c, a])
    return total


@compiled
def cell_with(space: Space, clusters: Clusters, c: int, attribute: int, code: int) -> Any:
    """Return what an attribute of a cluster would cost per row with one more value."""
    low = min(clusters.low[c, attribute], code)
    high = max(clusters.high[c, attribute], code)
    count = clusters.values[c, attribute]
    if space.kind[attribute] == SET and not holds(clusters, c, attribute, code):
        count += 1
    return shown_cost(space, attribute, low, high, count)


@compiled
def cost_with(space: Space, clusters: Clusters, c: int, codes: Ints) -> int:
    """Return what a row of a cluster would cost with one more row in it."""
    total = 0
    for a in range(codes.size):
        total += cell_with(space, clusters, c, a, codes[a])
    return total


@compiled
def clusters_of(space: Space, codes: Ints, ids: Ints, clusters: int) -> Any:
    """Return the clusters of a grouping of rows."""
    made = no_clusters(space, clusters)
    for i in range(ids.size):
        add(space, made, ids[i], codes[i])
    return made


@compiled
def unite(space: Space, clusters: Clusters, into: int, gone: int) -> None:
    """Put all rows of a cluster into another."""
    clusters.size[into] += clusters.size[gone]
    for a in range(space.kind.size):
        clusters.low[into, a] = min(clusters.low[into, a], clusters.low[gone, a])
        clusters.high[into, a] = max(clusters.high[into, a], clusters.high[gone, a])
        if space.kind[a] == SET:
            clusters.values[into, a] = 0
            for word in range(clusters.word_at[a], clusters.word_at[a + 1]):
                clusters.held[into, word] |= clusters.held[gone, word]
                bits = clusters.held[into, word]
                while bits:
                    bits &= bits - np.uint64(1)
                    clusters.values[into, a] += 1
    clear(clusters, gone)


@compiled
def united_cost(space: Space, clusters: Clusters, c: int, d: int) -> int:
    """Return what a row of the union of two clusters would cost."""
    total = 0
    for a in range(space.kind.size):
        count = 0
        if space.kind[a] == SET:
            for word in range(clusters.word_at[a], clusters.word_at[a + 1]):
                bits = clusters.held[c, word] | clusters.held[d, word]
                while bits:
                    bits &= bits - np.uint64(1)
                    count += 1
        low = min(clusters.low[c, a], clusters.low[d, a])
        high = max(clusters.high[c, a], clusters.high[d, a])
        total += shown_cost(space, a, low, high, count)
    return total


@compiled
def nearest(space: Space, clusters: Clusters, c: int) -> int:
    """Return the cluster whose union with this one adds the least cost, the first of equals; −1 if it is alone."""
    own = clusters.size[c] * cost_of(space, clusters, c)
    best, least = -1, np.int64(0)
    for d in range(clusters.size.size):
        if d != c and clusters.size[d] > 0:
            both = (clusters.size[c] + clusters.size[d]) * united_cost(space, clusters, c, d)
            more = both - own - clusters.size[d] * cost_of(space, clusters, d)
            if best < 0 or more < least:
                best, least = d, more
    return best
