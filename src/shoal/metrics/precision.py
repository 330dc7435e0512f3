"""Precision: L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression (2002).

doi:10.1142/S021848850200165X.
"""

from __future__ import annotations

from math import fsum

import numpy as np

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics.cells import cells_of

MAX_LEVELS = 100  # of a tree, up to which all pairs of levels have a count


def precision(table: Table, recoding: Recoding) -> float:
    """Prec: 1 − the mean over all cells of (steps taken up the tree) / (steps from the raw value up to the top).

    It is the one measure for which higher is better: 1 if nothing changed, 0 if nothing is left. Without a tree a
    changed cell is one step of one.
    """
    return 1.0 - fsum(imprecision_by_attribute(table, recoding)) / len(table.quasi)


def imprecision_by_attribute(table: Table, recoding: Recoding) -> list[float]:
    """Return 1 − the precision of each attribute alone."""
    lost = []
    for attribute, domain in enumerate(table.domains):
        steps, codes, weights = cells_of(table, recoding, attribute)
        height = domain.depth(codes.astype(np.int32))
        # Cells with the same two integers cost the same: their rows are added before anything is rounded.
        width = int(height.max(initial=0)) + 1
        pairs = height.astype(np.int64) * width + steps
        if width > MAX_LEVELS:  # only the pairs that occur
            pairs, places = np.unique(pairs, return_inverse=True)
            rows = np.bincount(places, weights, pairs.size)
        else:
            rows = np.bincount(pairs, weights, width * width)
            pairs = np.arange(rows.size)
        heights = np.maximum(1, pairs // width)
        lost.append(fsum((rows * (pairs % width) / heights).tolist()) / table.rows)
    return lost
