"""MD, the distortion metric, as defined in the COMP 430/530 assignment."""

from __future__ import annotations

import numpy as np

from shoal.data.recoding import Recoding
from shoal.data.table import Table


def distortion(table: Table, recoding: Recoding) -> int:
    """MD: the sum over all cells of depth(raw) − depth(shown); a suppressed cell shows the root.

    Without a hierarchy a changed cell is one step.
    """
    gone = recoding.suppressed
    total = 0
    for column, domain, shown in zip(table.codes.T, table.domains, recoding.shown, strict=True):
        steps = domain.depth(column)
        if recoding.sizes.size:
            steps = np.where(gone, steps, domain.steps(shown, recoding.ids, column))
        total += int((steps * table.weights).sum())
    return total
