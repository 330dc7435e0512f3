"""Measures that look at class sizes alone.

DM: R. Bayardo, R. Agrawal, Data privacy through optimal k-anonymization (2005), doi:10.1109/ICDE.2005.42.
C_avg: K. LeFevre et al., Mondrian multidimensional k-anonymity (2006), doi:10.1109/ICDE.2006.101.
"""

from __future__ import annotations

from shoal.recoding import Recoding
from shoal.table import Table


def discernibility(table: Table, recoding: Recoding) -> int:
    """DM: the sum of the squared class sizes; a suppressed row counts as many as the table has rows."""
    lost = int(table.weights[recoding.suppressed].sum())
    squares: int = sum(size * size for size in recoding.sizes.tolist())
    return squares + lost * table.rows


def average_class_size(table: Table, recoding: Recoding) -> float:
    """The mean number of rows in a class; divided by k it is LeFevre's C_avg."""
    return float(recoding.sizes.sum()) / max(1, recoding.sizes.size)
