"""LM, the loss metric: V. Iyengar, Transforming data to satisfy privacy constraints (2002).

doi:10.1145/775047.775089. A cell costs (leaves under the shown node − 1) / (all leaves − 1), a range of numbers
(high − low) / (max − min of the table), a set (size − 1) / (domain − 1), a suppressed cell 1.
"""

from __future__ import annotations

from math import expm1, fsum, log1p

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics.cells import total_per_attribute


def loss_by_attribute(table: Table, recoding: Recoding) -> dict[str, float]:
    """Return the mean loss per cell of each quasi-identifier."""
    totals = total_per_attribute(table, recoding, lambda domain, shown: domain.loss(shown), suppressed=1.0)
    return {name: total / table.rows for name, total in zip(table.quasi, totals, strict=True)}


def loss(table: Table, recoding: Recoding) -> float:
    """LM: the mean over all cells of (leaves under the shown node − 1) / (all leaves − 1), from 0 to 1.

    Numbers lose (high − low) / (max − min of the table), sets and orders (shown values − 1) / (all values − 1),
    suppressed cells 1.
    """
    return loss_sum(table, recoding) / len(table.quasi)


def loss_sum(table: Table, recoding: Recoding) -> float:
    """LM as the sum over the attributes of their mean losses, as in the USTC lab and Huang's report."""
    return fsum(loss_by_attribute(table, recoding).values())


def loss_rows(table: Table, recoding: Recoding) -> float:
    """LM as the sum over the rows with attribute weights 1/M, as in the COMP 430/530 assignment."""
    return loss(table, recoding) * table.rows


def loss_geometric(table: Table, recoding: Recoding) -> float:
    """LM as the geometric mean Π_a (LM_a + 1)^(1/M) − 1 of the mean losses LM_a of the M attributes."""
    means = loss_by_attribute(table, recoding).values()
    return expm1(fsum(map(log1p, means)) / len(table.quasi))
