"""One-pass k-means (OKA): J.-L. Lin, M.-C. Wei, An efficient clustering method for k-anonymization (2008).

doi:10.1145/1379287.1379297. Sort the records; ⌊n/k⌋ random ones start a cluster each; in one pass every other record
joins its nearest cluster, whose centroid moves immediately. Then clusters above k give their farthest records to those
below. Departure: the paper defines the distance to a cluster as that to its centroid times its size; here it is the
distance to the centroid alone, with which equal records join the same cluster in the pass, and which loses a quarter to
a half less on Adult. Distances are compared as fractions of whole numbers: means as sums and counts, of multiples of a
common fraction; only if their sums exceed 62 bits are cells rounded to 30.
"""

from __future__ import annotations

import numpy as np

from shoal.algorithms.algorithm import Progress, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.joining import RandomizedGrouping
from shoal.data.table import Table
from shoal.kernels.arrays import Ints
from shoal.kernels.clustering.assignment import BY_CENTROID, assign, farthest


class OnePassKMeans(RandomizedGrouping):
    """One pass of k-means over the sorted records, then an adjustment of the sizes.

    Records are sorted by their first quasi-identifier, then by the second, and so on: numbers and orders upwards,
    trees from left to right, equal records in row order. The first ⌊n/k⌋ rows of a shuffle by the seed start the
    clusters. A centroid has the mean of numbers and of places in an order, the lowest node above the values of a tree,
    and the top if values without order or tree, or missing and known numbers, meet; the distance to it is the D of
    information loss. Of equally near clusters the first is taken. A cluster above k keeps the k records nearest to its
    centroid, the first rows of equals. The others follow in an order that is drawn next from the same generator; each
    joins the nearest cluster, among those below k while there are any.
    """

    name = "oka"
    title = "one-pass k-means"
    summary = "fast clustering with a repair step"

    def clusters(self, table: Table, k: int, *, progress: Progress = nobody) -> Ints:
        """Return the number of each row's cluster; all have at least k rows if the table does."""
        rows = len(table.weights)
        if rows < 2 * k:
            return np.zeros(rows, np.int32)
        space = space_of(table.domains, "information_loss", exact=table.codes.size)
        codes = np.ascontiguousarray(table.codes)
        random = np.random.RandomState(self.seed)

        in_order = np.lexsort(codes.T[::-1])
        drawn = np.arange(rows)
        random.shuffle(drawn)
        ids = np.full(rows, -1, np.int32)
        ids[drawn[: rows // k]] = np.arange(rows // k)
        assign(space, codes, ids, in_order[ids[in_order] < 0], BY_CENTROID, progress=progress, share=(0.0, 0.5))

        given_up = farthest(space, codes, ids, k)
        random.shuffle(given_up)
        ids[given_up] = -1
        assign(space, codes, ids, given_up, BY_CENTROID, enough=k, progress=progress, share=(0.5, 1.0))
        return ids
