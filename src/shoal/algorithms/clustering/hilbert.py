"""Hilbert: G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis, Fast data anonymization with low information loss (2007).

VLDB, 758–769, without a DOI; its longer version: doi:10.1145/1538909.1538911. A Hilbert curve takes the records from
many dimensions to one, where similar ones tend to be neighbours. An optimal grouping in one dimension consists of runs
of k to 2k − 1 records; dynamic programming finds the cheapest, with the costs that groups have in all dimensions.
Values are placed in their order, that of the leaves for a tree, spread evenly over the grid of the largest domain.
Departures: costs are LM; groups that fail a model other than k-anonymity join others, in place of the paper's buckets
of sensitive values. Ties, which the paper leaves open, go to the shortest last group, equal records keep their order.
"""

from __future__ import annotations

import numpy as np

from shoal.algorithms.algorithm import Progress, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.joining import GroupingAlgorithm
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.clustering.hilbert import cheapest_groups, hilbert_keys

CHUNK = 10**8  # cells that are looked at between two reports of progress


class HilbertClustering(GroupingAlgorithm):
    """The cheapest groups of neighbours on a Hilbert curve; takes no parameters."""

    name = "hilbert"
    title = "clustering along a Hilbert curve"
    summary = "neighbours on a curve through all columns"

    def clusters(self, table: Table, k: int, *, progress: Progress = nobody) -> Ints:
        """Return the number of each row's group; a single one if there are fewer than 2k rows."""
        codes = np.ascontiguousarray(table.codes)
        rows, attributes = codes.shape
        if rows < 2 * k:
            return np.zeros(rows, np.int32)
        order = along_the_curve(codes, [len(domain) for domain in table.domains])
        line = codes[order]
        space = space_of(table.domains, exact=codes.size)
        best, begin = np.full(rows + 1, -1, np.int64), np.zeros(rows + 1, np.int64)
        best[0] = 0
        step = max(1, CHUNK // (2 * k * attributes))
        for first in range(1, rows + 1, step):
            last = min(first + step - 1, rows)
            cheapest_groups(space, line, k, best, begin, first, last)
            progress(last / rows)
        starts, end = np.zeros(rows, np.int32), rows
        while end > 0:
            end = int(begin[end])
            starts[end] = 1
        ids = np.empty(rows, np.int32)
        ids[order] = np.cumsum(starts) - 1
        return ids


def along_the_curve(codes: Ints, sizes: list[int]) -> Longs:
    """Return the rows in their order on the curve."""
    bits = max(1, (max(sizes, default=1) - 1).bit_length())
    most = np.array([max(1, size - 1) for size in sizes], np.int64)
    places = codes.astype(np.int64) * ((1 << bits) - 1) // most
    keys = np.zeros((len(codes), -(-bits * len(sizes) // 64)), np.uint64)
    hilbert_keys(places, bits, keys)
    return np.lexsort(keys.T[::-1]).astype(np.int64)
