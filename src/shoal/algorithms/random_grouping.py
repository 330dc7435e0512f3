"""Random grouping: the COMP 430/530 assignment's random anonymizer.

Shuffle the rows; every k of them form a group, and the last group takes the remainder.
"""

from __future__ import annotations

import numpy as np

from shoal.algorithms.algorithm import Progress, nobody
from shoal.algorithms.joining import RandomizedGrouping
from shoal.data.table import Table
from shoal.kernels.arrays import Ints


class RandomGrouping(RandomizedGrouping):
    """Random groups of k rows, by the seed."""

    name = "random"
    title = "random groups"
    summary = "to compare with"

    def clusters(self, table: Table, k: int, *, progress: Progress = nobody) -> Ints:
        """Cut the shuffled rows into groups of k."""
        rows = len(table.weights)
        order = np.arange(rows)
        np.random.RandomState(self.seed).shuffle(order)
        ids = np.empty(rows, np.int32)
        ids[order] = np.minimum(np.arange(rows) // k, max(0, rows // k - 1))
        return ids
