"""Arrow columns without values that no row has, at any depth of lists, structs and maps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import InputError
from shoal.kernels.arrays import Flags, Longs

Column = TypeVar("Column", pa.Array, pa.ChunkedArray)
Change = Callable[[pa.DictionaryArray], pa.DictionaryArray]
VIEWS = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}  # Arrow cannot select rows of views
LISTS = (
    (pa.types.is_list, pa.list_, pa.ListArray),
    (pa.types.is_large_list, pa.large_list, pa.LargeListArray),
    (pa.types.is_list_view, pa.list_view, pa.ListViewArray),
    (pa.types.is_large_list_view, pa.large_list_view, pa.LargeListViewArray),
)


def used_values(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Drop the values from the dictionaries of a column that no row has; the order stays."""
    return _changed(column, _used)


def by_appearance(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Sort the dictionaries of a column by the first row of each value, unless they are ordered.

    Values that no row has are left out.
    """
    return _changed(column, _as_they_appear)


def own_cells(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Copy a column so that its memory holds only the values of its rows: none around them, none under nulls."""
    return column if all(map(_is_tidy, column.chunks)) else _made_anew(column, _used)


def _is_tidy(chunk: pa.Array) -> bool:
    """Return whether an array has plain values without nulls that fill its memory."""
    plain = not chunk.type.num_fields and not isinstance(chunk.type, pa.BaseExtensionType)
    plain &= not pa.types.is_dictionary(chunk.type) and chunk.type not in VIEWS
    if not plain or chunk.null_count:
        return False
    if pa.types.is_string(chunk.type) or pa.types.is_large_string(chunk.type):
        return _is_tidy_text(chunk)
    return bool(chunk.nbytes >= chunk.get_total_buffer_size())


def _is_tidy_text(chunk: pa.Array) -> bool:
    """Return whether the memory of texts holds these and nothing else; Arrow's own count leaves out the last offset."""
    flags, places, held = chunk.buffers()
    if chunk.offset or places is None or held is None:
        return False
    if any(part is not None and part.parent is not None for part in (flags, places, held)):
        return False
    kind = np.dtype(np.int64 if pa.types.is_large_string(chunk.type) else np.int32)
    if places.size != kind.itemsize * (len(chunk) + 1):
        return False
    ends = np.frombuffer(places, kind)
    return bool(ends[0] == 0 and ends[-1] == held.size and (flags is None or flags.size == -(-len(chunk) // 8)))


def named_once(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Make the dictionaries of a column, if any, name each value once, and null not at all."""
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
    """Make the dictionaries of a table name each value once."""
    return pa.table(list(map(named_once, table.columns)), table.schema) if table.num_columns else table


def without_notes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Remove the metadata of the fields in a column, which may describe the original table."""
    return _made_anew(column, lambda array: array) if _has_notes(column.type) else column


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Remove the metadata of the fields in a type."""
    return without_notes(pa.chunked_array([], kind)).type


def holds_categories(kind: pa.DataType) -> bool:
    """Return whether a type is a dictionary or holds one at some depth."""
    return pa.types.is_dictionary(kind) or any(holds_categories(field.type) for field in _fields(kind))


def without_views(kind: pa.DataType) -> pa.DataType:
    """Replace views of texts and bytes in a type, as Arrow cannot select their rows; views of lists stay."""
    if kind in VIEWS:
        return VIEWS[kind]
    if pa.types.is_struct(kind):
        return pa.struct([_plain_field(field) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(_plain_field(kind.key_field), _plain_field(kind.item_field), keys_sorted=kind.keys_sorted)
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_plain_field(kind.value_field), kind.list_size)
    if pa.types.is_list(kind):
        return pa.list_(_plain_field(kind.value_field))
    return pa.large_list(_plain_field(kind.value_field)) if pa.types.is_large_list(kind) else kind


def _plain_field(field: pa.Field) -> pa.Field:
    return field.with_type(without_views(field.type))


def taken(column: Column, rows: pa.Array) -> Column:
    """Select rows of a column or an array."""
    kind = column.type
    plain = without_views(kind)
    return column.take(rows) if plain == kind else column.cast(plain).take(rows).cast(kind)


def holds_nothing(kind: pa.DataType) -> bool:
    """Return whether a type has, at some depth, values that are always null."""
    return bool(pa.types.is_null(kind) or any(holds_nothing(field.type) for field in _fields(kind)))


def _has_notes(kind: pa.DataType) -> bool:
    return any(field.metadata or _has_notes(field.type) for field in _fields(kind))


def _fields(kind: pa.DataType) -> list[pa.Field]:
    if isinstance(kind, pa.BaseExtensionType):
        return _fields(kind.storage_type)
    if pa.types.is_run_end_encoded(kind):
        return [pa.field("values", kind.value_type)]
    return [kind.field(at) for at in range(kind.num_fields)]


def _changed(column: pa.ChunkedArray, change: Change) -> pa.ChunkedArray:
    return _made_anew(column, change) if holds_categories(column.type) or _has_notes(column.type) else column


def _made_anew(column: pa.ChunkedArray, change: Change) -> pa.ChunkedArray:
    """Change the dictionaries in a column; a column that is a dictionary itself gets one for all rows."""
    if pa.types.is_dictionary(column.type):
        whole = column.unify_dictionaries().combine_chunks()
        return pa.chunked_array([change(whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole)])
    chunks = [_inside(chunk, change) for chunk in column.chunks or [pa.nulls(0, column.type)]]
    return pa.chunked_array(chunks)


def _inside(array: pa.Array, change: Change) -> pa.Array:
    """Rebuild an array from the values of its rows, with the dictionaries in it changed."""
    kind, again = array.type, partial(_inside, change=change)
    if pa.types.is_dictionary(kind):
        return change(array)
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, again(array.storage))
    if not _fields(kind):
        return taken(array, pa.array(np.arange(len(array))))  # leaves nothing under nulls
    missing = array.is_null()
    if pa.types.is_struct(kind):
        parts = list(map(again, array.flatten()))
        fields = [pa.field(field.name, part.type, field.nullable) for field, part in zip(kind, parts, strict=True)]
        return pa.StructArray.from_arrays(parts, fields=fields, mask=missing)
    if pa.types.is_map(kind):
        pairs = array.cast(pa.list_(pa.struct([kind.key_field, kind.item_field])))
        keys, items = map(again, pairs.flatten().flatten())
        fields = [pa.field("key", keys.type, nullable=False), pa.field("value", items.type, kind.item_field.nullable)]
        made = pa.map_(*fields, keys_sorted=kind.keys_sorted)
        offsets = pa.array(_ends(pairs), pa.int32(), mask=np.append(_flags(missing), False))
        return pa.MapArray.from_arrays(offsets, keys, items, type=made)
    values = again(array.flatten())
    if pa.types.is_fixed_size_list(kind):
        made = pa.list_(_field(kind, values), kind.list_size)
        if array.null_count:
            values = taken(values, _with_gaps(_flags(missing), kind.list_size))
        return pa.FixedSizeListArray.from_arrays(values, type=made, mask=missing)
    for of, made_of, built in LISTS:
        if of(kind):
            ends = pa.array(_ends(array)).cast(pa.int64() if "large" in str(kind).split("<")[0] else pa.int32())
            places = [ends[:-1], pc.subtract(ends[1:], ends[:-1])] if "View" in built.__name__ else [ends]
            gaps = missing if array.null_count else None
            return built.from_arrays(*places, values, type=made_of(_field(kind, values)), mask=gaps)
    raise InputError(f"A column of type {kind} holds nested values that shoal cannot read: convert it to text.")


def _flags(missing: pa.BooleanArray) -> Flags:
    flags: Flags = missing.to_numpy(zero_copy_only=False)
    return flags


def _ends(lists: pa.Array) -> Longs:
    """Return where each list begins if they follow one another, and where the last one ends."""
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    return np.append(np.int64(0), np.cumsum(lengths, dtype=np.int64))


def _with_gaps(missing: Flags, size: int) -> pa.Array:
    """Return the places of the values of fixed-size lists if the values of null lists are absent."""
    gaps = np.repeat(missing, size)
    return pa.array(np.cumsum(~gaps) - 1, mask=gaps)


def _field(kind: pa.DataType, values: pa.Array) -> pa.Field:
    """Return the field of the values in a list, without metadata."""
    return pa.field(kind.value_field.name, values.type, kind.value_field.nullable)


def _used(array: pa.DictionaryArray) -> pa.DictionaryArray:
    indices, kind = array.indices, array.type
    has_rows = np.zeros(len(array.dictionary), np.bool_)
    has_rows[indices.drop_null().to_numpy(zero_copy_only=False)] = True
    moved = pa.array((np.cumsum(has_rows) - 1).astype(np.int32)).cast(kind.index_type, safe=False)
    values = array.dictionary if has_rows.all() else array.dictionary.filter(pa.array(has_rows))
    return pa.DictionaryArray.from_arrays(moved.take(indices), _inside(values, _used), ordered=kind.ordered)


def _as_they_appear(array: pa.DictionaryArray) -> pa.DictionaryArray:
    if array.type.ordered:
        return _used(array)
    order = pc.unique(array.indices.drop_null())
    place = np.zeros(len(array.dictionary), np.int32)
    place[order.to_numpy(zero_copy_only=False)] = np.arange(len(order), dtype=np.int32)
    moved = pa.array(place).cast(array.type.index_type)
    values = array.dictionary.take(order)
    return pa.DictionaryArray.from_arrays(moved.take(array.indices), _inside(values, _as_they_appear))
