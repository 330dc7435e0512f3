"""Precision: L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression (2002).

doi:10.1142/S021848850200165X.
"""

from __future__ import annotations

from math import fsum

import numpy as np

from shoal.recoding import Recoding
from shoal.table import Table


def precision(table: Table, recoding: Recoding) -> float:
    """Prec: 1 − the mean over all cells of (steps taken up the tree) / (steps from the raw value up to the top).

    It is the one measure that is better when it is higher: 1 where nothing changed, 0 where nothing is left. Without
    a tree a changed cell is one step of one.
    """
    return 1.0 - fsum(imprecision_by_attribute(table, recoding)) / len(table.quasi)


def imprecision_by_attribute(table: Table, recoding: Recoding) -> list[float]:
    """What the precision of each attribute alone lacks to 1."""
    gone = recoding.suppressed
    lost = []
    for codes, domain, shown in zip(table.codes.T, table.domains, recoding.shown, strict=True):
        height = domain.depth(codes)
        steps = height
        if recoding.sizes.size:
            steps = np.where(gone, height, domain.steps(shown, recoding.ids, codes))
        # Rows with the same two whole numbers cost the same: their weights are added before anything is rounded.
        width = int(height.max(initial=0)) + 1
        rows = np.bincount(height * width + steps, table.weights, width * width).reshape(width, width)
        lost.append(fsum((rows[1:] * np.arange(width) / np.arange(1, width)[:, None]).ravel().tolist()) / table.rows)
    return lost
