"""Digests: a sum over the rows of a column that changes with each value and with its place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import as_text, is_text
from shoal.kernels.rows import text_hashes, weighted_sum

NULL = np.uint64(0x9E3779B97F4A7C15)


class Digests:
    """The digests of columns, the same whatever the batches in which they come; those of a CSV are by `text`."""

    def __init__(self, names: Sequence[str], *, text: bool) -> None:
        self.names = list(names)
        self.text = text
        self.sums = [0] * len(self.names)
        self._rows = 0

    def add(self, table: pa.Table | pa.RecordBatch) -> None:
        """Add the next rows."""
        for at, column in enumerate(table.columns):
            chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
            start = self._rows
            for chunk in chunks:
                hashes, places = _hashed(chunk, text=self.text)
                self.sums[at] = (self.sums[at] + int(weighted_sum(hashes, places, start))) % 2**64
                start += len(chunk)
        self._rows += table.num_rows

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Digests) and (self.names, self.sums) == (other.names, other.sums)

    __hash__ = None  # type: ignore[assignment]

    def different(self, other: Digests) -> str:
        """The first column that is not as in the other, or \"\"."""
        pairs = zip(self.names, other.names, self.sums, other.sums, strict=True)
        return next((name for name, theirs, a, b in pairs if (name, a) != (theirs, b)), "")


def _hashed(column: pa.Array, *, text: bool) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The hashes of values, that of null last, and the place of each row's value among them."""
    if pa.types.is_dictionary(column.type):
        places, values = column.indices, column.dictionary
        places = places if places.type == pa.int32() else places.cast(pa.int32())
    else:
        places, values = pa.array(np.arange(len(column), dtype=np.int32)), column
        if is_text(column.type):
            encoded = pc.dictionary_encode(column)
            places, values = encoded.indices, encoded.dictionary
    hashes, null = (_of_texts(values), _of_texts(pa.array([""]))[0]) if text else (_of_values(values), NULL)
    hashes = np.append(hashes, null)
    places = pc.fill_null(places, len(hashes) - 1) if places.null_count else places
    return hashes, places.to_numpy(zero_copy_only=False)


def _of_texts(values: pa.Array) -> NDArray[np.uint64]:
    """The hash of each value as a CSV has it."""
    return _of_bytes(as_text(pa.chunked_array([values])).combine_chunks())


def _of_values(values: pa.Array) -> NDArray[np.uint64]:
    """The hash of each value, whatever its type."""
    kind = values.type
    if isinstance(kind, pa.BaseExtensionType):
        return _of_values(values.storage)
    if pa.types.is_nested(kind):
        hashes = _of_bytes(pa.array(list(map(repr, values.to_pylist()))))
    elif is_text(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        hashes = _of_bytes(values)
    elif pa.types.is_null(kind):
        hashes = np.zeros(len(values), np.uint64)
    else:
        hashes = _of_bits(values)
    there = values.is_valid().to_numpy(zero_copy_only=False)
    return hashes if there.all() else np.where(there, hashes, NULL)


def _of_bytes(values: pa.Array) -> NDArray[np.uint64]:
    values = values.cast(pa.large_binary())
    offsets = np.frombuffer(values.buffers()[1], np.int64)[values.offset : values.offset + len(values) + 1]
    data = values.buffers()[2]
    letters = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
    return text_hashes(offsets, letters)


def _of_bits(values: pa.Array) -> NDArray[np.uint64]:
    """The hash of numbers, times and the like by the bytes that they are stored in."""
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.uint8())
    width = values.type.bit_width // 8
    raw = np.frombuffer(values.buffers()[1], np.uint8, len(values) * width, values.offset * width)
    return text_hashes(np.arange(len(values) + 1, dtype=np.int64) * width, raw)
