"""Random grouping: the COMP 430/530 assignment's random anonymizer.

Shuffle the rows; every k of them are a group, and the last group takes what is left over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.algorithms.algorithm import Algorithm, Progress, check_seed
from shoal.algorithms.joining import check_groupable, recoding_of
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.models import PrivacyModel


@dataclass(frozen=True)
class RandomGrouping(Algorithm):
    """Groups of k rows at random, by the seed."""

    seed: int = 0

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "random groups"
    summary: ClassVar[str] = "to compare with"

    def __post_init__(self) -> None:
        check_seed("RandomGrouping", self.seed)

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Recoding:
        """Cut the shuffled rows into blocks; groups that fail the model otherwise are joined."""
        check_groupable("RandomGrouping", model)
        rows, k = len(table.weights), model.smallest
        order = np.arange(rows)
        np.random.RandomState(self.seed).shuffle(order)
        ids = np.empty(rows, np.int32)
        ids[order] = np.minimum(np.arange(rows) // k, max(0, rows // k - 1))
        return recoding_of(table, ids, model)
