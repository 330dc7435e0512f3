"""The order of rows: a random order that cannot be reproduced, and a test whether rows are sorted by a column."""

from __future__ import annotations

import os
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

IN_NUMBERS = frozenset("0123456789+-.,_eEinfatyINFATYxX \t\r\n\v\f")  # also of inf, infinity and nan
SAMPLE_ROWS = 1000  # tested first, since most columns are unsorted already there


def shuffled(rows: int) -> NDArray[np.int64]:
    """Return row numbers in a random order from the operating system: there is no seed to keep or guess."""
    return np.argsort(np.frombuffer(os.urandom(8 * rows), np.uint64), kind="stable")


def in_order(column: pa.ChunkedArray | pa.Array) -> bool:
    """Say whether the values are sorted, as text or as the numbers that they spell, and not all equal.

    Missing values are ignored; types that cannot be compared are never sorted.
    """
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    try:
        return starts_in_order(column) and any(rises != falls for rises, falls in _directions(column))
    except pa.ArrowNotImplementedError:
        return False


def starts_in_order(column: pa.ChunkedArray) -> bool:
    """Say whether the first values never fall, or never rise."""
    return any(rises or falls for rises, falls in _directions(column.slice(0, SAMPLE_ROWS)))


def _directions(column: pa.ChunkedArray) -> list[tuple[bool, bool]]:
    """Say whether the values never fall and whether they never rise: as they are, and as the numbers they spell."""
    values = _comparable(column)
    readings = [values]
    if pa.types.is_string(values.type) and _may_be_numbers(values):
        with suppress(pa.ArrowInvalid):
            readings.append(values.cast(pa.float64()))
    return [_direction(reading) for reading in readings]


def _may_be_numbers(values: pa.ChunkedArray) -> bool:
    """Say whether the first text has only characters of numbers: reading others as numbers fails, which takes long."""
    return not len(values) or set(values[0].as_py()) <= IN_NUMBERS


def _comparable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the values that are not missing, with ordered categories as their positions."""
    if pa.types.is_dictionary(column.type) and column.type.ordered:
        chunks = column.unify_dictionaries().chunks
        column = pa.chunked_array([chunk.indices for chunk in chunks], column.type.index_type)
    column = storage(column)
    if pa.types.is_string_view(column.type) or pa.types.is_large_string(column.type):
        column = column.cast(pa.string())
    if pa.types.is_floating(column.type):
        column = column.filter(pc.invert(pc.is_nan(column)))
    return column.drop_null()


def storage(column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """Return a column without categories and extension types."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.cast(column.type.storage_type) if isinstance(column.type, pa.BaseExtensionType) else column


def _direction(values: pa.ChunkedArray) -> tuple[bool, bool]:
    before, after = values.slice(0, max(0, len(values) - 1)), values.slice(1)
    rises = pc.all(pc.less_equal(before, after), min_count=0).as_py()
    return bool(rises), bool(pc.all(pc.greater_equal(before, after), min_count=0).as_py())
