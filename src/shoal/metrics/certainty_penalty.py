"""NCP, the normalized certainty penalty: J. Xu et al., Utility-based anonymization using local recoding (2006).

doi:10.1145/1150402.1150504.
"""

from __future__ import annotations

from math import fsum

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics.cells import total_per_attribute


def certainty_penalty(table: Table, recoding: Recoding) -> float:
    """NCP as the mean over all cells: 0 for an unchanged cell, else leaves(node) / all leaves; numbers as in LM."""
    totals = total_per_attribute(table, recoding, lambda domain, shown: domain.penalty(shown), suppressed=1.0)
    return fsum(totals) / table.rows / len(table.quasi)
