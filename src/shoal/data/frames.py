"""Frames of pandas, polars and pyarrow, without any trace of rows that were left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from operator import methodcaller
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from shoal.data import arrow_categories
from shoal.data.arrow_categories import by_appearance, holds_categories, own_cells, used_values, without_views
from shoal.kernels.arrays import Flags, Longs

Change = Callable[[pa.ChunkedArray], pa.ChunkedArray]
# Imported when a frame of theirs is there.
_pandas: Callable[[], Any] = partial(import_module, "pandas")
_polars: Callable[[], Any] = partial(import_module, "polars")


def without_notes(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Remove the metadata of a frame and its fields, which may describe the original table."""
    native = frame.to_native()
    if frame.implementation.is_pandas():
        native.attrs = {}
        for name in frame.columns:
            if hasattr(native[name].dtype, "pyarrow_dtype"):
                _change(native, name, partial(_held_by_arrow, change=arrow_categories.without_notes))
    if frame.implementation.is_pyarrow():
        columns = list(map(arrow_categories.without_notes, native.columns))
        native = pa.table(columns, native.column_names)
    return nw.from_native(native, eager_only=True)


def with_rows(frame: nw.DataFrame[Any], rows: Flags) -> nw.DataFrame[Any]:
    """Select rows of a frame; its categories and its pandas index lose the values of the other rows."""
    selected = in_order(frame, np.flatnonzero(rows))
    native = _with_categories(selected, in_pandas=_used_by_pandas, in_arrow=used_values)
    if selected.implementation.is_pandas():
        native.index = _own_index(native.index)
    return nw.from_native(native, eager_only=True)


def in_order(frame: nw.DataFrame[Any], rows: Longs) -> nw.DataFrame[Any]:
    """Select rows of a frame in the given order."""
    kinds = {name: kind for name in frame.columns if (kind := arrow_type(frame, name)) is not None}
    views = {name: kind for name, kind in kinds.items() if without_views(kind) != kind}
    frame = _cast(frame, {name: without_views(kind) for name, kind in views.items()})
    return _cast(frame[rows.tolist()], views)


def _cast(frame: nw.DataFrame[Any], kinds: Mapping[str, pa.DataType]) -> nw.DataFrame[Any]:
    """Cast some columns of a frame, which Arrow holds, to other types."""
    if not kinds:
        return frame
    native = frame.to_native()
    if frame.implementation.is_pyarrow():
        columns = {name: native[name].cast(kinds[name]) if name in kinds else native[name] for name in frame.columns}
        return nw.from_native(pa.table(columns), eager_only=True)
    native = native.copy()
    for name, kind in kinds.items():
        _change(native, name, partial(_held_by_arrow, change=methodcaller("cast", kind)))
    return nw.from_native(native, eager_only=True)


def arrow_type(frame: nw.DataFrame[Any], name: str) -> pa.DataType | None:
    """Return the type of a column that pyarrow holds, by itself or for pandas; None if another library does."""
    if frame.implementation.is_pyarrow():
        return frame.to_native().schema.field(name).type
    return getattr(frame.to_native()[name].dtype, "pyarrow_dtype", None) if frame.implementation.is_pandas() else None


def own_rows(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Copy a frame so that its memory holds only the values of its rows: none of a longer table, none under nulls."""
    native = frame.to_native()
    if frame.implementation.is_pyarrow():
        return nw.from_native(pa.table(list(map(own_cells, native.columns)), native.column_names), eager_only=True)
    if frame.implementation.is_polars():
        columns = {name: _own_in_polars(native[name]) for name in frame.columns}
        return nw.from_native(type(native)(columns), eager_only=True)
    native = native.copy(deep=False)
    for name in frame.columns:
        _change(native, name, _own_in_pandas)
    native.index = _own_index(native.index)
    return nw.from_native(native, eager_only=True)


def without_order(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Remove the index and the order of categories of a shuffled frame, which would reveal the original row order."""
    frame = nw.maybe_reset_index(frame)
    native = _with_categories(frame, in_pandas=_by_appearance_in_pandas, in_arrow=by_appearance)
    return nw.from_native(native, eager_only=True)


def _with_categories(frame: nw.DataFrame[Any], *, in_pandas: Callable[[Any], Any], in_arrow: Change) -> Any:
    """Change the categories in each column of a frame; in polars, drop the categories that no row has."""
    native = frame.to_native()
    for at, name in enumerate(frame.columns):
        if frame.implementation.is_pandas():
            _change(native, name, in_pandas)
        if frame.implementation.is_polars() and _with_text(native[name].dtype) != native[name].dtype:
            native.replace_column(at, _own_in_polars(native[name]))
        if frame.implementation.is_pyarrow() and holds_categories(native[name].type):
            native = native.set_column(at, name, in_arrow(native[name]))
    return native


def _change(frame: Any, name: str, change: Callable[[Any], Any]) -> None:
    """Replace a column of a pandas frame if the change returns another one."""
    column = frame[name]
    own = change(column)
    if own is not column:
        frame[name] = own


def _used_by_pandas(column: Any) -> Any:
    """Drop the categories of a pandas column that no row has."""
    if hasattr(column.dtype, "pyarrow_dtype"):
        return _held_by_arrow(column, used_values)
    return column.cat.remove_unused_categories() if hasattr(column.dtype, "categories") else column


def _by_appearance_in_pandas(column: Any) -> Any:
    """Sort the categories of a pandas column by their first row, unless they are ordered."""
    if hasattr(column.dtype, "pyarrow_dtype"):
        return _held_by_arrow(column, by_appearance)
    if not hasattr(column.dtype, "categories") or column.dtype.ordered:
        return column
    return column.cat.set_categories(column.dropna().astype(object).unique())


def _held_by_arrow(column: Any, change: Change) -> Any:
    """Change a pandas column that Arrow holds."""
    held = pa.chunked_array(column.array.__arrow_array__())
    values = change(held)
    return column if values is held else type(column)(type(column.array)(values), index=column.index, name=column.name)


def _own_in_pandas(column: Any) -> Any:
    """Copy a pandas column so that its memory holds only the values and categories of its rows."""
    held = column.array
    own = _own_array(held)
    return column if own is held else type(column)(own, index=column.index, name=column.name)


def _own_array(values: Any) -> Any:
    kind = values.dtype
    if hasattr(kind, "categories"):
        used = values.remove_unused_categories()
        return used.rename_categories(_own_index(used.categories))
    if hasattr(kind, "pyarrow_dtype") or getattr(kind, "storage", None) == "pyarrow":
        held = pa.chunked_array(values.__arrow_array__())
        own = own_cells(held)
        more = {} if hasattr(kind, "pyarrow_dtype") else {"dtype": kind}  # texts are of several types
        return values if own is held else type(values)(own, **more)
    masked = _pandas().arrays.IntegerArray | _pandas().arrays.FloatingArray | _pandas().arrays.BooleanArray
    if isinstance(values, masked) and values.isna().any():
        return type(values)(values.to_numpy(kind.numpy_dtype, na_value=kind.numpy_dtype.type(0)), values.isna())
    return values


def _own_index(index: Any) -> Any:
    """Drop the values of a pandas index that no row has."""
    if hasattr(index, "remove_unused_levels"):
        index = index.remove_unused_levels()
        return index.set_levels(list(map(_own_index, index.levels))) if len(index.levels) else index
    held = index.array
    own = _own_array(held)
    return index if own is held else type(index)(own, name=index.name)


def polars_type(column: Any) -> pa.DataType | None:
    """Return the Arrow type of a polars column; None if Arrow has no such type, such as 128-bit integers."""
    try:
        return column.clear().to_arrow().type
    except pa.ArrowException:
        return None


def _own_in_polars(column: Any) -> Any:
    """Copy a polars column so that its memory holds only the values and categories of its rows."""
    kind, texts = column.dtype, _with_text(column.dtype)
    if isinstance(kind, _polars().Object):
        return column
    if polars_type(column) is None:
        return type(column)(column.name, column.to_list(), kind)
    own = own_cells(pa.chunked_array([column.cast(texts).to_arrow()]))
    plain = type(column)(column.name, own).cast(texts)
    if texts == kind:
        return plain
    return plain.cast(_with_used(kind, used_values(pa.chunked_array([column.to_arrow()])).chunk(0)))


def _with_text(kind: Any) -> Any:
    """Replace categories by text in a polars type."""
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
    """Drop the values from the enumerations of a polars type that are not in the dictionaries of an array."""
    name = type(kind).__name__
    if name == "Enum":
        used = set(array.dictionary.to_pylist())
        return type(kind)([category for category in kind.categories if category in used])
    if name == "List":
        return _polars().List(_with_used(kind.inner, array.values))
    if name == "Array":
        return _polars().Array(_with_used(kind.inner, array.values), kind.size)
    if name == "Struct":
        fields = zip(kind.fields, map(array.field, range(len(kind.fields))), strict=True)
        return _polars().Struct({field.name: _with_used(field.dtype, part) for field, part in fields})
    return kind
