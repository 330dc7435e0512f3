"""Bottom-up: the COMP 430/530 assignment's full-domain anonymizer.

Explore the lattice level by level; in the first level that has a solution, take the one with the lowest loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.algorithms.algorithm import Progress
from shoal.algorithms.full_domain.lattice import Explored, Lattice, LatticeAlgorithm
from shoal.data.table import Table
from shoal.models import PrivacyModel


@dataclass(frozen=True)
class BottomUp(LatticeAlgorithm):
    """The node of lowest loss in the lowest level with a node that satisfies the model; ties to the smallest vector."""

    name: ClassVar[str] = "bottom-up"
    title: ClassVar[str] = "bottom-up generalization"
    summary: ClassVar[str] = "from the lowest levels up, as taught in courses"

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Explored:
        """Go up level by level until one has a solution."""
        lattice = Lattice.of(table, model, max_suppressed)
        for height in range(sum(lattice.top) + 1):
            solutions = []
            for node in lattice.level(height):
                verdict = lattice.judge(node)
                if verdict is not None:
                    solutions.append((lattice.loss(verdict), node))
                if progress:
                    progress(height / max(1, sum(lattice.top)))
            if solutions:
                loss, node = min(solutions)
                return lattice.recoding(node, value=float(loss))
        raise lattice.infeasible()
