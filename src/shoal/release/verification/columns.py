"""Columns of a table as numbers of their different values, by Arrow's hashing of what is there."""

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
LARGE = 1 << 19  # rows from which several threads are worth their trouble
DENSE = 1 << 22  # pairs of two columns up to which each possible one has a place


@dataclass(frozen=True, eq=False)
class Numbered:
    """Equal values of a column numbered alike, the missing value being one of them, and the value of each number."""

    numbers: Numbers
    values: pa.Array

    @classmethod
    def of(cls, column: pa.ChunkedArray | pa.Array) -> Numbered:
        """Number the values of a column; those of categories by what they show."""
        if isinstance(column, pa.Array):
            column = pa.chunked_array([column])
        if pa.types.is_string_view(column.type):
            column = column.cast(pa.large_string())
        if not pa.types.is_dictionary(column.type):
            return cls(*_joined(pc.dictionary_encode(column, null_encoding="encode")))
        column = column.unify_dictionaries()
        places, dictionary = _joined(column)
        inner = pc.dictionary_encode(dictionary, null_encoding="encode")  # a file may name a value twice
        values, number_of = inner.dictionary, inner.indices.to_numpy(zero_copy_only=False)
        if column.null_count:
            null = pc.index_in(pa.nulls(1, values.type), value_set=values)[0].as_py()
            if null is None:
                null, values = len(values), pa.concat_arrays([values, pa.nulls(1, values.type)])
            number_of = np.append(number_of, np.int32(null))
        return cls(number_of[places].astype(np.int32), values)

    def at(self, rows: Ints | None) -> Numbered:
        """These rows of the column, in this order."""
        return self if rows is None else Numbered(self.numbers[rows], self.values)

    def __len__(self) -> int:
        return len(self.values)


def _joined(column: pa.ChunkedArray) -> tuple[Numbers, pa.Array]:
    """The places of all rows in the dictionary of the last chunk, which has those of the others; −1 for null."""
    numbers, at = np.empty(len(column), np.int32), 0
    dictionary = pa.array([], column.type.value_type)
    for chunk in column.chunks:
        places = chunk.indices if not chunk.indices.null_count else pc.fill_null(chunk.indices.cast(pa.int32()), -1)
        numbers[at : at + len(chunk)] = places.to_numpy(zero_copy_only=False)
        at += len(chunk)
        dictionary = chunk.dictionary if len(chunk.dictionary) > len(dictionary) else dictionary
    return numbers, dictionary


def used_values(column: Numbered) -> Numbered:
    """The same with those values alone that a row has, as a dictionary may name many more."""
    if len(column) <= column.numbers.size // 8:
        return column
    there = np.zeros(len(column), np.bool_)
    there[column.numbers] = True
    number_of = (np.cumsum(there) - 1).astype(np.int32)
    return Numbered(number_of[column.numbers], column.values.filter(pa.array(there)))


def different_pairs(one: Numbered, other: Numbered) -> tuple[Ints, Ints]:
    """The numbers of the values in each different pair that stands in a row of two columns."""
    width = max(1, len(other))
    keys = one.numbers.astype(np.int64) * width + other.numbers
    if len(one) * width <= max(DENSE, 4 * keys.size):
        seen = np.zeros(len(one) * width, np.bool_)
        seen[keys] = True
        found = np.flatnonzero(seen)
    else:
        found = pc.unique(pa.array(keys)).to_numpy()
    return found // width, found % width


def first_row(one: Numbered, other: Numbered, *, pair: tuple[int, int]) -> int:
    """The first row in which a pair of values stands."""
    return int(np.flatnonzero((one.numbers == pair[0]) & (other.numbers == pair[1]))[0])


class Remembered:
    """The columns of a table, each numbered once."""

    def __init__(self, column: Callable[[str], Any]) -> None:
        self._column = column
        self._known: dict[str, Numbered] = {}

    def __getitem__(self, name: str) -> Numbered:
        if name not in self._known:
            self._known[name] = self._number(name)
        return self._known[name]

    def _number(self, name: str) -> Numbered:
        found = used_values(Numbered.of(self._column(name)))
        smallest = np.min_scalar_type(max(0, len(found) - 1))  # as they may be kept for long
        return Numbered(found.numbers.astype(smallest), found.values) if smallest.itemsize < 4 else found

    def prepare(self, names: Sequence[str], rows: int) -> None:
        """Number several columns of a large table at once, as Arrow does without Python."""
        new = [name for name in names if name not in self._known]
        if rows >= LARGE and len(new) > 1:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                self._known |= dict(zip(new, pool.map(self._number, new), strict=True))
