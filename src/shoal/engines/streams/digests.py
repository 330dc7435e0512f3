"""Digests: checksums of columns that depend on every value and its row, or of rows in any order."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import is_text
from shoal.engines.value_hashes import NULL_HASH, hash_texts, hash_values
from shoal.kernels.rows import join_hashes, weighted_sum


class Digests:
    """The digests of columns, independent of how rows are split into batches; `text` compares values as CSV text."""

    def __init__(self, names: Sequence[str], *, text: bool) -> None:
        self.names = list(names)
        self.text = text
        self.sums = [0] * len(self.names)
        self._rows = 0

    def add(self, table: pa.Table | pa.RecordBatch) -> None:
        """Add the next rows."""
        for at, column in enumerate(table.columns):
            start = self._rows
            for chunk in _chunks(column):
                hashes, places = _hashed(chunk, text=self.text)
                self.sums[at] = (self.sums[at] + int(weighted_sum(hashes, places, start))) % 2**64
                start += len(chunk)
        self._rows += table.num_rows

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Digests) and (self.names, self.sums) == (other.names, other.sums)

    __hash__ = None  # type: ignore[assignment]

    def again(self, names: Sequence[str]) -> Digests:
        """Return empty digests to compare with these."""
        return Digests(names, text=self.text)

    def different(self, other: Digests) -> str:
        """Return the first column whose digest differs from the other's, or an empty text."""
        pairs = zip(self.names, other.names, self.sums, other.sums, strict=True)
        return next((name for name, other_name, a, b in pairs if (name, a) != (other_name, b)), "")


class RowDigest:
    """A digest of whole rows that does not depend on how they are split into batches.

    It depends on their order only if they are added with their numbers.

    The salt is random, so that nobody can construct other rows with the same digest; those to compare share it.
    """

    def __init__(self, names: Sequence[str], *, text: bool, salt: int | None = None) -> None:
        self.names = list(names)
        self.text = text
        self.salt = secrets.randbits(64) if salt is None else salt
        self.rows = self.sum = 0

    def again(self, names: Sequence[str]) -> RowDigest:
        """Return an empty digest to compare with this one."""
        return RowDigest(names, text=self.text, salt=self.salt)

    def add(self, batch: pa.RecordBatch, *, start: int | None = None) -> None:
        """Add rows, in any order; with the number of the first, each of them counts with its number."""
        totals = np.full(len(batch), self.salt, np.uint64)
        if start is not None:
            places = np.arange(len(batch), dtype=np.int32)
            join_hashes(np.uint64(start) + places.astype(np.uint64), places, totals)
        for column in batch.columns:
            join_hashes(*_hashed(column, text=self.text), totals)
        self.rows += len(batch)
        self.sum = (self.sum + int(totals.sum())) % 2**64

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowDigest) and self._state == other._state

    __hash__ = None  # type: ignore[assignment]

    @property
    def _state(self) -> tuple[list[str], int, int, int]:
        return self.names, self.salt, self.rows, self.sum


def _chunks(column: pa.Array | pa.ChunkedArray) -> list[pa.Array]:
    return column.chunks if isinstance(column, pa.ChunkedArray) else [column]


def _hashed(column: pa.Array, *, text: bool) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return the hashes of the values, that of null last, and the place of each row's value among them."""
    if pa.types.is_dictionary(column.type):
        places, values = column.indices, column.dictionary
        places = places if places.type == pa.int32() else places.cast(pa.int32())
    else:
        places, values = pa.array(np.arange(len(column), dtype=np.int32)), column
        if is_text(column.type):
            encoded = pc.dictionary_encode(column)
            places, values = encoded.indices, encoded.dictionary
    hashes, null = (hash_texts(values), hash_texts(pa.array([""]))[0]) if text else (hash_values(values), NULL_HASH)
    hashes = np.append(hashes, null)
    places = pc.fill_null(places, len(hashes) - 1) if places.null_count else places
    return hashes, places.to_numpy(zero_copy_only=False)
