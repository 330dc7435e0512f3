"""The information loss of a release, computed without the original values of suppressed rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

import numpy as np

from shoal.metrics.cells import covered
from shoal.release.report_basis import ReportBasis


@dataclass(frozen=True)
class Losses:
    """The loss (LM) of each quasi-identifier and per cell, and the certainty penalty (NCP) per cell."""

    by_attribute: dict[str, float]
    loss: float
    penalty: float


def losses_of(basis: ReportBasis) -> Losses:
    """Return the losses of a release; if rows are suppressed, measure by the values of the other rows alone.

    A loss measured against all values of the table would reveal values that only suppressed rows have.
    """
    report, table, recoding = basis.report, basis.table, basis.recoding
    hidden = recoding.suppressed
    suppressed = int(table.weights[hidden].sum())
    if not suppressed:
        return Losses(report.loss_by_attribute, report.metrics["loss"], report.metrics["certainty_penalty"])
    loss, penalty = {}, []
    for name, domain, shown, codes in zip(table.quasi, table.domains, recoding.shown, table.codes.T, strict=True):
        present = np.bincount(codes[~hidden], minlength=len(domain)) > 0
        values = int(present.sum())
        under = covered(domain, shown, present.astype(np.int64))
        lost = recoding.sizes * (under - 1) / max(1, values - 1)
        loss[name] = (fsum(lost.tolist()) + suppressed) / table.rows
        uncertain = recoding.sizes * np.where(under > 1, under / values, 0.0)
        penalty.append((fsum(uncertain.tolist()) + suppressed) / table.rows)
    return Losses(loss, fsum(loss.values()) / len(loss), fsum(penalty) / len(penalty))
