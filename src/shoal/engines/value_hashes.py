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
    return _hash_bytes(as_text(pa.chunked_array([values])).combine_chunks())


def hash_values(values: pa.Array) -> NDArray[np.uint64]:
    """Hash each value, of any type."""
    kind = values.type
    if isinstance(kind, pa.BaseExtensionType):
        return hash_values(values.storage)
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
