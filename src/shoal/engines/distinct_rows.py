"""Distinct rows: how many are solved together, and which of them lack a value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.coding import Values
from shoal.data.column import read_column
from shoal.data.parameters import plain
from shoal.errors import InputError
from shoal.release.arguments import algorithm_of
from shoal.release.request import Request


def block_size(request: Request, block_rows: int | None) -> int | None:
    """Check `block_rows` and return it, or else the distinct rows that the algorithm solves within about a minute.

    None if only memory limits their number.
    """
    block_rows = plain(block_rows)
    if block_rows is not None and (isinstance(block_rows, bool) or not isinstance(block_rows, int) or block_rows < 1):
        raise InputError(f"block_rows = {block_rows!r} must be a whole number of different rows, from 1.")
    return block_rows or algorithm_of(request.algorithm).rows_per_block(request.model, len(request.roles.quasi))


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
