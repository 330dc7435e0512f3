"""DistinctRows: the distinct rows of a stream with their weights, on disk if they are too many for the memory."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.rows import count_rows, fingerprints, place_rows

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]
Part = tuple[IntArray, Counts]

FILES = 64  # to which rows are assigned by their hash, so that no two files have a row in common
PART_ROWS = 1 << 20  # of a part, while rows are in memory
FILE_SALT = np.uint64(1)  # fixed, so that the order of the rows is the same in every run


class DistinctRows:
    """Counts the rows that are added; if they need more than `max_bytes`, they are moved to files by their hash."""

    def __init__(self, columns: int, *, max_bytes: int, folder: Path) -> None:
        self.columns = columns
        self.rows = 0
        self._max_bytes, self._row_bytes = max_bytes, 4 * columns + 8 + 2 * 4  # of its codes, its total and two slots
        self._folder = folder
        self.spilled = False
        self._sizes: list[int] = []
        self._salt = np.uint64(secrets.randbits(64))  # so that nobody can construct a table whose rows all collide
        self._allocate(1 << 16)

    def _allocate(self, capacity: int) -> None:
        self._store = np.empty((capacity, self.columns), np.int32)
        self._totals = np.empty(capacity, np.int64)
        self._slots = np.full(2 * capacity, -1, np.int32)
        self._used = 0

    def add(self, rows: IntArray, weights: Counts | None = None) -> IntArray:
        """Count rows, once or with their weights; return the place of each among those in memory."""
        weights = np.ones(len(rows), np.int64) if weights is None else weights
        self.rows += int(weights.sum())
        capacity = 1 << (self._used + len(rows) - 1).bit_length()
        if capacity > len(self._store):
            # The old and the new store are both in memory while rows move.
            if self._used and (capacity + len(self._store)) * self._row_bytes > self._max_bytes:
                self._spill()
                capacity = 1 << (len(rows) - 1).bit_length()
            if capacity > len(self._store):
                self._grow(capacity)
        hashes = fingerprints(rows, self._salt)
        counted = count_rows(rows, weights, hashes, self._slots, self._store, self._totals, self._used)
        self._used, places = counted
        return places

    def _grow(self, capacity: int) -> None:
        store, totals, used = self._store[: self._used], self._totals[: self._used], self._used
        self._allocate(capacity)
        self._store[:used], self._totals[:used], self._used = store, totals, used
        place_rows(fingerprints(store, self._salt), self._slots)

    def _spill(self) -> None:
        """Move the rows to the files of their hashes."""
        rows, totals = self._store[: self._used], self._totals[: self._used]
        files = (fingerprints(rows, FILE_SALT) >> np.uint64(58)).astype(np.int64)
        order = np.argsort(files, kind="stable")
        starts = np.searchsorted(files[order], np.arange(FILES + 1))
        for number in range(FILES):
            chosen = order[starts[number] : starts[number + 1]]
            for array, ending in ((rows, "rows"), (totals, "weights")):
                with (self._folder / f"{number}.{ending}").open("ab") as file:
                    array[chosen].tofile(file)
        self.spilled = True
        self._slots.fill(-1)
        self._used = 0

    def finish(self) -> None:
        """Merge equal rows that were moved to files at different times."""
        if not self.spilled:
            self._slots = self._slots[:0]
            return
        self._spill()
        self.clear()
        for number in range(FILES):
            rows, weights = self._load(number)
            merged = DistinctRows(self.columns, max_bytes=2**62, folder=self._folder)
            for at in range(0, len(rows), PART_ROWS):
                merged.add(rows[at : at + PART_ROWS], weights[at : at + PART_ROWS])
            merged._store[: merged._used].tofile(self._folder / f"{number}.rows")
            merged._totals[: merged._used].tofile(self._folder / f"{number}.weights")
            self._sizes.append(merged._used)

    def _load(self, number: int) -> Part:
        rows = np.fromfile(self._folder / f"{number}.rows", np.int32).reshape(-1, self.columns)
        return rows, np.fromfile(self._folder / f"{number}.weights", np.int64)

    def __len__(self) -> int:
        return sum(self._sizes) if self.spilled else self._used

    def parts(self) -> Iterator[Part]:
        """Iterate over the distinct rows with their weights, part by part."""
        if self.spilled:
            yield from map(self._load, range(FILES))
            return
        for start in range(0, self._used, PART_ROWS):
            stop = min(start + PART_ROWS, self._used)
            yield self._store[start:stop], self._totals[start:stop]

    def all(self) -> Part:
        """Return all distinct rows with their weights."""
        if not self.spilled:
            return self._store[: self._used], self._totals[: self._used]
        rows, weights = zip(*self.parts(), strict=True)
        return np.concatenate(rows), np.concatenate(weights)

    def clear(self) -> None:
        """Free the memory."""
        self._allocate(0)
