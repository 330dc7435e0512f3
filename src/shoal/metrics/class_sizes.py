"""Measures that look at class sizes alone.

DM: R. Bayardo, R. Agrawal, Data privacy through optimal k-anonymization (2005), doi:10.1109/ICDE.2005.42.
DM*: K. El Emam et al., A globally optimal k-anonymity method for the de-identification of health data (2009),
doi:10.1197/jamia.M3144.
C_avg: K. LeFevre et al., Mondrian multidimensional k-anonymity (2006), doi:10.1109/ICDE.2006.101.
"""

from __future__ import annotations

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics.cells import suppressed_rows


def discernibility(table: Table, recoding: Recoding) -> int:
    """DM: the sum of the squared class sizes; a suppressed row counts as much as the table has rows."""
    return _squares(recoding) + suppressed_rows(table, recoding) * table.rows


def discernibility_star(table: Table, recoding: Recoding) -> int:
    """DM*: the sum of the squared class sizes; the suppressed rows are a class like any other."""
    return _squares(recoding) + suppressed_rows(table, recoding) ** 2


def average_class_size(table: Table, recoding: Recoding) -> float:
    """The mean number of rows in a class: rows that are not suppressed / classes."""
    return float(recoding.sizes.sum()) / max(1, recoding.sizes.size)


def average_class_size_all(table: Table, recoding: Recoding) -> float:
    """AECS: all rows / classes; the suppressed rows are one class."""
    return table.rows / (recoding.sizes.size + bool(recoding.suppressed.any()))


def normalized_class_size(table: Table, recoding: Recoding) -> float:
    """C_avg: (rows that are not suppressed / classes) / k, with the size of the smallest class as k."""
    return average_class_size(table, recoding) / max(1, int(recoding.sizes.min(initial=table.rows)))


def _squares(recoding: Recoding) -> int:
    squares: int = sum(size * size for size in recoding.sizes.tolist())
    return squares
