"""Comparison of what was written to a database with what it returns."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.errors import VerificationError


def typed(content: pa.Table, frame: Any, *, new: Container[str]) -> pa.Table:
    """Decode the columns; those that are not new get their declarations from the frame that was read."""
    fields = frame.schema if isinstance(frame, pa.Table) else []
    metadata = {field.name: field.metadata for field in fields if field.name not in new}
    columns = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in content.columns
    ]
    fields = [
        pa.field(name, column.type, metadata=metadata.get(name))
        for name, column in zip(content.column_names, columns, strict=True)
    ]
    return pa.table(columns, schema=pa.schema(fields))


def as_given(written: pa.Table, given: pa.Table) -> pa.Table:
    """Convert a written table to the given types; raise VerificationError if it differs from the given one."""
    if written.column_names != given.column_names:
        raise VerificationError("The columns were not written unchanged.")
    columns = [_as_given(name, written[name], given[name]) for name in given.column_names]
    return pa.table(columns, names=given.column_names)


def _as_given(name: str, written: pa.ChunkedArray, given: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_string(written.type) and not pa.types.is_string(given.type):
        if not written.equals(given.cast(pa.string())):  # the text that a database holds in place of another type
            raise _changed(name)
        return given
    try:
        same = written.cast(given.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise _changed(name) from error
    if not same.equals(given) and not _same_cells(same, given):
        raise _changed(name)
    return same


def _same_cells(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    """Return whether cells are the same where Arrow says no, because to Arrow NaN never equals NaN."""
    if pa.types.is_floating(one.type):
        return _same_numbers(one, other)
    return pa.types.is_nested(one.type) and all(map(_same_value, one.to_pylist(), other.to_pylist()))


def _same_value(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same_value, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(map(_same_value, one.values(), other.values()))
    return bool(one == other or (one != one and other != other))


def _same_numbers(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    """Return whether numbers are the same, NaN included."""
    numbers, others = one.drop_null().to_numpy(), other.drop_null().to_numpy()
    return bool(one.is_null().equals(other.is_null()) and np.array_equal(numbers, others, equal_nan=True))


def _changed(name: str) -> VerificationError:
    return VerificationError(f"Column {name!r} was not written unchanged.")
