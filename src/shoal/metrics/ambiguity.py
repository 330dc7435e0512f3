"""Ambiguity: M. Nergiz, C. Clifton, Thoughts on k-anonymization (2007), doi:10.1016/j.datak.2007.03.009."""

from __future__ import annotations

from math import fsum

import numpy as np

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics.cells import suppressed_rows, values_covered

MAX_RECORDS = np.finfo(np.float64).max / 2


def ambiguity(table: Table, recoding: Recoding) -> float:
    """AM: the mean over all rows of Π_a (values that the label of attribute a covers).

    It is the number of different records that a released row may represent; a suppressed row covers all of them.
    """
    records = np.ones(recoding.sizes.size)
    everything = 1.0
    with np.errstate(over="ignore"):
        for domain, shown in zip(table.domains, recoding.shown, strict=True):
            records *= values_covered(domain, shown)
            everything *= len(domain)
    share = suppressed_rows(table, recoding) / table.rows
    # Beyond the largest double the measure stays finite, so that a report can be written.
    means = recoding.sizes / table.rows * np.minimum(records, MAX_RECORDS)
    return fsum([*means.tolist(), share * min(everything, MAX_RECORDS)])
