"""Random grouping: the COMP 430/530 assignment's random anonymizer.

Shuffle the rows; every k of them form a group, and the last group takes the remainder.
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
    """Random groups of k rows, by the seed."""

    seed: int = 0

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "random groups"
    summary: ClassVar[str] = "to compare with"

    def __post_init__(self) -> None:
        check_seed("RandomGrouping", self.seed)

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Recoding:
        """Cut the shuffled rows into groups; join groups that fail the model."""
        check_groupable("RandomGrouping", model)
        rows, k = len(table.weights), model.smallest
        order = np.arange(rows)
        np.random.RandomState(self.seed).shuffle(order)
        ids = np.empty(rows, np.int32)
        ids[order] = np.minimum(np.arange(rows) // k, max(0, rows // k - 1))
        return recoding_of(table, ids, model)
