"""Rows: a table on disk of which a page at a time is looked at, sorted and filtered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

CLIP = 80  # signs of a value that are shown


@dataclass(frozen=True)
class View:
    """What is looked at: one order and what the values of some columns must contain."""

    sort: str | None = None
    descending: bool = False
    containing: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls, sort: str | None = None, *, descending: bool = False, containing: Mapping[str, str] | None = None
    ) -> View:
        """The view with those filters that are not empty."""
        kept = tuple((name, text) for name, text in (containing or {}).items() if text)
        return cls(sort, descending, kept)


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
        places = np.arange(start, min(start + count, total))
        if order is not None:
            places = order[places]
        part = self.table.take(pa.array(places)) if order is not None else self.table.slice(start, count)
        shown = {name: [_text(value) for value in part[name].to_pylist()] for name in part.column_names}
        return total, [
            {"row": int(place) + 1} | {name: values[number] for name, values in shown.items()}
            for number, place in enumerate(places)
        ]

    def _order(self, view: View) -> NDArray[np.int64] | None:
        """The rows of a view in its order; None for all as they are."""
        if view == View():
            return None
        known, order = self._last
        if order is None or known != view:
            order = self._sorted(view, np.flatnonzero(self._kept(view.containing)))
            self._last = (view, order)
        return order

    def _kept(self, containing: Sequence[tuple[str, str]]) -> NDArray[np.bool_]:
        kept = np.ones(len(self), np.bool_)
        for name, text in containing:
            column = pc.fill_null(texts(self.table[name]), "")
            kept &= pc.match_substring(column, text, ignore_case=True).to_numpy()
        return kept

    def _sorted(self, view: View, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if view.sort in (None, "row"):
            return rows[::-1] if view.descending and view.sort else rows
        keys = sortable(self.table[view.sort]).take(pa.array(rows))
        direction = "descending" if view.descending else "ascending"
        places = pc.sort_indices(pa.table({"key": keys}), sort_keys=[("key", direction)])
        order: NDArray[np.int64] = rows[places.to_numpy()]
        return order


def texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values of a column as texts."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column if pa.types.is_large_string(column.type) else column.cast(pa.string())


def sortable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values so that numbers written as text are in the order of numbers, what is none of them being last."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        return column
    number = pc.match_substring_regex(column, r"^-?\d+(\.\d+)?$")
    if pc.mean(pc.cast(pc.fill_null(number, False), pa.int8())).as_py() < 0.5:
        return column
    return pc.if_else(number, column, pa.scalar(None, column.type)).cast(pa.float64())


@lru_cache(maxsize=1 << 14)
def _clipped(text: str) -> str:
    return text if len(text) <= CLIP else text[: CLIP - 1] + "…"


def _text(value: object) -> str | None:
    return None if value is None else _clipped(str(value))


def counts(column: pa.ChunkedArray, missing: Sequence[str]) -> dict[str, int]:
    """The values as texts and how many rows have each, the most frequent first; missing ones are left out."""
    found = pc.value_counts(texts(column).combine_chunks())
    if isinstance(found, pa.ChunkedArray):
        found = found.combine_chunks()
    values, numbers = found.field("values").to_pylist(), found.field("counts").to_numpy()
    order = np.argsort(-numbers, kind="stable").tolist()
    gone = {None, *missing}
    return {values[place]: int(numbers[place]) for place in order if values[place] not in gone}
