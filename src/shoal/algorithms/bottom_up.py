"""Bottom-up: the COMP 430/530 assignment's full-domain anonymizer.

Explore the lattice level by level; in the first level that has a solution, take the one of the lowest loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.algorithms.algorithm import Progress
from shoal.lattice import Lattice
from shoal.models import PrivacyModel
from shoal.recoding import Recoding
from shoal.table import Table


@dataclass(frozen=True)
class BottomUp:
    """The lowest-loss node of the lowest level with a node that satisfies the model; ties to the smallest vector."""

    name: ClassVar[str] = "bottom-up"
    needs_hierarchies: ClassVar[bool] = True

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Recoding:
        """Go up level by level until one has a solution."""
        lattice = Lattice.of(table, model)
        for height in range(lattice.height + 1):
            solutions = [lattice.judge(node, model, max_suppressed) for node in lattice.level(height)]
            found = [verdict for verdict in solutions if verdict is not None]
            if progress:
                progress(height / max(1, lattice.height))
            if found:
                return lattice.recoding(min(found, key=lambda verdict: verdict.loss))
        raise lattice.infeasible(model)
