"""Rows that lack a value, in tables whose columns are given by their distinct values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.coding import Values
from shoal.data.column import read_column


def missing_places(values: Values, missing_values: Sequence[str]) -> NDArray[np.bool_]:
    """Tell for each place of a column's values whether it means missing; null is last."""
    column = read_column(values.name, pa.chunked_array([values.values]), missing_values, values.counts)
    missing = column.places < 0
    return missing if values.values.null_count else np.append(missing, True)


def complete_rows(places: NDArray[np.int32], missing: Sequence[NDArray[np.bool_]] | None) -> NDArray[np.bool_]:
    """Tell which rows lack no value; `missing` is the result of missing_places() for each column, None: all rows."""
    complete = np.ones(len(places), np.bool_)
    for at, column in enumerate(missing or ()):
        complete &= ~column[places[:, at]]
    return complete
