"""MD, the distortion metric, as defined in the COMP 430/530 assignment."""

from __future__ import annotations

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics.cells import cells_of


def distortion(table: Table, recoding: Recoding) -> int:
    """MD: the sum over all cells of depth(raw) − depth(shown); a suppressed cell shows the root.

    Without a hierarchy a changed cell is one step.
    """
    cells = (cells_of(table, recoding, attribute) for attribute in range(len(table.quasi)))
    return sum(int(own.steps @ own.rows) for own in cells)
