"""Cells: comparison of columns cell by cell, including missing values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_categories import taken
from shoal.data.arrow_text import is_text, plain

# Where a released table is, which decides how exactly its types and missing values can be compared.
Form = Literal["frame", "batch", "file", "database", "text"]
CHUNK_ROWS = 1 << 18  # compared together, as Arrow's text arrays are limited to 2 GiB


def first_difference(left: pa.ChunkedArray, right: pa.ChunkedArray) -> int | None:
    """Return the first row in which two columns of the same length differ, if any; NaN equals NaN."""
    left, right = _numbers(plain(left), plain(right))
    if left.type == right.type and left.equals(right):
        return None
    for start in range(0, len(left), CHUNK_ROWS):
        left_part, right_part = left.slice(start, CHUNK_ROWS), right.slice(start, CHUNK_ROWS)
        same_type = left_part.type == right_part.type
        if same_type and (left_part.equals(right_part) or _same_numbers(left_part, right_part)):
            continue
        pairs = zip(left_part.to_pylist(), right_part.to_pylist(), strict=True)
        for row, (left_value, right_value) in enumerate(pairs, start):
            if not same_value(left_value, right_value):
                return row
    return None


def _numbers(left: pa.ChunkedArray, right: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """Convert moments to whole numbers of the finer of two units, as Python has no moments before year 1."""
    if not (pa.types.is_timestamp(left.type) and pa.types.is_timestamp(right.type)):
        return left, right
    unit = max(left.type.unit, right.type.unit, key=["s", "ms", "us", "ns"].index)
    try:
        kinds = [pa.timestamp(unit, column.type.tz) for column in (left, right)]
        return left.cast(kinds[0]).cast(pa.int64()), right.cast(kinds[1]).cast(pa.int64())
    except pa.ArrowInvalid:  # a moment that the finer unit cannot hold
        return left, right


def same_value(left: Any, right: Any) -> bool:
    """Say whether two values are the same, also within lists, maps and structs."""
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):  # the pairs of a map are tuples
        return len(left) == len(right) and all(map(same_value, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(map(same_value, left.values(), right.values()))
    if isinstance(left, bool) != isinstance(right, bool) or (left is None) != (right is None):
        return False
    return bool(left == right or (left != left and right != right))


def _same_numbers(left: pa.ChunkedArray, right: pa.ChunkedArray) -> bool:
    """Say whether two columns of floating-point numbers are equal, with NaN equal to NaN."""
    if not pa.types.is_floating(left.type) or not left.is_null().equals(right.is_null()):
        return False
    return bool(np.array_equal(left.drop_null().to_numpy(), right.drop_null().to_numpy(), equal_nan=True))


@cache
def as_in_parquet(kind: pa.DataType) -> pa.DataType:
    """Return the type that a column has after a round trip through Parquet, such as milliseconds for seconds."""
    import pyarrow.parquet as pq

    file = BytesIO()
    pq.write_table(pa.table({"c": pa.nulls(0, kind)}), file)
    file.seek(0)
    return pq.read_table(file).schema.field("c").type


def alike(left: pa.DataType, right: pa.DataType, *, any_text: bool = False) -> bool:
    """Say whether two types are the same; those of categories are if their values and their orderedness are.

    With `any_text`, all text types count as the same, as files have only one.
    """
    if pa.types.is_dictionary(left) and pa.types.is_dictionary(right):
        return left.ordered == right.ordered and alike(left.value_type, right.value_type, any_text=any_text)
    return bool(left == right or (any_text and is_text(left) and is_text(right)))


def dictionaries(array: pa.Array) -> Iterator[pa.DictionaryArray]:
    """Yield the dictionaries in an array at any depth, with the indices that its rows use, in a fixed order."""
    if isinstance(array.type, pa.BaseExtensionType):
        yield from dictionaries(array.storage)
    elif pa.types.is_dictionary(array.type):
        yield array
        inner = array.dictionary.take(pc.unique(array.indices.drop_null()))
        yield from dictionaries(inner) if pa.types.is_nested(inner.type) else ()
    elif pa.types.is_struct(array.type):
        for part in array.flatten():
            yield from dictionaries(part)
    elif pa.types.is_map(array.type):
        rows = taken(array, pa.array(np.arange(len(array))))
        yield from dictionaries(rows.keys)
        yield from dictionaries(rows.items)
    elif pa.types.is_nested(array.type):
        yield from dictionaries(array.flatten())


def names_more(column: pa.ChunkedArray) -> bool:
    """Say whether a dictionary in a column contains values that no row has."""
    return any(named - used for named, used in _named(column).values())


def idle_categories(column: pa.ChunkedArray, original: pa.ChunkedArray) -> list[Any]:
    """List the values in the dictionaries of a released column that an original row has, but no released row."""
    unused = {place: named - used for place, (named, used) in _named(column).items()}
    if not any(unused.values()):
        return []
    before = _named(original)
    return sorted({value for place, values in unused.items() for value in values & before[place][1]}, key=str)


def _named(column: pa.ChunkedArray) -> dict[int, tuple[set[Any], set[Any]]]:
    """Return the values in each dictionary of a column, and those of them that rows have."""
    by_place: dict[int, tuple[set[Any], set[Any]]] = {}
    for chunk in column.chunks:
        for place, array in enumerate(dictionaries(chunk)):
            named, used = by_place.setdefault(place, (set(), set()))
            used.update(_hashable(array.dictionary.take(pc.unique(array.indices.drop_null()))))
            named.update(_hashable(array.dictionary))
    return by_place


def _hashable(values: pa.Array) -> list[Any]:
    """Return the values that are not null, as text if Python cannot hash or compare them."""
    present = values.drop_null().to_pylist()
    as_text = pa.types.is_nested(values.type) or pa.types.is_floating(values.type)  # NaN does not equal NaN
    return list(map(repr, present)) if as_text else present


def row_name(row: int, form: Form) -> str:
    """Name a row in a message; the number of rows before a batch is not known."""
    return f"row {row + 1} of a batch" if form == "batch" else f"row {row + 1}"
