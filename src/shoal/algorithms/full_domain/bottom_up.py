"""Bottom-up: the COMP 430/530 assignment's full-domain anonymizer.

Explore the lattice level by level; in the first level that has a solution, take the one with the lowest loss.
"""

from __future__ import annotations

from shoal.algorithms.algorithm import Progress
from shoal.algorithms.full_domain.lattice import Explored, Lattice, LatticeAlgorithm


class BottomUp(LatticeAlgorithm):
    """The node of lowest loss in the lowest level with a node that satisfies the model; ties to the smallest vector."""

    name = "bottom-up"
    title = "bottom-up generalization"
    summary = "from the lowest levels up, as taught in courses"

    def search(self, lattice: Lattice, progress: Progress) -> Explored | None:
        """Go up level by level until one has a solution."""
        for height in range(sum(lattice.top) + 1):
            solutions = []
            for node in lattice.level(height):
                verdict = lattice.judge(node)
                if verdict is not None:
                    solutions.append((lattice.loss(verdict), node))
                progress(height / max(1, sum(lattice.top)))
            if solutions:
                loss, node = min(solutions)
                return lattice.recoding(node, value=float(loss))
        return None
