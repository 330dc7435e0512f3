"""Rows: a table on disk of which a page at a time is looked at, sorted and filtered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

CLIP = 80  # signs of a value that are shown


@dataclass(frozen=True)
class View:
    """What is looked at: one order, and what values must contain or be; the column `row` is the row's number."""

    sort: str | None = None
    descending: bool = False
    containing: tuple[tuple[str, str], ...] = ()
    being: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        sort: str | None = None,
        *,
        descending: bool = False,
        containing: Mapping[str, str] | None = None,
        being: Mapping[str, str] | None = None,
    ) -> View:
        """The view with those filters that are not empty."""
        kept = tuple((name, text) for name, text in (containing or {}).items() if text)
        return cls(sort, descending, kept, tuple((being or {}).items()))


@dataclass(eq=False)
class Rows:
    """A table whose values stay on disk until they are shown."""

    table: pa.Table
    _last: tuple[View, NDArray[np.int64] | None] = field(default=(View(), None), repr=False)

    @classmethod
    def in_file(cls, path: Path) -> Rows:
        """The rows of an Arrow file, which is mapped into memory, not read."""
        with pa.memory_map(str(path)) as source:
            return cls(pa.ipc.open_file(source).read_all())

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def page(self, view: View, *, start: int, count: int) -> tuple[int, list[dict[str, Any]]]:
        """The number of rows of a view, and some of them as texts; `row` is the row's number in the table, from 1."""
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
        """The values at some places as texts; slices, as taking from many chunks would copy whole columns."""
        part = pa.concat_tables([self.table.slice(0, 0), *(self.table.slice(int(place), 1) for place in places)])
        return {name: texts(part[name]).to_pylist() for name in part.column_names}

    def _order(self, view: View) -> NDArray[np.int64] | None:
        """The rows of a view in its order; None for all as they are."""
        if view == View():
            return None
        known, order = self._last
        if order is None or known != view:
            order = self._sorted(view, np.flatnonzero(self._kept(view)))
            self._last = (view, order)
        return order

    def _kept(self, view: View) -> NDArray[np.bool_]:
        """Which rows pass the filters of a view."""
        kept = np.ones(len(self), np.bool_)
        for name, text in view.containing:
            kept &= _true(pc.match_substring(self._column(name), text, ignore_case=True))
        for name, text in view.being:
            column = self._column(name)
            kept &= _true(pc.equal(column, pa.scalar(text, column.type)))
        return kept

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
        found: NDArray[np.int64] = rows[places.to_numpy()]
        return found


def _true(answers: pa.ChunkedArray) -> NDArray[np.bool_]:
    """The answers, where those on missing values are no."""
    found: NDArray[np.bool_] = pc.fill_null(answers, False).to_numpy()
    return found


def texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values of a column as texts."""
    column = _decoded(column)
    if _textual(column):
        return column
    if _wordless(column.type):
        values = [None if value is None else str(value) for value in column.to_pylist()]
        return pa.chunked_array([pa.array(values, pa.string())])
    return column.cast(pa.string())


def sortable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values so that numbers written as text are in the order of numbers, what is none of them being last."""
    column = _decoded(column)
    if not _textual(column):
        return texts(column) if _wordless(column.type) or pa.types.is_null(column.type) else column
    found = numbers_of(column)
    return _ranks(column) if found is None else found


def numbers_of(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Texts as numbers where at least half of them are such, those that are not being None."""
    number = pc.fill_null(pc.match_substring_regex(column, r"^-?\d+(\.\d+)?$"), False)
    numbers, values = pc.sum(number).as_py() or 0, len(column) - column.null_count
    if numbers == 0 or numbers < values / 2:
        return None
    return pc.if_else(number, column, pa.scalar(None, column.type)).cast(pa.float64())


def _ranks(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The places of texts in their order where a few come again and again, as these are sorted much faster."""
    sample = column.slice(0, 1 << 12)
    if len(sample) == 0 or pc.count_distinct(sample).as_py() > len(sample) / 4:
        return column
    parts = column.dictionary_encode().unify_dictionaries().chunks
    ranks = pc.rank(parts[0].dictionary)
    return pa.chunked_array([ranks.take(part.indices) for part in parts], ranks.type)


def _wordless(kind: pa.DataType) -> bool:
    """Whether Arrow has no words for values of a type: lists, records and bytes."""
    binary = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    return bool(pa.types.is_nested(kind) or any(test(kind) for test in binary))


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _textual(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))


def _clipped(text: str | None) -> str | None:
    return text if text is None or len(text) <= CLIP else text[: CLIP - 1] + "…"


def counts(column: pa.ChunkedArray, missing: Sequence[str]) -> dict[str, int]:
    """The values as texts and how many rows have each, the most frequent first; missing ones are left out."""
    found = pc.value_counts(texts(column).combine_chunks())
    if isinstance(found, pa.ChunkedArray):
        found = found.combine_chunks()
    values, numbers = found.field("values").to_pylist(), found.field("counts").to_numpy()
    order = np.argsort(-numbers, kind="stable").tolist()
    gone = {None, *missing}
    return {values[place]: int(numbers[place]) for place in order if values[place] not in gone}
