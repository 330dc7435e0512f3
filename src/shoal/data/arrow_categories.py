"""Dictionaries of Arrow columns, at any depth of lists, structs and maps, without values that no row has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import InputError

Change = Callable[[pa.DictionaryArray], pa.DictionaryArray]


def used_values(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column with those values in its dictionaries that its rows have, in their order."""
    return _changed(column, _used)


def by_appearance(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column with the values of its dictionaries as the rows have them one after the other, unless they are ordered.

    Values that no row has are left out.
    """
    return _changed(column, _as_they_appear)


def named_once(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column whose dictionaries, where it has such, name each value once, and null not at all."""
    if not pa.types.is_dictionary(column.type) or pa.types.is_nested(column.type.value_type):
        return column
    if all(_names_once(chunk.dictionary) for chunk in column.chunks):
        return column
    return pa.chunked_array(list(map(_with_named_once, column.chunks)), column.type)


def _names_once(dictionary: pa.Array) -> bool:
    return not dictionary.null_count and len(pc.unique(dictionary)) == len(dictionary)


def _with_named_once(chunk: pa.DictionaryArray) -> pa.DictionaryArray:
    different = pc.dictionary_encode(chunk.dictionary)
    places = different.indices.take(chunk.indices).cast(chunk.type.index_type)
    return pa.DictionaryArray.from_arrays(places, different.dictionary, ordered=chunk.type.ordered)


def values_named_once(table: pa.Table) -> pa.Table:
    """A table whose dictionaries name each value once."""
    for at, (kind, column) in enumerate(zip(table.schema, table.columns, strict=True)):
        cleaned = named_once(column)
        if cleaned is not column:
            table = table.set_column(at, kind, cleaned)
    return table


def without_notes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column without what is said of the fields in it, which may tell of the table as it was."""
    return _changed(column, _as_it_is) if _has_notes(column.type) else column


def plain_type(kind: pa.DataType) -> pa.DataType:
    """A type without what is said of the fields in it."""
    return without_notes(pa.chunked_array([], kind)).type


def holds_categories(kind: pa.DataType) -> bool:
    """Whether a type is one of dictionaries, or holds one at some depth."""
    return pa.types.is_dictionary(kind) or any(holds_categories(field.type) for field in _fields(kind))


def _has_notes(kind: pa.DataType) -> bool:
    return any(field.metadata or _has_notes(field.type) for field in _fields(kind))


def _fields(kind: pa.DataType) -> list[pa.Field]:
    if isinstance(kind, pa.BaseExtensionType):
        return _fields(kind.storage_type)
    if pa.types.is_run_end_encoded(kind):
        return [pa.field("values", kind.value_type)]
    return [kind.field(at) for at in range(kind.num_fields)]


def _changed(column: pa.ChunkedArray, change: Change) -> pa.ChunkedArray:
    """A column with the dictionaries in it changed, one for all rows where the column is a dictionary itself."""
    if not holds_categories(column.type) and not _has_notes(column.type):
        return column
    if pa.types.is_dictionary(column.type):
        whole = column.unify_dictionaries().combine_chunks()
        return pa.chunked_array([change(whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole)])
    chunks = [_inside(chunk, change) for chunk in column.chunks or [pa.array([], column.type)]]
    return pa.chunked_array(chunks)


def _inside(array: pa.Array, change: Change) -> pa.Array:
    """An array with the dictionaries in it changed; no value is left under lists and structs that are missing."""
    kind, again = array.type, partial(_inside, change=change)
    if pa.types.is_dictionary(kind):
        return change(array)
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, again(array.storage))
    if not _fields(kind):
        return array
    missing = array.is_null()
    if pa.types.is_struct(kind):
        parts = list(map(again, array.flatten()))
        fields = [pa.field(field.name, part.type, field.nullable) for field, part in zip(kind, parts, strict=True)]
        return pa.StructArray.from_arrays(parts, fields=fields, mask=missing)
    array = array.take(pa.array(np.arange(len(array))))  # without values before, between and behind the rows
    if pa.types.is_map(kind):
        keys, items = again(array.keys), again(array.items)
        fields = [pa.field("key", keys.type, nullable=False), pa.field("value", items.type, kind.item_field.nullable)]
        made = pa.map_(*fields, keys_sorted=kind.keys_sorted)
        offsets = pa.array(array.offsets.to_numpy(), mask=np.append(missing.to_numpy(zero_copy_only=False), False))
        return pa.MapArray.from_arrays(offsets, keys, items, type=made)
    if pa.types.is_fixed_size_list(kind):
        values = again(array.values)
        made = pa.list_(_field(kind, values), kind.list_size)
        return pa.FixedSizeListArray.from_arrays(values, type=made, mask=missing)
    for of, made_of, built in (
        (pa.types.is_list, pa.list_, pa.ListArray),
        (pa.types.is_large_list, pa.large_list, pa.LargeListArray),
    ):
        if of(kind):
            values = again(array.values)
            return built.from_arrays(array.offsets, values, type=made_of(_field(kind, values)), mask=missing)
    raise InputError(f"A column of type {kind} holds categories at a depth that cannot be looked into: make it text.")


def _field(kind: pa.DataType, values: pa.Array) -> pa.Field:
    """The field of the values in a list, without what is said of it."""
    return pa.field(kind.value_field.name, values.type, kind.value_field.nullable)


def _used(array: pa.DictionaryArray) -> pa.DictionaryArray:
    indices, kind = array.indices, array.type
    has_rows = np.zeros(len(array.dictionary), np.bool_)
    has_rows[indices.drop_null().to_numpy(zero_copy_only=False)] = True
    if has_rows.all():
        return array
    moved = pa.array((np.cumsum(has_rows) - 1).astype(np.int32)).cast(kind.index_type, safe=False)
    values = array.dictionary.filter(pa.array(has_rows))
    return pa.DictionaryArray.from_arrays(moved.take(indices), _inner(values, _used), ordered=kind.ordered)


def _as_they_appear(array: pa.DictionaryArray) -> pa.DictionaryArray:
    if array.type.ordered:
        return _used(array)
    order = pc.unique(array.indices.drop_null())
    place = np.zeros(len(array.dictionary), np.int32)
    place[order.to_numpy(zero_copy_only=False)] = np.arange(len(order), dtype=np.int32)
    moved = pa.array(place).cast(array.type.index_type)
    values = array.dictionary.take(order)
    return pa.DictionaryArray.from_arrays(moved.take(array.indices), _inner(values, _as_they_appear))


def _as_it_is(array: pa.DictionaryArray) -> pa.DictionaryArray:
    return array


def _inner(values: pa.Array, change: Change) -> pa.Array:
    return _inside(values, change) if holds_categories(values.type) else values
