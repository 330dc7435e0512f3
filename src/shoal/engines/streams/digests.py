"""Digests: a checksum of each column that depends on every value and its row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import is_text
from shoal.engines.value_hashes import NULL_HASH, hash_texts, hash_values
from shoal.kernels.rows import weighted_sum


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
                hashes, places = _hashed(chunk, text=self.text)
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
