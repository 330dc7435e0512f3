"""RepeatedValues: how often the values of a column repeat, counted by their hashes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import plain
from shoal.data.roles import Roles
from shoal.engines.value_hashes import hash_values
from shoal.release.review.repeated_people import Repeated, Suspect, repeated_in, suspects
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

    def __init__(self, suspect: Suspect, missing: Collection[str]) -> None:
        self.suspect, self._missing = suspect, missing
        self._rows = 0
        self._hashes, self._counts = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        self._pending: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []
        self._halvings = 0

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.suspect.column

    def add(self, column: pa.Array) -> None:
        """Add the next rows."""
        if pa.types.is_dictionary(column.type):
            values = plain(column.dictionary)
            indices = pc.fill_null(column.indices, len(values)).to_numpy(zero_copy_only=False)
            counts = np.bincount(indices, minlength=len(values) + 1)[:-1]
        else:
            values, counts = plain(storage(column)), np.ones(len(column), np.int64)
        present = ~missing_in(values, self._missing) & (counts > 0)
        self._rows += int(counts[present].sum())
        self._pending.append((hash_values(values)[present], counts[present]))
        if sum(pending.size for pending, _ in self._pending) >= max(MIN_PENDING, self._hashes.size):
            self._merge()

    def _merge(self) -> None:
        """Add up the counts of equal hashes, and give up half of the hashes while they are too many."""
        parts = [(self._hashes, self._counts), *self._pending]
        hashes, counts = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        if (counts == 1).all():
            hashes, counts = np.unique(hashes, return_counts=True)
        else:
            hashes, places = np.unique(hashes, return_inverse=True)
            counts = np.bincount(places, counts, hashes.size).astype(np.int64)
        inside = self._inside(hashes)
        while inside > MAX_VALUES:
            self._halvings += 1
            inside = self._inside(hashes)
        self._hashes, self._counts, self._pending = hashes[:inside], counts[:inside], []

    def _inside(self, hashes: NDArray[np.uint64]) -> int:
        """Return how many of the sorted hashes are in the part of the range that is counted."""
        return int(np.searchsorted(hashes, np.uint64((1 << (64 - self._halvings)) - 1), side="right"))

    def tally(self) -> Tally:
        """Sum up the rows of all values."""
        self._merge()
        return Tally.of(self._counts, rows=self._rows, share=0.5**self._halvings)


def repeated_people(columns: Mapping[str, pa.ChunkedArray], roles: Roles, missing: Collection[str]) -> list[Repeated]:
    """Find the columns of a table in memory that say whose row it is and repeat."""
    tallies = []
    for suspect in suspects({name: sample_of(column, missing) for name, column in columns.items()}, roles):
        values = RepeatedValues(suspect, missing)
        for chunk in columns[suspect.column].chunks:
            values.add(chunk)
        tallies.append((suspect, values.tally()))
    return repeated_in(tallies)


def people_of(column: pa.ChunkedArray, missing: Collection[str]) -> NDArray[np.int64]:
    """Give rows with the same value the same number; −1 for a missing value."""
    values = plain(storage(column))
    hashes = np.concatenate([hash_values(chunk) for chunk in values.chunks])
    is_missing = np.concatenate([missing_in(chunk, missing) for chunk in values.chunks])
    people = np.unique(hashes, return_inverse=True)[1]
    return np.where(is_missing, -1, people).astype(np.int64)
