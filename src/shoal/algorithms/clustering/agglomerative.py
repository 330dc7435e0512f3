"""Agglomerative clustering: A. Gionis, A. Mazza, T. Tassa, k-Anonymization revisited (2008).

doi:10.1109/ICDE.2008.4497483. Every record starts as a cluster; the two closest clusters are united until one is left.
A cluster of at least k records is ripe and leaves the search; in the modified algorithm it first gives up the records
without which it costs least, down to k, which are clusters again. Each record of the cluster that is left in the end
joins the ripe cluster that is closest to it. Ties, which the paper leaves open, go to the clusters with the lowest
first rows: costs are compared as whole multiples of a common fraction, unless 62 bits are too few; then each cell is
rounded to 30 bits. Departure: of the paper's distances there are the two that are whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.algorithms.algorithm import Progress, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.joining import GroupingAlgorithm
from shoal.algorithms.row_moves import PAIRS_PER_CALL, by_loss
from shoal.data.parameters import take_plain_numbers
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.arrays import Ints
from shoal.kernels.clustering.agglomerative import Growing, find_closest, join_ripe, unite_closest
from shoal.kernels.local_recoding.row_clusters import Groups, groups_of


@dataclass(frozen=True)
class AgglomerativeClustering(GroupingAlgorithm):
    """Unite the two closest clusters until all have k rows.

    distance  what the union of two clusters costs more than both: all "rows" together, or a "row" of it.
    shrink    whether a ripe cluster gives up all rows above k.
    """

    distance: Literal["rows", "row"] = "rows"
    shrink: bool = False

    name = "agglomerative"
    title = "agglomerative clustering"
    summary = "unites the two closest clusters"

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        if self.distance not in ("rows", "row"):
            raise InputError(f"AgglomerativeClustering's distance is one of rows, row, not {self.distance!r}.")
        if not isinstance(self.shrink, bool):
            raise InputError(f"AgglomerativeClustering's shrink is True or False, not {self.shrink!r}.")

    def clusters(self, table: Table, k: int, *, progress: Progress = nobody) -> Ints:
        """Return the number of each row's cluster; a single one if there are fewer than 2k rows."""
        codes = np.ascontiguousarray(table.codes)
        rows = len(codes)
        if rows < 2 * k:
            return np.zeros(rows, np.int32)
        if k < 2:
            return np.arange(rows, dtype=np.int32)
        measure = by_loss(space_of(table.domains, exact=codes.size))
        places = np.zeros(rows + rows // k, np.int64)
        groups: Groups = groups_of(measure, codes, np.ones(rows, np.int64), np.arange(rows, dtype=np.int32), places)
        growing = Growing(
            self.distance == "row",
            np.arange(rows),
            np.array([rows, 0]),
            np.full(rows, -1, np.int64),
            np.zeros(rows, np.int64),
            np.zeros(measure.space.cost.size, np.int64),
        )
        step = max(1, PAIRS_PER_CALL // rows)
        for begin in range(0, rows, step):
            find_closest(measure, groups, growing, begin, min(begin + step, rows))
            progress((1 - (1 - begin / rows) ** 2) / 3)
        while unite_closest(measure, groups, growing, codes, k, self.shrink, step) == step:
            progress(1 - 2 / 3 * (growing.many[0] / rows) ** 2)
        join_ripe(measure, groups, growing, codes, np.flatnonzero(groups.home < rows))
        progress(1.0)
        return np.unique(groups.home, return_inverse=True)[1].astype(np.int32)
