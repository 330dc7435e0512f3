"""Moments: dates and times of a table and of its population, converted to one type."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.column import plain_values
from shoal.data.style import text


def on_one_scale(column: pa.ChunkedArray, more: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """Convert a column of a table and of its population to one type; to text if only one has moments or numbers.

    If the table has only days, its labels are days, and a moment of the population counts as its day.
    """
    column, more = _decoded(column), _decoded(more)
    if is_moment(column.type) and is_moment(more.type):
        if has_days_alone(column):
            return days_of(column), days_of(more)
        kinds = [kind for kind in (column.type, more.type) if pa.types.is_timestamp(kind)]
        finest = pa.timestamp("ns" if any(kind.unit == "ns" for kind in kinds) else "us", kinds[0].tz)
        return (column, more) if column.type == more.type else (column.cast(finest), more.cast(finest))
    if column.type != more.type:
        return _as_text(column), _as_text(more)
    return column, more


def is_moment(kind: pa.DataType) -> bool:
    """Return whether a type holds dates, with or without a time of day."""
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def has_days_alone(column: pa.ChunkedArray) -> bool:
    """Return whether no moment has a time of day."""
    if pa.types.is_date(column.type):
        return True
    return bool(pc.all(pc.equal(pc.floor_temporal(column, unit="day"), column), min_count=0).as_py())


def days_of(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the day of each moment."""
    if pa.types.is_timestamp(column.type):
        column = pc.floor_temporal(column, unit="day")
    return column.cast(pa.date32())


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Decode a dictionary of moments."""
    is_dictionary = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if is_dictionary and is_moment(column.type.value_type) else column


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Convert values to text; moments as labels show them, 2024-03-15 10:00:00, without fractions that are 0."""
    if not is_moment(column.type):
        return column.cast(pa.string())
    if has_days_alone(column):
        return days_of(column).cast(pa.string())
    distinct = column.unique()
    texts = [None if value is None else text(value) for value in plain_values("", distinct)]
    places = pc.index_in(column, distinct)
    return pa.chunked_array([pa.array(texts, pa.string()).take(chunk) for chunk in places.chunks], pa.string())
