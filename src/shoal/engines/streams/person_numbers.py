"""PersonNumbers: the people of a table that is read batch by batch, numbered by the column that names them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import is_text, plain
from shoal.data.unit import named_units
from shoal.engines.similar_names import surplus
from shoal.engines.value_hashes import bytes_of
from shoal.errors import InputError
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.rows import number_texts, place_rows, text_hashes

MAX_PEOPLE = 2**31 - 1
PART = 1 << 20  # names to compare at a time


class PersonNumbers:
    """Gives equal names the same number, in the order of their first appearance; the names themselves are compared.

    The rows that name nobody get the numbers −1, −2, … in the order in which they are read.
    """

    def __init__(self, name: str, missing_values: Sequence[str]) -> None:
        self.name, self._missing_values = name, tuple(missing_values)
        self.people = 0
        self.nobodies = 0  # rows that name nobody
        self._rows = 0
        self._are_text = False
        self._nobody_at: list[Longs] = []
        self._slots = np.full(1 << 10, -1, np.int32)
        self._hashes, self._ends = np.empty(0, np.uint64), np.empty(0, np.int64)
        self._store = np.empty(0, np.uint8)

    def restart(self) -> None:
        """Begin to read the table again."""
        self._rows = self.nobodies = 0
        self._nobody_at = []

    def add(self, column: pa.Array, *, learn: bool) -> Ints:
        """Return the number of each row's person; a new name is learned or else refused."""
        numbers = self._numbers(column, learn=learn)
        absent = np.flatnonzero(numbers < 0)
        numbers[absent] = -1 - self.nobodies - np.arange(absent.size, dtype=np.int32)
        self.nobodies += absent.size
        self._nobody_at += [self._rows + absent] if absent.size else []
        self._rows += len(column)
        if self.people + self.nobodies > MAX_PEOPLE:
            raise InputError(f"Column {self.name!r} names more than {MAX_PEOPLE:,} people: release the table in parts.")
        return numbers

    def similar(self) -> int:
        """Return how many names differ from another one only in blanks or in upper and lower case."""
        return surplus(self._texts()) if self._are_text else 0

    def _texts(self) -> Iterator[pa.Array]:
        """Yield all names, some at a time."""
        begins = np.concatenate([np.zeros(1, np.int64), self._ends[: self.people]])
        for first in range(0, self.people, PART):
            offsets = begins[first : first + PART + 1]
            store = pa.py_buffer(self._store[offsets[0] : offsets[-1]])
            buffers = [None, pa.py_buffer(offsets - offsets[0]), store]
            yield pa.Array.from_buffers(pa.large_string(), offsets.size - 1, buffers)

    def row_of(self, number: int) -> int:
        """Return the row, from 0, that names nobody and has this number."""
        return int(np.concatenate(self._nobody_at)[-1 - number])

    def _numbers(self, column: pa.Array, *, learn: bool) -> Ints:
        if pa.types.is_null(column.type):
            return np.full(len(column), -1, np.int32)
        if not pa.types.is_dictionary(column.type):
            return self._numbers_of_values(column, learn=learn)
        used = pc.unique(column.indices).drop_null()  # a dictionary may hold values that no row has
        number_of = np.full(len(column.dictionary) + 1, -1, np.int32)
        number_of[used.to_numpy()] = self._numbers_of_values(column.dictionary.take(used), learn=learn)
        rows = pc.fill_null(column.indices.cast(pa.int64()), len(column.dictionary))
        numbers: Ints = number_of[rows.to_numpy(zero_copy_only=False)]
        return numbers

    def _numbers_of_values(self, values: pa.Array, *, learn: bool) -> Ints:
        if isinstance(values.type, pa.BaseExtensionType):
            values = values.storage
        named = named_units(plain(values), self._missing_values)
        self._are_text |= is_text(named.type)
        present = named.is_valid().to_numpy(zero_copy_only=False)
        numbers = np.full(len(named), -1, np.int32)
        if present.any():
            numbers[present] = self._known_numbers(*bytes_of(named.drop_null()), learn=learn)
        return numbers

    def _known_numbers(self, offsets: Longs, letters: NDArray[np.uint8], *, learn: bool) -> Ints:
        count, size = offsets.size - 1, int(offsets[-1] - offsets[0])
        before = self.people
        self._make_room(before + count, int(self._ends[before - 1]) + size if before else size)
        hashes = text_hashes(offsets, letters)
        self.people, numbers = number_texts(
            offsets, letters, hashes, self._slots, self._hashes, self._ends, self._store, before
        )
        if self.people > before and not learn:
            raise InputError(
                f"Column {self.name!r} has a value that was not there before: the input changed while it was read."
            )
        return numbers

    def _make_room(self, people: int, size: int) -> None:
        """Enlarge the arrays for so many people and so many bytes of names."""
        if size > self._store.size:
            self._store = _enlarged(self._store, 2 * size)
        if people > self._ends.size:
            self._ends, self._hashes = _enlarged(self._ends, 2 * people), _enlarged(self._hashes, 2 * people)
        slots = 1 << (2 * people - 1).bit_length()
        if slots > self._slots.size:
            self._slots = np.full(slots, -1, np.int32)
            place_rows(self._hashes[: self.people], self._slots)


def _enlarged(array: NDArray[Any], size: int) -> NDArray[Any]:
    larger = np.empty(size, array.dtype)
    larger[: array.size] = array
    return larger
