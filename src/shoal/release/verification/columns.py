"""Columns as numbers of their distinct values, by Arrow's hashing of the values."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Numbers = NDArray[np.integer[Any]]
Ints = NDArray[np.int64]
MIN_ROWS_FOR_THREADS = 1 << 19
MAX_DENSE_PAIRS = 1 << 22  # of values of two columns, for which a flag per possible pair is affordable


@dataclass(frozen=True, eq=False)
class Numbered:
    """A column as numbers of its distinct values, including the missing one, and the value of each number."""

    numbers: Numbers
    values: pa.Array

    @classmethod
    def of(cls, column: pa.ChunkedArray | pa.Array) -> Numbered:
        """Number the values of a column; categories are numbered by value, not by index."""
        if isinstance(column, pa.Array):
            column = pa.chunked_array([column])
        if pa.types.is_string_view(column.type):
            column = column.cast(pa.large_string())
        if not pa.types.is_dictionary(column.type):
            return cls(*_joined(pc.dictionary_encode(column, null_encoding="encode")))
        column = column.unify_dictionaries()
        places, dictionary = _joined(column)
        inner = pc.dictionary_encode(dictionary, null_encoding="encode")  # a file may contain a category twice
        values, number_of = inner.dictionary, inner.indices.to_numpy(zero_copy_only=False)
        if column.null_count:
            null = pc.index_in(pa.nulls(1, values.type), value_set=values)[0].as_py()
            if null is None:
                null, values = len(values), pa.concat_arrays([values, pa.nulls(1, values.type)])
            number_of = np.append(number_of, np.int32(null))
        return cls(number_of[places].astype(np.int32, copy=False), values)

    def at(self, rows: Ints | None) -> Numbered:
        """Select rows of the column, in this order."""
        return self if rows is None else Numbered(self.numbers[rows], self.values)

    def __len__(self) -> int:
        return len(self.values)


def _joined(column: pa.ChunkedArray) -> tuple[Numbers, pa.Array]:
    """Return the indices of all rows in the largest dictionary, which contains the others; −1 for null."""
    if column.num_chunks == 1 and not column.null_count:
        return column.chunk(0).indices.to_numpy(), column.chunk(0).dictionary
    numbers, at = np.empty(len(column), np.int32), 0
    dictionary = pa.array([], column.type.value_type)
    for chunk in column.chunks:
        places = chunk.indices if not chunk.indices.null_count else pc.fill_null(chunk.indices.cast(pa.int32()), -1)
        numbers[at : at + len(chunk)] = places.to_numpy(zero_copy_only=False)
        at += len(chunk)
        dictionary = chunk.dictionary if len(chunk.dictionary) > len(dictionary) else dictionary
    return numbers, dictionary


def used_values(column: Numbered) -> Numbered:
    """Drop values that no row has, unless they are few: a dictionary may contain many."""
    if len(column) <= column.numbers.size // 8:
        return column
    present = np.zeros(len(column), np.bool_)
    present[column.numbers] = True
    number_of = (np.cumsum(present) - 1).astype(np.int32)
    return Numbered(number_of[column.numbers], column.values.filter(pa.array(present)))


def different_pairs(left: Numbered, right: Numbered) -> tuple[Ints, Ints]:
    """Return the distinct pairs of values in the rows of two columns, as numbers."""
    width = max(1, len(right))
    keys = left.numbers.astype(np.int64) * width + right.numbers
    if len(left) * width <= max(MAX_DENSE_PAIRS, 4 * keys.size):
        seen = np.zeros(len(left) * width, np.bool_)
        seen[keys] = True
        distinct = np.flatnonzero(seen)
    else:
        distinct = pc.unique(pa.array(keys)).to_numpy()
    return distinct // width, distinct % width


def first_row(left: Numbered, right: Numbered, *, pair: tuple[int, int]) -> int:
    """Return the first row that contains a pair of values."""
    return int(np.flatnonzero((left.numbers == pair[0]) & (right.numbers == pair[1]))[0])


class Remembered(dict[str, Numbered]):
    """The columns of a table, each numbered once."""

    def __init__(self, column: Callable[[str], Any]) -> None:
        self._column = column

    def __missing__(self, name: str) -> Numbered:
        column = used_values(Numbered.of(self._column(name)))
        smallest = np.min_scalar_type(max(0, len(column) - 1))  # the numbers may be held for long
        self[name] = Numbered(column.numbers.astype(smallest), column.values) if smallest.itemsize < 4 else column
        return self[name]

    def prepare(self, names: Sequence[str], rows: int) -> None:
        """Number several columns of a large table in parallel, as Arrow works without Python's lock."""
        new = [name for name in names if name not in self]
        if rows >= MIN_ROWS_FOR_THREADS and len(new) > 1:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(self.__getitem__, new))
