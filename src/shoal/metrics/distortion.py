"""MD, the distortion metric, as defined in the COMP 430/530 assignment."""

from __future__ import annotations

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics.cells import steps_up


def distortion(table: Table, recoding: Recoding) -> int:
    """MD: the sum over all cells of depth(raw) − depth(shown); a suppressed cell shows the root.

    Without a hierarchy a changed cell is one step.
    """
    columns = zip(table.codes.T, table.domains, recoding.shown, strict=True)
    return sum(int(steps_up(domain, shown, recoding, codes) @ table.weights) for codes, domain, shown in columns)
