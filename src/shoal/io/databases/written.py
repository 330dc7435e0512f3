"""What was given to a database beside what it gives back."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.errors import VerificationError


def typed(content: pa.Table, frame: Any, *, new: Container[str]) -> pa.Table:
    """The columns as plain values, those that are not new with what a frame that was read says of their declaration."""
    fields = frame.schema if isinstance(frame, pa.Table) else []
    known = {field.name: field.metadata for field in fields if field.name not in new}
    columns = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in content.columns
    ]
    fields = [
        pa.field(name, column.type, metadata=known.get(name))
        for name, column in zip(content.column_names, columns, strict=True)
    ]
    return pa.table(columns, schema=pa.schema(fields))


def as_given(written: pa.Table, given: pa.Table) -> pa.Table:
    """A table that was written, in the types that were given; refused where it holds anything else."""
    if written.column_names != given.column_names:
        raise VerificationError("The columns were not written as they are.")
    columns = [_as_given(name, written[name], given[name]) for name in given.column_names]
    return pa.table(columns, names=given.column_names)


def _as_given(name: str, written: pa.ChunkedArray, given: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_string(written.type) and not pa.types.is_string(given.type):
        if not written.equals(given.cast(pa.string())):  # the text that a database holds in place of another type
            raise _other(name)
        return given
    try:
        same = written.cast(given.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise _other(name) from error
    if not same.equals(given) and not _same_cells(same, given):
        raise _other(name)
    return same


def _same_cells(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    """Whether cells are the same where Arrow says no, as to it no NaN is another."""
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
    """Whether numbers are the same, those that are none included."""
    there, others = one.drop_null().to_numpy(), other.drop_null().to_numpy()
    return bool(one.is_null().equals(other.is_null()) and np.array_equal(there, others, equal_nan=True))


def _other(name: str) -> VerificationError:
    return VerificationError(f"Column {name!r} was not written as it is.")
