"""Shuffle: rows in a random order that cannot be reproduced, on disk if they are too many for the memory.

Each row goes to a random bucket, and each bucket is shuffled by itself, so that every order is equally likely.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from shoal.data.arrow_categories import taken
from shoal.release.row_order import shuffled

BUCKET_BYTES = 1 << 26  # approximate size of a bucket
MAX_BUCKETS = 1 << 10
BATCH_ROWS = 1 << 18


class Shuffle:
    """Takes batches of about `rows` rows altogether and returns their rows in a random order.

    Beyond `max_bytes` they are kept in files in `folder`.
    """

    def __init__(self, rows: int, *, max_bytes: int, folder: Path) -> None:
        self._rows, self._max_bytes, self._folder = rows, max_bytes, folder
        self._held: list[list[pa.RecordBatch]] = []
        self._bytes = 0
        self.spilled = False

    def add(self, batch: pa.RecordBatch) -> None:
        """Add rows."""
        if not self._held:
            self._held = [[] for _ in range(self._buckets(batch))]
        buckets = np.frombuffer(os.urandom(2 * len(batch)), np.uint16) % len(self._held)  # a power of 2 of them
        order = np.argsort(buckets, kind="stable")
        starts = np.searchsorted(buckets[order], np.arange(len(self._held) + 1))
        rows = _in_order(batch, order)
        for held, start, end in zip(self._held, starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            if end > start:
                held.append(rows.slice(start, end - start))
        self._bytes += rows.nbytes
        if self._bytes > self._max_bytes:
            self._spill()

    def _buckets(self, batch: pa.RecordBatch) -> int:
        """Return a power of 2, such that buckets of batches like this one have a suitable size."""
        size = self._rows * int(batch.nbytes) // max(1, len(batch))
        return min(MAX_BUCKETS, 1 << max(0, size // BUCKET_BYTES).bit_length())

    def _spill(self) -> None:
        """Append the rows of each bucket to its file, as a stream of its own."""
        for number, held in enumerate(self._held):
            if held:
                with self._path(number).open("ab") as file:
                    table = _table(held)
                    with pa.ipc.new_stream(file, table.schema) as stream:
                        stream.write_table(table)
                held.clear()
        self._bytes, self.spilled = 0, True

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.shuffled"

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Iterate over all rows in a random order."""
        for number, held in enumerate(self._held):
            held += self._load(number)
            if not held:
                continue
            table = _table(held)
            held.clear()
            order = shuffled(len(table))
            batch = table.combine_chunks().to_batches()
            whole = batch[0] if len(batch) == 1 else pa.concat_batches(batch)
            del table, batch
            for start in range(0, order.size, BATCH_ROWS):
                yield _in_order(whole, order[start : start + BATCH_ROWS])

    def _load(self, number: int) -> list[pa.RecordBatch]:
        """Read the streams of a bucket, and remove its file."""
        if not self._path(number).exists():
            return []
        batches = []
        with self._path(number).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            while file.tell() < size:
                with pa.ipc.open_stream(file) as stream:
                    batches += list(stream)
        self._path(number).unlink()
        return batches


def _table(batches: list[pa.RecordBatch]) -> pa.Table:
    return pa.Table.from_batches(batches).unify_dictionaries()


def _in_order(batch: pa.RecordBatch, order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> pa.RecordBatch:
    rows = pa.array(order)
    return pa.RecordBatch.from_arrays([taken(column, rows) for column in batch.columns], schema=batch.schema)
