"""Frames of pandas, polars and pyarrow, without a trace of the rows that are left out of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data import arrow_categories
from shoal.data.arrow_categories import by_appearance, holds_categories, used_values

Change = Callable[[pa.ChunkedArray], pa.ChunkedArray]


def without_notes(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """A frame without what stands beside its columns and their fields, which may tell of the table as it was."""
    native = frame.to_native()
    if frame.implementation.is_pandas():
        native.attrs = {}
        for name in frame.columns:
            if hasattr(native[name].dtype, "pyarrow_dtype"):
                _change(native, name, _without_notes_in_pandas)
    if frame.implementation.is_pyarrow():
        columns = list(map(arrow_categories.without_notes, native.columns))
        native = pa.table(columns, native.column_names)
    return nw.from_native(native, eager_only=True)


def with_rows(frame: nw.DataFrame[Any], rows: NDArray[np.bool_]) -> nw.DataFrame[Any]:
    """Some rows of a frame; its categorical columns, and the index of pandas, forget the values of the others."""
    kept = frame.filter(rows.tolist())
    native = kept.to_native()
    for at, name in enumerate(kept.columns):
        if kept.implementation.is_pandas():
            _change(native, name, _used_by_pandas)
        if kept.implementation.is_polars() and _polars_holds_categories(native[name].dtype):
            native.replace_column(at, _used_by_polars(native[name]))
        if kept.implementation.is_pyarrow() and holds_categories(native[name].type):
            native = native.set_column(at, name, used_values(native[name]))
    if kept.implementation.is_pandas():
        native.index = _used_by_index(native.index)
    return nw.from_native(native, eager_only=True)


def without_order(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """A shuffled frame without an index, and without orders of categories, that tell the first order of its rows."""
    native = nw.maybe_reset_index(frame).to_native()
    for at, name in enumerate(frame.columns):
        if frame.implementation.is_pandas():
            _change(native, name, _by_appearance_in_pandas)
        if frame.implementation.is_polars() and _polars_holds_categories(native[name].dtype):
            native.replace_column(at, _used_by_polars(native[name]))
        if frame.implementation.is_pyarrow() and holds_categories(native[name].type):
            native = native.set_column(at, name, by_appearance(native[name]))
    return nw.from_native(native, eager_only=True)


def _change(frame: Any, name: str, change: Callable[[Any], Any]) -> None:
    """Put a changed column of pandas in the place of the one that is there, if it is another one."""
    column = frame[name]
    own = change(column)
    if own is not column:
        frame[name] = own


def _without_notes_in_pandas(column: Any) -> Any:
    return _held_by_arrow(column, arrow_categories.without_notes)


def _used_by_pandas(column: Any) -> Any:
    """A column of pandas with the categories that its rows have."""
    if hasattr(column.dtype, "pyarrow_dtype"):
        return _held_by_arrow(column, used_values)
    return column.cat.remove_unused_categories() if hasattr(column.dtype, "categories") else column


def _by_appearance_in_pandas(column: Any) -> Any:
    """A column of pandas with its categories as the rows have them, unless they have an order."""
    if hasattr(column.dtype, "pyarrow_dtype"):
        return _held_by_arrow(column, by_appearance)
    if not hasattr(column.dtype, "categories") or column.dtype.ordered:
        return column
    return column.cat.set_categories(column.dropna().astype(object).unique())


def _held_by_arrow(column: Any, change: Change) -> Any:
    """A column of pandas that Arrow holds, changed there."""
    held = pa.chunked_array(column.array.__arrow_array__())
    values = change(held)
    return column if values is held else type(column)(type(column.array)(values), index=column.index, name=column.name)


def _used_by_index(index: Any) -> Any:
    """An index of pandas with the values that its rows have."""
    if hasattr(index, "remove_unused_levels"):
        index = index.remove_unused_levels()
        return index.set_levels(list(map(_used_by_index, index.levels))) if len(index.levels) else index
    return index.remove_unused_categories() if hasattr(index, "remove_unused_categories") else index


def _used_by_polars(column: Any) -> Any:
    """A column of polars with the categories that its rows have, at any depth."""
    kind, texts = column.dtype, _with_text(column.dtype)
    used = used_values(pa.chunked_array([column.to_arrow()]))
    return column.cast(texts).cast(_with_used(kind, used.chunk(0)))


def _polars_holds_categories(kind: Any) -> bool:
    return bool(_with_text(kind) != kind)


def _with_text(kind: Any) -> Any:
    """A type of polars with text in place of categories."""
    name = type(kind).__name__
    if name in ("Categorical", "Enum"):
        return _polars().String()
    if name == "List":
        return _polars().List(_with_text(kind.inner))
    if name == "Array":
        return _polars().Array(_with_text(kind.inner), kind.size)
    if name == "Struct":
        return _polars().Struct({field.name: _with_text(field.dtype) for field in kind.fields})
    return kind


def _with_used(kind: Any, array: pa.Array) -> Any:
    """A type of polars whose enumerations have the values alone that are in the dictionaries of an array."""
    name = type(kind).__name__
    if name == "Enum":
        used = set(array.dictionary.to_pylist())
        return type(kind)([one for one in kind.categories if one in used])
    if name == "List":
        return _polars().List(_with_used(kind.inner, array.values))
    if name == "Array":
        return _polars().Array(_with_used(kind.inner, array.values), kind.size)
    if name == "Struct":
        fields = zip(kind.fields, map(array.field, range(len(kind.fields))), strict=True)
        return _polars().Struct({field.name: _with_used(field.dtype, part) for field, part in fields})
    return kind


def _polars() -> Any:
    import polars

    return polars
