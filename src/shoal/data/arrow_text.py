"""Arrow columns as text: what a CSV file holds, and plain forms that can be compared."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_categories import without_views


def as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as a CSV file holds it: a missing value is an empty cell."""
    column = plain(column)
    texts = column if column.type == pa.string() or _is_long(column) else column.cast(pa.string())
    texts = pc.fill_null(texts, "") if texts.null_count else texts
    if not pa.types.is_floating(column.type):
        return texts
    return pc.if_else(pc.fill_null(pc.is_nan(column.cast(pa.float64())), False), "", texts)


def _is_long(column: pa.ChunkedArray) -> bool:
    """Tell whether a text column is too long for one Arrow array of 32-bit offsets."""
    return pa.types.is_large_string(column.type) and any(chunk.nbytes >= 2**31 for chunk in column.chunks)


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column without dictionaries and views, so that Arrow can compare it."""
    column = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    kind = without_views(column.type)
    return column if kind == column.type else column.cast(kind)


def is_text(kind: pa.DataType) -> bool:
    """Tell whether a type holds text."""
    return any(of(kind) for of in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view))
