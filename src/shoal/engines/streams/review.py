"""RepeatedValues: how often the values of a column repeat, counted in the pass that counts rows."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.engines.scan import Scan
from shoal.engines.streams.digests import hashed
from shoal.release.request import Request
from shoal.release.review.repeated_people import Suspect, columns_to_review, suspects
from shoal.release.review.shapes import sample_of
from shoal.release.review.tally import Tally, missing_in
from shoal.release.row_order import storage

MAX_VALUES = 1 << 22  # counted exactly
MIN_PENDING = 1 << 20  # hashes that wait to be merged with the others


class RepeatedValues:
    """Counts the values of a column by their hashes.

    If there are too many, only those with a hash in the lower half of the range are counted on, then in the lower
    quarter, and so on: a random part of the values, each with all its rows (adaptive sampling, Wegman 1984).
    """

    def __init__(self, suspect: Suspect, missing: Collection[str], *, max_values: int = MAX_VALUES) -> None:
        self.suspect, self._missing, self._max_values = suspect, missing, max_values
        self._hashes, self._counts = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        self._pending: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []
        self._halvings = 0

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.suspect.column

    def add(self, column: pa.Array) -> None:
        """Add the next rows."""
        values = pc.dictionary_encode(storage(column))
        hashes, _ = hashed(values.dictionary, text=False)
        indices = pc.fill_null(values.indices, len(values.dictionary)).to_numpy(zero_copy_only=False)
        counts = np.bincount(indices, minlength=len(values.dictionary) + 1)[:-1]
        counted = ~missing_in(values.dictionary, self._missing) & (counts > 0)
        self._pending.append((hashes[: counts.size][counted], counts[counted]))
        if sum(pending.size for pending, _ in self._pending) >= max(MIN_PENDING, self._hashes.size):
            self._merge()

    def _merge(self) -> None:
        """Add up the counts of equal hashes, and give up half of the hashes while they are too many."""
        parts = [(self._hashes, self._counts), *self._pending]
        hashes, places = np.unique(np.concatenate([hashes for hashes, _ in parts]), return_inverse=True)
        counts = np.bincount(places, np.concatenate([counts for _, counts in parts]), hashes.size).astype(np.int64)
        inside = self._inside(hashes)
        while inside > self._max_values:
            self._halvings += 1
            inside = self._inside(hashes)
        self._hashes, self._counts, self._pending = hashes[:inside], counts[:inside], []

    def _inside(self, hashes: NDArray[np.uint64]) -> int:
        """Return how many of the sorted hashes are in the part of the range that is counted."""
        return int(np.searchsorted(hashes, np.uint64((1 << (64 - self._halvings)) - 1), side="right"))

    def tally(self) -> Tally:
        """Sum up the rows of all values."""
        self._merge()
        return Tally.of(self._counts, share=0.5**self._halvings)


def repeated_values(scan: Scan, request: Request) -> list[RepeatedValues]:
    """Return a counter for each column that may say whose row it is, by its name and its first values."""
    names = columns_to_review(scan.columns, request)
    if not names:
        return []
    with closing(scan.batches(names)) as batches:
        first = next(batches, None)
    if first is None:
        return []
    samples = {name: sample_of(first.column(name), request.missing_values) for name in names}
    return [RepeatedValues(suspect, request.missing_values) for suspect in suspects(samples, request.roles)]
