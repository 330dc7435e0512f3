"""Cells: columns that must be as they were, cell by cell, missing ones too (SPEC §8 d)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_categories import taken
from shoal.data.arrow_text import is_text, plain

STEP = 1 << 18  # rows that are compared at a time, as Arrow's text arrays end at 2 GiB


def first_difference(one: pa.ChunkedArray, other: pa.ChunkedArray) -> int | None:
    """The first row in which two columns of the same length differ, by value; NaN is a value like others."""
    one, other = _numbers(plain(one), plain(other))
    if one.type == other.type and one.equals(other):
        return None
    for start in range(0, len(one), STEP):
        here, there = one.slice(start, STEP), other.slice(start, STEP)
        if here.type == there.type and (here.equals(there) or _same_numbers(here, there)):
            continue
        pairs = zip(here.to_pylist(), there.to_pylist(), strict=True)
        for row, (value, was) in enumerate(pairs, start):
            if not same_value(value, was):
                return row
    return None


def _numbers(one: pa.ChunkedArray, other: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """Moments as whole numbers of the finer of two units, as Python knows none before year 1."""
    if not (pa.types.is_timestamp(one.type) and pa.types.is_timestamp(other.type)):
        return one, other
    unit = max(one.type.unit, other.type.unit, key=["s", "ms", "us", "ns"].index)
    try:
        kinds = [pa.timestamp(unit, column.type.tz) for column in (one, other)]
        return one.cast(kinds[0]).cast(pa.int64()), other.cast(kinds[1]).cast(pa.int64())
    except pa.ArrowInvalid:  # a moment that the finer unit cannot hold
        return one, other


def same_value(one: Any, other: Any) -> bool:
    """Whether two values are the same, those within lists, maps and structs too."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):  # the pairs of a map are tuples
        return len(one) == len(other) and all(map(same_value, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(map(same_value, one.values(), other.values()))
    if isinstance(one, bool) != isinstance(other, bool) or (one is None) != (other is None):
        return False
    return bool(one == other or (one != one and other != other))


def _same_numbers(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    """Whether two columns of floating-point numbers are equal, NaN being equal to NaN."""
    if not pa.types.is_floating(one.type) or not one.is_null().equals(other.is_null()):
        return False
    return bool(np.array_equal(one.drop_null().to_numpy(), other.drop_null().to_numpy(), equal_nan=True))


@cache
def as_in_parquet(kind: pa.DataType) -> pa.DataType:
    """The type that Parquet gives back of another, such as milliseconds of seconds."""
    import pyarrow.parquet as pq

    file = BytesIO()
    pq.write_table(pa.table({"c": pa.nulls(0, kind)}), file)
    file.seek(0)
    return pq.read_table(file).schema.field("c").type


def alike(one: pa.DataType, other: pa.DataType, *, any_text: bool = False) -> bool:
    """Whether two types are the same, those of categories by their values and whether these have an order.

    With `any_text`, the types of text count as one, as a file has but one.
    """
    if pa.types.is_dictionary(one) and pa.types.is_dictionary(other):
        return one.ordered == other.ordered and alike(one.value_type, other.value_type, any_text=any_text)
    return bool(one == other or (any_text and is_text(one) and is_text(other)))


def dictionaries(array: pa.Array) -> Iterator[pa.DictionaryArray]:
    """The dictionaries in an array at any depth, each with what its rows have of it, always in the same order."""
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
    """Whether a dictionary in a column has values that no row has."""
    return any(named - used for named, used in _named(column).values())


def idle_categories(column: pa.ChunkedArray, original: pa.ChunkedArray) -> list[Any]:
    """The values in the dictionaries of a released column that no released row has, and an original row has."""
    unused = {place: named - used for place, (named, used) in _named(column).items()}
    if not any(unused.values()):
        return []
    before = _named(original)
    return sorted({value for place, values in unused.items() for value in values & before[place][1]}, key=str)


def _named(column: pa.ChunkedArray) -> dict[int, tuple[set[Any], set[Any]]]:
    """The values in each dictionary of a column, and those of them that rows have."""
    found: dict[int, tuple[set[Any], set[Any]]] = {}
    for chunk in column.chunks:
        for place, one in enumerate(dictionaries(chunk)):
            named, used = found.setdefault(place, (set(), set()))
            used.update(_hashable(one.dictionary.take(pc.unique(one.indices.drop_null()))))
            named.update(_hashable(one.dictionary))
    return found


def _hashable(values: pa.Array) -> list[Any]:
    """The values that are there, as such that Python can look up."""
    found = values.drop_null().to_pylist()
    as_text = pa.types.is_nested(values.type) or pa.types.is_floating(values.type)  # NaN is no other than itself
    return list(map(repr, found)) if as_text else found
