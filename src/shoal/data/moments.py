"""Dates and times of a table and of its population, brought to one type."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.column import plain_values
from shoal.data.style import text


def on_one_scale(column: pa.ChunkedArray, more: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """A column of a table and of its population by one type; as text where only one of them has moments or numbers.

    Where the table has days alone, its labels are days, and a moment of the population counts as the day it is on.
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
    """Whether values are dates, with a time of day or without."""
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def has_days_alone(column: pa.ChunkedArray) -> bool:
    """Whether no moment has a time of day."""
    if pa.types.is_date(column.type):
        return True
    return bool(pc.all(pc.equal(pc.floor_temporal(column, unit="day"), column), min_count=0).as_py())


def days_of(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The day that each moment is on."""
    if pa.types.is_timestamp(column.type):
        column = pc.floor_temporal(column, unit="day")
    return column.cast(pa.date32())


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column of moments without a dictionary."""
    is_dictionary = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if is_dictionary and is_moment(column.type.value_type) else column


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values as texts; moments as labels show them, 2024-03-15 10:00:00 without parts of seconds that are 0."""
    if not is_moment(column.type):
        return column.cast(pa.string())
    if has_days_alone(column):
        return days_of(column).cast(pa.string())
    different = column.unique()
    texts = [None if value is None else text(value) for value in plain_values("", different)]
    places = pc.index_in(column, different)
    return pa.chunked_array([pa.array(texts, pa.string()).take(chunk) for chunk in places.chunks], pa.string())
