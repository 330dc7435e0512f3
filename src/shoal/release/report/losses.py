"""The information loss of a release as it may be published: without the original values of suppressed rows.

Such a figure has a name of its own, "loss (LM) by released values", wherever it is shown beside the loss (LM) itself.
"""

from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np

from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.metrics.cells import covered


def by_released_values(table: Table, recoding: Recoding) -> dict[str, Any] | None:
    """Measure the losses by the values of rows that are not suppressed; None if no row is.

    A loss measured by all values of the table would reveal values that only suppressed rows have.
    """
    hidden = recoding.suppressed
    suppressed = int(table.weights[hidden].sum())
    if not suppressed:
        return None
    loss, penalty = {}, []
    for name, domain, shown, codes in zip(table.quasi, table.domains, recoding.shown, table.codes.T, strict=True):
        present = np.bincount(codes[~hidden], minlength=len(domain)) > 0
        values = int(present.sum())
        under = covered(domain, shown, present.astype(np.int64))
        lost = recoding.sizes * (under - 1) / max(1, values - 1)
        loss[name] = (fsum(lost.tolist()) + suppressed) / table.rows
        uncertain = recoding.sizes * np.where(under > 1, under / values, 0.0)
        penalty.append((fsum(uncertain.tolist()) + suppressed) / table.rows)
    mean, penalties = fsum(loss.values()) / len(loss), fsum(penalty) / len(penalty)
    return {"loss": mean, "certainty_penalty": penalties, "loss_by_attribute": loss}
