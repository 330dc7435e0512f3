"""Rows: a table on disk, shown page by page, sorted and filtered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

MAX_CHARACTERS = 80  # of a value that are shown


@dataclass(frozen=True)
class View:
    """An order and filters: texts that values contain or equal; the column `row` is the row's number."""

    sort: str | None = None
    descending: bool = False
    containing: tuple[tuple[str, str], ...] = ()
    equal: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        sort: str | None = None,
        *,
        descending: bool = False,
        containing: Mapping[str, str] | None = None,
        equal: Mapping[str, str] | None = None,
    ) -> View:
        """Make a view with those filters that are not empty."""
        filters = tuple((name, text) for name, text in (containing or {}).items() if text)
        return cls(sort, descending, filters, tuple((equal or {}).items()))


@dataclass(eq=False)
class Rows:
    """A table whose values stay on disk until they are shown."""

    table: pa.Table
    _last: tuple[View, NDArray[np.int64] | None] = field(default=(View(), None), repr=False)

    @classmethod
    def in_file(cls, path: Path) -> Rows:
        """Map the rows of an Arrow file into memory."""
        with pa.memory_map(str(path)) as source:
            return cls(pa.ipc.open_file(source).read_all())

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def page(self, view: View, *, start: int, count: int) -> tuple[int, list[dict[str, Any]]]:
        """Return the number of rows of a view, and a page of them as texts; `row` counts the table's rows from 1."""
        order = self._order(view)
        total = len(self) if order is None else len(order)
        places = np.arange(start, max(start, min(start + count, total)))
        if order is not None:
            places = order[places]
        shown = {name: [_clipped(text) for text in values] for name, values in self._texts(places).items()}
        return total, [
            {"row": int(place) + 1} | {name: values[number] for name, values in shown.items()}
            for number, place in enumerate(places)
        ]

    def _texts(self, places: NDArray[np.int64]) -> dict[str, list[str | None]]:
        """Return the values of some rows as texts; slices, because take() would copy whole columns of many chunks."""
        part = pa.concat_tables([self.table.slice(0, 0), *(self.table.slice(int(place), 1) for place in places)])
        return {name: texts(part[name]).to_pylist() for name in part.column_names}

    def _order(self, view: View) -> NDArray[np.int64] | None:
        """Return the rows of a view in its order; None for all rows in the order of the table."""
        if view == View():
            return None
        last, order = self._last
        if order is None or last != view:
            order = self._sorted(view, np.flatnonzero(self._matching(view)))
            self._last = (view, order)
        return order

    def _matching(self, view: View) -> NDArray[np.bool_]:
        """Find the rows that pass the filters of a view."""
        matching = np.ones(len(self), np.bool_)
        for name, text in view.containing:
            matching &= _true(pc.match_substring(self._column(name), text, ignore_case=True))
        for name, text in view.equal:
            column = self._column(name)
            matching &= _true(pc.equal(column, pa.scalar(text, column.type)))
        return matching

    def _column(self, name: str) -> pa.ChunkedArray:
        if name == "row" and name not in self.table.column_names:
            return pa.chunked_array([pa.array(np.arange(1, len(self) + 1)).cast(pa.string())])
        return texts(self.table[name])

    def _sorted(self, view: View, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if view.sort not in self.table.column_names:
            return rows[::-1] if view.descending and view.sort == "row" else rows
        keys = sortable(self.table[view.sort]).take(pa.array(rows))
        direction = "descending" if view.descending else "ascending"
        places = pc.sort_indices(pa.table({"key": keys}), sort_keys=[("key", direction)])
        ordered: NDArray[np.int64] = rows[places.to_numpy()]
        return ordered


def _true(answers: pa.ChunkedArray) -> NDArray[np.bool_]:
    """Return the answers; those for missing values are False."""
    filled: NDArray[np.bool_] = pc.fill_null(answers, False).to_numpy()
    return filled


def texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Convert the values of a column to texts."""
    column = _decoded(column)
    if _textual(column):
        return column
    if _without_text(column.type):
        values = [None if value is None else str(value) for value in column.to_pylist()]
        return pa.chunked_array([pa.array(values, pa.string())])
    return column.cast(pa.string())


def sortable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return sort keys: numbers written as text are sorted as numbers, other texts come last."""
    column = _decoded(column)
    if not _textual(column):
        return texts(column) if _without_text(column.type) or pa.types.is_null(column.type) else column
    numbers = numbers_of(column)
    return _ranks(column) if numbers is None else numbers


def numbers_of(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Parse texts as numbers if at least half of them are numbers; the others become None."""
    number = pc.fill_null(pc.match_substring_regex(column, r"^-?\d+(\.\d+)?$"), False)
    numbers, values = pc.sum(number).as_py() or 0, len(column) - column.null_count
    if numbers == 0 or numbers < values / 2:
        return None
    return pc.if_else(number, column, pa.scalar(None, column.type)).cast(pa.float64())


def _ranks(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the ranks of texts if few of them repeat often, because ranks are sorted much faster."""
    sample = column.slice(0, 1 << 12)
    if len(sample) == 0 or pc.count_distinct(sample).as_py() > len(sample) / 4:
        return column
    parts = column.dictionary_encode().unify_dictionaries().chunks
    ranks = pc.rank(parts[0].dictionary)
    return pa.chunked_array([ranks.take(part.indices) for part in parts], ranks.type)


def _without_text(kind: pa.DataType) -> bool:
    """Whether Arrow cannot convert a type to text: lists, records and bytes."""
    binary = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    return bool(pa.types.is_nested(kind) or any(test(kind) for test in binary))


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _textual(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))


def _clipped(text: str | None) -> str | None:
    return text if text is None or len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"


def counts(column: pa.ChunkedArray, missing: Sequence[str]) -> dict[str, int]:
    """Count the rows of each value as text, without missing values, the most frequent first."""
    counted = pc.value_counts(texts(column).combine_chunks())
    if isinstance(counted, pa.ChunkedArray):
        counted = counted.combine_chunks()
    values, numbers = counted.field("values").to_pylist(), counted.field("counts").to_numpy()
    order = np.argsort(-numbers, kind="stable").tolist()
    excluded = {None, *missing}
    return {values[place]: int(numbers[place]) for place in order if values[place] not in excluded}
