"""Sums over the cells of a release."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.domain import AnyDomain
from shoal.recoding import Recoding
from shoal.table import Table


def total_per_attribute(
    table: Table,
    recoding: Recoding,
    cell: Callable[[AnyDomain, Any], NDArray[np.float64]],
    *,
    suppressed: float,
) -> list[float]:
    """For each attribute, the sum over the rows of what a cell costs; exactly rounded, so alike on every machine."""
    lost = int(table.weights[recoding.suppressed].sum()) * suppressed
    return [
        fsum((recoding.sizes * cell(domain, shown)).tolist()) + lost
        for domain, shown in zip(table.domains, recoding.shown, strict=True)
    ]
