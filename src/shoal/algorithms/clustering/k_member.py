"""k-member: J.-W. Byun, A. Kamra, E. Bertino, N. Li, Efficient k-anonymization using clustering techniques (2007).

doi:10.1007/978-3-540-71703-4_18. The record furthest from the last one starts a cluster, to which the record that
increases its information loss least is added until it has k; each remaining record joins the cluster whose information
loss it increases least. Ties, which the paper leaves open, go to the lowest index: losses are compared as whole
multiples of a common fraction, unless 62 bits are too few for it; then each cell is rounded to 30 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.algorithms.algorithm import Progress, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.joining import RandomizedGrouping
from shoal.algorithms.row_moves import by_loss
from shoal.data.parameters import take_plain_numbers
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.arrays import Ints
from shoal.kernels.clustering.k_member import add_clusters
from shoal.kernels.clustering.sequential import FREE, join_closest
from shoal.kernels.local_recoding.row_clusters import Groups, groups_of

CHUNK = 10**8  # cells that are compared between two reports of progress


@dataclass(frozen=True)
class KMember(RandomizedGrouping):
    """Clusters of k rows, grown one by one; the seed picks the first record and the order of the remaining ones.

    start  a cluster starts with the record "furthest" from the last one, as in the paper, or with a "random" one.
    """

    start: Literal["furthest", "random"] = "furthest"

    name = "k-member"
    title = "k-member clustering"
    summary = "greedy, one class after the other"

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        super().__post_init__()
        if self.start not in ("furthest", "random"):
            raise InputError(f"KMember's start is one of furthest, random, not {self.start!r}.")

    def clusters(self, table: Table, k: int, *, progress: Progress = nobody) -> Ints:
        """Return the number of each row's cluster; a single one if there are at most k rows."""
        codes = np.ascontiguousarray(table.codes)
        rows, attributes = codes.shape
        if rows <= k:
            return np.zeros(rows, np.int32)
        space = space_of(table.domains, "information_loss", exact=2 * k * attributes)  # k, and k − 1 left over
        random = np.random.RandomState(self.seed)
        last = int(random.randint(rows))
        drawn = np.zeros(0, np.int64)
        if self.start == "random":
            drawn = random.randint(rows - k * np.arange(rows // k), dtype=np.int64)
        unused, ids = np.arange(rows, dtype=np.int32), np.full(rows, -1, np.int32)
        made, left = 0, rows
        while left >= k:
            many = min(left // k, max(1, CHUNK // ((k + 1) * (left * attributes + space.position.size))))
            left, last = add_clusters(space, codes, unused, left, k, ids, made, many, last, drawn)
            made += many
            progress(1 - (left / rows) ** 2)
        rest, measure = unused[:left], by_loss(space)
        random.shuffle(rest)
        groups: Groups = groups_of(measure, codes, np.ones(rows, np.int64), ids, np.zeros(made, np.int64))
        join_closest(measure, FREE, groups, codes, rest.astype(np.int64))
        progress(1.0)
        return groups.home.astype(np.int32)
