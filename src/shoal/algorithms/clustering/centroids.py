"""Centroid clustering: Algorithm 3 of the COMP 430/530 assignment, its clustering-based anonymizer.

The first record is a centroid; its k − 1 nearest records form a cluster with it, and the record with the largest sum
of distances to all centroids is the next centroid. Remaining records join the cluster of their nearest centroid.
dist(r, s) = LM_dist + MD_dist / (2 Σ heights): the loss metric (weights 1/M) and the distortion metric of a class of
the two records, the latter divided by its maximum. Ties go to the lowest index at every step, so distances are
compared as whole numbers with a common denominator, however large; only numbers with more than six decimal places are
first rounded to 30 bits of their range. Attributes without a tree have one step, from a value to a range or set.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms.algorithm import Progress, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.joining import GroupingAlgorithm
from shoal.data.domain import AnyDomain, SetDomain, TreeDomain
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.clustering.centroids import WORD, Distances, Unused, add_clusters, join_nearest

CHUNK = 10**8  # cells that are compared between two reports of progress


class CentroidClustering(GroupingAlgorithm):
    """Clusters of k rows around centroids that are far from one another; takes no parameters."""

    name = "clustering"
    title = "clustering by centroids"
    summary = "as taught in courses"

    def clusters(self, table: Table, k: int, *, progress: Progress = nobody) -> Ints:
        """Return the number of each row's cluster; a single one if there are fewer than k rows."""
        codes = np.ascontiguousarray(table.codes)
        rows, attributes = codes.shape
        centroids = np.zeros(rows // k, np.int32)
        if not centroids.size:
            return np.zeros(rows, np.int32)
        distances = distances_of(table.domains, centroids.size)
        unused = Unused(np.arange(rows, dtype=np.int32), np.zeros((distances.code.shape[0], rows), np.int64))
        ids = np.full(rows, -1, np.int32)
        made, left = 0, rows
        while left >= k:
            some = centroids[made : made + max(1, CHUNK // (left * attributes + distances.code.size))]
            left = add_clusters(distances, codes, unused, left, k, ids, some, made)
            made += some.size
            progress(1 - (left / rows) ** 2)
        join_nearest(distances, codes, unused.records[:left], centroids, ids)
        progress(1.0)
        return ids


def distances_of(domains: Sequence[AnyDomain], centroids: int) -> Distances:
    """Return the parts of distances as multiples of a common fraction, in as many words as their sums need."""
    costs = [space_of([domain], exact=1) for domain in domains]  # as multiples of an attribute's own fraction
    depths = [domain.depth(np.arange(len(domain), dtype=np.int32)) for domain in domains]
    most = 2 * max(1, sum(int(depth.max()) for depth in depths))
    tops = [int(cost.full[0]) for cost in costs]
    full = lcm(most, *(len(domains) * top_cost for top_cost in tops))
    step = full // most
    code, node, apart, top = [], [np.zeros(0, object)], [], []
    for domain, depth, cost, top_cost in zip(domains, depths, costs, tops, strict=True):
        share = full // (len(domains) * top_cost)
        if isinstance(domain, TreeDomain):
            code.append(depth.astype(object) * step)
            node.append(cost.cost.astype(object) * share - domain.hierarchy.depths.astype(object) * (2 * step))
        elif isinstance(domain, SetDomain):
            code.append(np.zeros(len(domain), object))
        else:
            code.append(cost.position.astype(object) * share)
        apart.append(2 * step + (share if isinstance(domain, SetDomain) else 0))
        top.append(2 * step + top_cost * share)
    bits = (2 * full * centroids).bit_length()
    words = 1 if bits <= 62 else -(-bits // WORD)
    parts = (np.concatenate(code), np.concatenate(node), np.array(apart, object), np.array(top, object))
    return Distances(space_of(domains), *(_in_words(part, words) for part in parts))


def _in_words(numbers: NDArray[Any], words: int) -> Longs:
    """Return whole numbers of any size as columns of words, the highest first."""
    shifted = [numbers >> (WORD * place) for place in reversed(range(words))]
    return np.array([shifted[0], *(number & ((1 << WORD) - 1) for number in shifted[1:])], np.int64)
