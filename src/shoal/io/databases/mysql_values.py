"""Values of MySQL: rows as the server sends them become Arrow columns, Arrow columns become SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

# The numbers that the protocol gives to types.
INTEGERS = {1: 8, 2: 16, 3: 32, 8: 64, 9: 32}  # their bits; 9 is MEDIUMINT
FLOAT, DOUBLE, NULL, TIMESTAMP, DATE, TIME, DATETIME, YEAR, BIT = 4, 5, 6, 7, 10, 11, 12, 13, 16
DECIMALS = (0, 246)
JSON = 245
# The flags and the character set of a column.
UNSIGNED, ENUM, SET = 32, 256, 2048
NO_CHARACTERS = 63
MAX_DIGITS = 38  # of a decimal128
# How a length begins that does not fit into one byte: how many bytes it has.
LONG = {252: 2, 253: 3, 254: 8}
MISSING = 251


@dataclass(frozen=True)
class Field:
    """A column of a result as the server describes it; `origin` is its database, table and name there."""

    name: str
    code: int
    length: int
    decimals: int
    flags: int
    has_characters: bool
    origin: tuple[str, str, str]

    @classmethod
    def of(cls, sent: Any) -> Field:
        """Take over what the driver knows of a column."""
        origin = (sent.db.decode(), sent.org_table, sent.org_name)
        characters = sent.charsetnr != NO_CHARACTERS
        return cls(sent.name, sent.type_code, sent.length, sent.scale, sent.flags, characters, origin)

    @property
    def lists_values(self) -> bool:
        """Whether the type is an ENUM or a SET."""
        return bool(self.flags & (ENUM | SET))

    @property
    def is_binary(self) -> bool:
        """Whether the values are bytes: a BLOB, a geometry, a type that is not known."""
        if self.code in (*INTEGERS, *DECIMALS, FLOAT, DOUBLE, NULL, TIMESTAMP, DATE, TIME, DATETIME, YEAR, BIT, JSON):
            return False
        return not self.has_characters

    @property
    def arrow_type(self) -> pa.DataType | None:
        """The Arrow type that holds the values, unless there are some that it cannot hold; None for text."""
        if self.code in INTEGERS:
            return getattr(pa, f"{'u' if self.flags & UNSIGNED else ''}int{INTEGERS[self.code]}")()
        if self.code in DECIMALS:
            digits = self.length - (not self.flags & UNSIGNED) - (self.decimals > 0)
            return (
                pa.decimal128(max(1, min(digits, MAX_DIGITS)), self.decimals) if self.decimals <= MAX_DIGITS else None
            )
        plain = {FLOAT: pa.float32(), DOUBLE: pa.float64(), DATE: pa.date32(), YEAR: pa.int16(), BIT: pa.uint64()}
        times = {TIME: pa.time64("us"), DATETIME: pa.timestamp("us"), TIMESTAMP: pa.timestamp("us", "UTC")}
        return (plain | times).get(self.code)


def split(rows: Sequence[bytes], width: int) -> list[pa.Array]:
    """Split rows, each the lengths and bytes of its values one after another, into columns of bytes."""
    content = np.frombuffer(b"".join(rows), np.uint8)
    ends = np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)))
    at = np.concatenate([[0], ends[:-1]])
    columns = []
    for _ in range(width):
        lengths = content[at].astype(np.int64)
        at = at + 1
        missing = lengths == MISSING
        lengths[missing] = 0
        for first, size in LONG.items():
            chosen = np.flatnonzero(lengths == first) if lengths.max() >= first else np.empty(0, np.int64)
            if len(chosen):
                digits = content[at[chosen, None] + np.arange(size)].astype(np.int64)
                lengths[chosen] = -(digits << (8 * np.arange(size))).sum(axis=1) - 1  # marked, as it may be 253 or 254
                at[chosen] += size
        lengths = np.where(lengths < 0, -lengths - 1, lengths)
        columns.append(_gathered(content, at, lengths, ~missing))
        at = at + lengths
    if not np.array_equal(at, ends):
        raise ValueError("the server sent rows that do not have the announced columns")
    return columns


def _gathered(
    content: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64], valid: NDArray[np.bool_]
) -> pa.Array:
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    bits = np.packbits(valid, bitorder="little")
    buffers = [pa.py_buffer(bits), pa.py_buffer(offsets), pa.py_buffer(content[places])]
    return pa.Array.from_buffers(pa.large_binary(), len(starts), buffers)


def typed(values: pa.ChunkedArray, field: Field) -> pa.ChunkedArray:
    """Convert bytes to the Arrow type of a column; leave them as text if it cannot hold a value, such as a zero date.

    Raises ArrowInvalid if they are not text in UTF-8.
    """
    if field.is_binary:
        return values
    if field.code == BIT:
        numbers = [None if value is None else int.from_bytes(value) for value in values.to_pylist()]
        return pa.chunked_array([pa.array(numbers, pa.uint64())])
    texts, wanted = values.cast(pa.string()), field.arrow_type
    try:
        if field.code == TIME:  # Arrow parses a time only with its day
            return pc.binary_join_element_wise("1970-01-01", texts, " ").cast(pa.timestamp("us")).cast(wanted)
        if field.code == TIMESTAMP:
            return texts.cast(pa.timestamp("us")).cast(wanted)  # the session's zone is UTC
        return texts if wanted is None else texts.cast(wanted)
    except pa.ArrowInvalid:
        return texts


def inserts(content: pa.RecordBatch, head: bytes, size: int) -> Iterator[bytes]:
    """Write rows as INSERT statements of about `size` bytes; only one of a single row is longer."""
    rows = pc.binary_join_element_wise(*map(_literals, content.columns), _text(","))
    rows = pc.binary_join_element_wise(_text("("), rows, _text("),"), _text(""))
    texts = memoryview(rows.buffers()[2])
    ends = np.frombuffer(rows.buffers()[1], np.int64)[rows.offset : rows.offset + len(rows) + 1]
    first = 0
    while first < len(rows):
        last = max(int(np.searchsorted(ends, ends[first] + size - len(head), "right")) - 1, first + 1)
        yield head + bytes(texts[ends[first] : ends[last] - 1])  # without the last comma
        first = last


def _literals(column: pa.Array) -> pa.Array:
    """Write values as literals of SQL."""
    kind = column.type
    if pa.types.is_boolean(kind):
        texts = column.cast(pa.int8()).cast(pa.large_string())
    elif pa.types.is_integer(kind):
        texts = column.cast(pa.large_string())
    elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        texts = pa.array([None if value is None else f"X'{value.hex()}'" for value in column.to_pylist()], _LARGE)
    else:
        texts = pc.binary_join_element_wise(_text("'"), _plain(column), _text("'"), _text(""))
    return pc.fill_null(texts, _text("NULL"))


def _plain(column: pa.Array) -> pa.Array:
    """Write values as the text between quotes."""
    kind = column.type
    if pa.types.is_floating(kind):
        return column.cast(pa.float64()).cast(_LARGE)  # every digit of a float of 32 bits
    if pa.types.is_timestamp(kind) and kind.tz:
        return column.cast(pa.timestamp(kind.unit)).cast(_LARGE)  # in UTC
    texts = column.cast(_LARGE)
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
        return texts
    for character, escaped in (("\\", "\\\\"), ("'", "''"), ("\0", "\\0")):
        texts = pc.replace_substring(texts, character, escaped)
    return texts


_LARGE = pa.large_string()


def _text(text: str) -> pa.Scalar:
    return pa.scalar(text, _LARGE)
