"""DistinctRows: the different rows of a stream with their weights, kept on the disk where memory does not hold them."""

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

PARTS = 64  # files that rows are spread over by their hash, each with rows that no other has
STEP = 1 << 20  # rows of a part, where they are in memory
SALT = np.uint64(1)  # of the parts, whose order is the same in every run


class DistinctRows:
    """Rows are added; when they need more than `limit` bytes, they are put away in files by their hash."""

    def __init__(self, columns: int, *, limit: int, folder: Path) -> None:
        self.columns = columns
        self.rows = 0
        self._limit = limit
        self._folder = folder
        self._spilled = False
        self._sizes: list[int] = []
        self._salt = np.uint64(secrets.randbits(64))  # no table can be made whose rows all want one slot
        self._clear(1 << 16)

    def _clear(self, room: int) -> None:
        self._store = np.empty((room, self.columns), np.int32)
        self._totals = np.empty(room, np.int64)
        self._slots = np.full(2 * room, -1, np.int32)
        self._used = 0

    @property
    def _width(self) -> int:
        """The bytes that a row needs, with the two slots for it."""
        return 4 * self.columns + 8 + 2 * 4

    def add(self, rows: IntArray, weights: Counts | None = None) -> None:
        """Count rows, each as one or by its weight."""
        weights = np.ones(len(rows), np.int64) if weights is None else weights
        self.rows += int(weights.sum())
        if self._used + len(rows) > len(self._store):
            room = 2 * len(self._store)
            while room < self._used + len(rows):
                room *= 2
            # The old and the new store are in memory at once while rows move.
            if self._used and (room + len(self._store)) * self._width > self._limit:
                self._put_away()
            else:
                self._grow(room)
        if self._used + len(rows) > len(self._store):
            self._grow(1 << (self._used + len(rows) - 1).bit_length())
        hashes = fingerprints(rows, self._salt)
        self._used = count_rows(rows, weights, hashes, self._slots, self._store, self._totals, self._used)

    def _grow(self, room: int) -> None:
        store, totals, used = self._store[: self._used], self._totals[: self._used], self._used
        self._clear(room)
        self._store[:used], self._totals[:used], self._used = store, totals, used
        place_rows(fingerprints(store, self._salt), self._slots)

    def _put_away(self) -> None:
        """Append the rows to the file of their hash, and forget them."""
        rows, totals = self._store[: self._used], self._totals[: self._used]
        part = (fingerprints(rows, SALT) >> np.uint64(58)).astype(np.int64)
        order = np.argsort(part, kind="stable")
        starts = np.searchsorted(part[order], np.arange(PARTS + 1))
        for number in range(PARTS):
            chosen = order[starts[number] : starts[number + 1]]
            for what, ending in ((rows, "rows"), (totals, "weights")):
                with (self._folder / f"{number}.{ending}").open("ab") as file:
                    what[chosen].tofile(file)
        self._spilled = True
        self._slots.fill(-1)
        self._used = 0

    def finish(self) -> None:
        """Put equal rows together that were put away at different times."""
        if not self._spilled:
            self._slots = self._slots[:0]
            return
        self._put_away()
        self._clear(0)
        for number in range(PARTS):
            rows, weights = self._load(number)
            whole = DistinctRows(self.columns, limit=2**62, folder=self._folder)
            for at in range(0, len(rows), STEP):
                whole.add(rows[at : at + STEP], weights[at : at + STEP])
            whole._store[: whole._used].tofile(self._folder / f"{number}.rows")
            whole._totals[: whole._used].tofile(self._folder / f"{number}.weights")
            self._sizes.append(whole._used)

    def _load(self, number: int) -> Part:
        rows = np.fromfile(self._folder / f"{number}.rows", np.int32).reshape(-1, self.columns)
        return rows, np.fromfile(self._folder / f"{number}.weights", np.int64)

    @property
    def spilled(self) -> bool:
        """Whether they are on the disk."""
        return self._spilled

    def __len__(self) -> int:
        return sum(self._sizes) if self._spilled else self._used

    def parts(self) -> Iterator[Part]:
        """The different rows with their weights, part by part."""
        if self._spilled:
            yield from map(self._load, range(PARTS))
            return
        for at in range(0, self._used, STEP):
            upto = min(at + STEP, self._used)
            yield self._store[at:upto], self._totals[at:upto]

    def all(self) -> Part:
        """All of them at once."""
        if not self._spilled:
            return self._store[: self._used], self._totals[: self._used]
        rows, weights = zip(*self.parts(), strict=True)
        return np.concatenate(rows), np.concatenate(weights)

    def forget(self) -> None:
        """Give the memory back."""
        self._clear(0)
