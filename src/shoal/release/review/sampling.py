"""Sample: some values of a column as text, from rows all over it, whatever its type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_text import plain
from shoal.release.review.tally import MARKS
from shoal.release.row_order import storage

SAMPLE_ROWS = 20_000
SAMPLE_VALUES = 1000
UNEVEN = 40_009  # a prime by which steps differ
FILLED = 0.2  # of the rows that have one value
FEW_DIFFERENT = 9  # values, which are categories however often they occur
HASH_BYTES = (16, 20, 32, 64)  # of a UUID and of common hashes
LISTS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)


@dataclass(frozen=True)
class Sample:
    """Different values of a column as text, and how often they are in the rows that were looked at.

    texts     at most SAMPLE_VALUES different values, spread over all of them in the order of their texts
    counts    the number of rows of each different value, the most frequent first
    column    all its rows
    """

    texts: tuple[str, ...]
    counts: tuple[int, ...]
    column: pa.ChunkedArray

    @classmethod
    def of(cls, column: pa.ChunkedArray | pa.Array, missing: Collection[str] = ()) -> Sample:
        """Look at some rows of a column; those of an unknown type have no text."""
        column = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
        counted = _texts(column)
        for text in [text for text in counted if not text.strip() or text in MARKS or text in missing]:
            del counted[text]
        texts = sorted(counted)
        if len(texts) > SAMPLE_VALUES:
            texts = [texts[at * len(texts) // SAMPLE_VALUES] for at in range(SAMPLE_VALUES)]
        return cls(tuple(texts), tuple(sorted(counted.values(), reverse=True)), column)

    @property
    def seen(self) -> int:
        """The number of rows that were looked at and have a value."""
        return sum(self.counts)

    @property
    def different(self) -> int:
        """The number of different values in these rows."""
        return len(self.counts)

    @property
    def own(self) -> float:
        """The number of different values over that of the rows.

        A value that fills many rows, as `none` does where few have something to say, does not count.
        """
        filled = self.counts[0] if len(self.counts) > FEW_DIFFERENT and self.counts[0] >= FILLED * self.seen else 0
        return (self.different - bool(filled)) / (self.seen - filled) if self.counts else 0.0

    @cached_property
    def own_of_all(self) -> float:
        """The number of different values over that of the rows, of all rows of the column."""
        if len(self.column) <= SAMPLE_ROWS:
            return self.different / max(1, self.seen)
        values = storage(self.column)
        return float(pc.count_distinct(values).as_py() / max(1, len(values) - values.null_count))

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The values that are whole numbers."""
        return tuple(int(text) for text in self.texts if text.isdecimal() and text.isascii() and len(text) < 30)


def spread(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return rows at nearly equal distances, all over a column; all rows if they are few."""
    rows = len(column)
    if rows <= SAMPLE_ROWS:
        return column
    steps = np.arange(SAMPLE_ROWS)
    places = steps * rows // SAMPLE_ROWS + steps * UNEVEN % (rows // SAMPLE_ROWS)  # rows may alternate
    start, parts = 0, []
    for chunk in column.chunks:  # Arrow would copy all chunks into one first
        here = places[(places >= start) & (places < start + len(chunk))] - start
        parts.append(chunk.take(pa.array(here)))
        start += len(chunk)
    return pa.chunked_array(parts, column.type)


def _texts(column: pa.ChunkedArray) -> Counter[str]:
    """Count the values of some rows by their texts; of lists, those of the items."""
    if pa.types.is_duration(column.type):
        return Counter()  # which are measured
    try:
        rows = plain(storage(spread(column)))
        while any(of(rows.type) for of in LISTS):
            rows = spread(plain(storage(pc.list_flatten(rows))))
        counted = pc.value_counts(rows)
        values, counts = counted.field("values").to_pylist(), counted.field("counts").to_pylist()
    except (pa.ArrowException, ValueError, OverflowError, TypeError):  # such as structs, or years after 9999
        return Counter()
    found: Counter[str] = Counter()
    for value, count in zip(values, counts, strict=True):
        found[_text(value)] += count
    return found


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
