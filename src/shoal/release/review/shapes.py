"""The shape of the values of a column: e-mail addresses, codes, numbers, full names and the like."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from shoal.release.row_order import storage

Shape = Literal[
    "date", "measure", "number", "e-mail", "uuid", "device", "hash", "phone", "code", "full name", "other", "none"
]
SAMPLE_ROWS = 20_000
SAMPLE_VALUES = 1000
MOST = 0.9  # of the values have the shape
LONG_NUMBER = 8  # digits
HASH_BYTES = (16, 20, 32, 64)  # of a UUID and of common hashes
NAME = r"[^\W\d_][^\W\d_'’.-]*(?:['’.-][^\W\d_]*)*"
DAY = r"(0[1-9]|[12]\d|3[01])"
# The first that fits counts.
SHAPES: dict[Shape, re.Pattern[str]] = {
    "date": re.compile(
        rf"\d{{4}}[-/.]\d\d?[-/.]\d\d?([T ].*)?|\d\d?[-/.]\d\d?[-/.]\d{{2,4}}( .*)?|(19|20)\d\d(0[1-9]|1[0-2]){DAY}"
        r"|\d\d?:\d\d(:\d\d([.,]\d+)?)?"
    ),
    "measure": re.compile(r"[-+]?[$€£]?\d{1,3}(,\d{3})+(\.\d+)?|[-+]?[$€£]?\d*[.,]\d+(e[-+]?\d+)?|-\d+", re.IGNORECASE),
    "number": re.compile(r"\d+"),
    "e-mail": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    "uuid": re.compile(r"\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?", re.IGNORECASE),
    "device": re.compile(
        r"(\d{1,3}\.){3}\d{1,3}|([0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}|([0-9a-f]{2}[:-]){5}[0-9a-f]{2}", re.IGNORECASE
    ),
    "hash": re.compile(r"[0-9a-f]{12,}", re.IGNORECASE),
    "phone": re.compile(r"(?=(?:\D*\d){7,}\D*$)\+?[\d ()/.-]+"),
    "code": re.compile(r"(?=.*\d)(?=.*[^\W\d_])\w[\w./:#-]{3,}"),
    "full name": re.compile(rf"{NAME},?(?: {NAME}){{1,3}}"),
}


def sample_of(column: pa.ChunkedArray | pa.Array, missing: Collection[str]) -> list[str]:
    """Return some distinct values of a column as text, from rows all over it; none of a type that has no such text."""
    step = max(1, len(column) // SAMPLE_ROWS)
    rows = column.slice(0, SAMPLE_ROWS) if step == 1 else column.take(pa.array(range(0, len(column), step)))
    try:
        values = pc.unique(storage(rows)).to_pylist()
    except (pa.ArrowException, ValueError, OverflowError):  # such as lists, or years after 9999
        return []
    texts = (_text(value) for value in values[: 2 * SAMPLE_VALUES])
    return [text for text in texts if text.strip() and text not in missing][:SAMPLE_VALUES]


def shape_of(sample: Collection[str]) -> Shape:
    """Return the shape that most values of a sample have."""
    if not sample:
        return "none"
    for shape, pattern in SHAPES.items():
        if sum(pattern.fullmatch(text) is not None for text in sample) >= MOST * len(sample):
            return shape
    return "other"


def are_long_numbers(sample: Collection[str]) -> bool:
    """Return whether whole numbers have the same, large number of digits, or zeros in front."""
    lengths = {len(text) for text in sample}
    zeros = any(text.startswith("0") and text.strip("0") for text in sample)
    return max(lengths) >= LONG_NUMBER - 2 * zeros and len(lengths) == 1


def _text(value: Any) -> str:
    """Write a value; whole numbers that are stored as decimals, as in a column with missing values, without a point."""
    if value is None or value != value:
        return ""
    if isinstance(value, bytes):
        return _text_of_bytes(value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _text_of_bytes(value: bytes) -> str:
    """Decode a text; write a hash as hexadecimal digits, and nothing else."""
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = "\0"
    if text.isprintable():
        return text
    return value.hex() if len(value) in HASH_BYTES else ""
