"""Digests: a checksum of each column that depends on every value and its row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import as_text, is_text
from shoal.kernels.rows import text_hashes, weighted_sum

NULL_HASH = np.uint64(0x9E3779B97F4A7C15)


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
            chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
            start = self._rows
            for chunk in chunks:
                hashes, places = hashed(chunk, text=self.text)
                self.sums[at] = (self.sums[at] + int(weighted_sum(hashes, places, start))) % 2**64
                start += len(chunk)
        self._rows += table.num_rows

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Digests) and (self.names, self.sums) == (other.names, other.sums)

    __hash__ = None  # type: ignore[assignment]

    def different(self, other: Digests) -> str:
        """Return the first column whose digest differs from the other's, or an empty text."""
        pairs = zip(self.names, other.names, self.sums, other.sums, strict=True)
        return next((name for name, other_name, a, b in pairs if (name, a) != (other_name, b)), "")


def hashed(column: pa.Array, *, text: bool) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return the hashes of the values, that of null last, and the place of each row's value among them."""
    if pa.types.is_dictionary(column.type):
        places, values = column.indices, column.dictionary
        places = places if places.type == pa.int32() else places.cast(pa.int32())
    else:
        places, values = pa.array(np.arange(len(column), dtype=np.int32)), column
        if is_text(column.type):
            encoded = pc.dictionary_encode(column)
            places, values = encoded.indices, encoded.dictionary
    hashes, null = (_hash_texts(values), _hash_texts(pa.array([""]))[0]) if text else (_hash_values(values), NULL_HASH)
    hashes = np.append(hashes, null)
    places = pc.fill_null(places, len(hashes) - 1) if places.null_count else places
    return hashes, places.to_numpy(zero_copy_only=False)


def _hash_texts(values: pa.Array) -> NDArray[np.uint64]:
    """Hash each value as a CSV file shows it."""
    return _hash_bytes(as_text(pa.chunked_array([values])).combine_chunks())


def _hash_values(values: pa.Array) -> NDArray[np.uint64]:
    """Hash each value, of any type."""
    kind = values.type
    if isinstance(kind, pa.BaseExtensionType):
        return _hash_values(values.storage)
    if pa.types.is_nested(kind):
        hashes = _hash_bytes(pa.array(list(map(repr, values.to_pylist()))))
    elif is_text(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        hashes = _hash_bytes(values)
    elif pa.types.is_null(kind):
        hashes = np.zeros(len(values), np.uint64)
    else:
        hashes = _hash_fixed_width(values)
    valid = values.is_valid().to_numpy(zero_copy_only=False)
    return hashes if valid.all() else np.where(valid, hashes, NULL_HASH)


def _hash_bytes(values: pa.Array) -> NDArray[np.uint64]:
    """Hash texts and binary values by their bytes."""
    values = values.cast(pa.large_binary())
    offsets = np.frombuffer(values.buffers()[1], np.int64)[values.offset : values.offset + len(values) + 1]
    data = values.buffers()[2]
    content = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
    return text_hashes(offsets, content)


def _hash_fixed_width(values: pa.Array) -> NDArray[np.uint64]:
    """Hash numbers, times and the like by the bytes that store them."""
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.uint8())
    width = values.type.bit_width // 8
    raw = np.frombuffer(values.buffers()[1], np.uint8, len(values) * width, values.offset * width)
    return text_hashes(np.arange(len(values) + 1, dtype=np.int64) * width, raw)
