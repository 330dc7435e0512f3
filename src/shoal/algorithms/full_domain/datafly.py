"""Datafly: L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression (2002).

doi:10.1142/S021848850200165X. While too many rows are in classes that fail, generalize the attribute with the most
distinct values; then suppress those rows. Departure: the paper suppresses up to k rows, here the limit is the one that
the caller gives.
"""

from __future__ import annotations

import numpy as np

from shoal.algorithms.algorithm import Progress
from shoal.algorithms.full_domain.lattice import Explored, Lattice, LatticeAlgorithm


class Datafly(LatticeAlgorithm):
    """The first node that satisfies the model on the way up; with equally many values the first attribute goes up."""

    name = "datafly"
    title = "Datafly"
    summary = "a quick guess of levels"

    def search(self, lattice: Lattice, progress: Progress) -> Explored | None:
        """Generalize step by step until few enough rows must be suppressed."""
        present = [np.unique(codes[lattice.table.weights > 0]) for codes in lattice.columns]
        node = list(lattice.bottom)
        while (verdict := lattice.judge(tuple(node))) is None:
            below = [j for j, level in enumerate(node) if level < lattice.top[j]]
            if not below:
                return None
            distinct = {j: np.unique(lattice.shown[j][node[j]][present[j]]).size for j in below}
            node[max(below, key=lambda j: distinct[j])] += 1
            progress(sum(node) / sum(lattice.top))
        return lattice.recoding(verdict.node, value=float(lattice.loss(verdict)))
