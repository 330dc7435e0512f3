"""Digests: a sum over the rows of a column that changes with each value and with its place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.csv_files import text_of
from shoal.kernels.rows import text_hashes, weighted_sum


class Digests:
    """The digests of columns as text; the same whatever the batches in which they come."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.sums = [0] * len(self.names)
        self._rows = 0

    def add(self, table: pa.Table | pa.RecordBatch) -> None:
        """Add the next rows."""
        for at, column in enumerate(table.columns):
            chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
            start = self._rows
            for chunk in chunks:
                hashes, places = _hashed(chunk)
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


def _hashed(column: pa.Array) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The hashes of the different values as text, that of the empty text for null last, and the place of each row's."""
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(text_of(column))
    values = pc.fill_null(text_of(column.dictionary).cast(pa.large_string()), "")
    values = pa.concat_arrays([values, pa.array([""], pa.large_string())])
    offsets = np.frombuffer(values.buffers()[1], np.int64)[values.offset : values.offset + len(values) + 1]
    data = values.buffers()[2]
    letters = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
    places = pc.fill_null(column.indices.cast(pa.int32()), len(values) - 1).to_numpy(zero_copy_only=False)
    return text_hashes(offsets, letters), places
