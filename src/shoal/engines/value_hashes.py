"""Hashes of the values of Arrow columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.arrow_text import as_text, is_text
from shoal.kernels.rows import text_hashes

NULL_HASH = np.uint64(0x9E3779B97F4A7C15)


def hash_texts(values: pa.Array) -> NDArray[np.uint64]:
    """Hash each value as a CSV file shows it."""
    return text_hashes(*_bytes_of_texts(as_text(pa.chunked_array([values])).combine_chunks()))


def hash_values(values: pa.Array) -> NDArray[np.uint64]:
    """Hash each value, of any type."""
    if isinstance(values.type, pa.BaseExtensionType):
        return hash_values(values.storage)
    null = pa.types.is_null(values.type)
    hashes = np.zeros(len(values), np.uint64) if null else text_hashes(*bytes_of(values))
    valid = values.is_valid().to_numpy(zero_copy_only=False)
    return hashes if valid.all() else np.where(valid, hashes, NULL_HASH)


def bytes_of(values: pa.Array) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return bytes that distinguish the values, of any type but null, and where those of each value begin and end."""
    kind = values.type
    if isinstance(kind, pa.BaseExtensionType):
        return bytes_of(values.storage)
    if pa.types.is_nested(kind):
        return _bytes_of_texts(pa.array(list(map(repr, values.to_pylist())), pa.string()))
    if is_text(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        return _bytes_of_texts(values)
    if pa.types.is_boolean(kind):
        values = values.cast(pa.uint8())
    width = values.type.bit_width // 8
    raw = np.frombuffer(values.buffers()[1], np.uint8, len(values) * width, values.offset * width)
    return np.arange(len(values) + 1, dtype=np.int64) * width, raw


def _bytes_of_texts(values: pa.Array) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    values = values.cast(pa.large_binary())
    offsets = np.frombuffer(values.buffers()[1], np.int64)[values.offset : values.offset + len(values) + 1]
    data = values.buffers()[2]
    return offsets, np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
