"""Lookup: the class of each different row, by a fingerprint of its codes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from shoal.errors import InputError
from shoal.kernels.rows import enter_classes, find_classes, fingerprints

IntArray = NDArray[np.int32]
Answers = Callable[[], Iterable[tuple[IntArray, IntArray]]]  # the codes of different rows and their classes, by parts
UNKNOWN = -2
TRIES = 8


class Lookup:
    """The fingerprints of different rows are all different, or another way to make them is tried.

    The salt is drawn at random, so that no table can be made on purpose whose rows have the same fingerprint.
    """

    def __init__(self, answers: Answers, rows: int) -> None:
        size = 1 << max(4, (rows * 3 // 2).bit_length())
        for _ in range(TRIES):
            self._salt = np.uint64(secrets.randbits(64))
            self._keys = np.zeros(size, np.uint64)
            self._classes = np.empty(size, np.int32)
            if all(
                enter_classes(fingerprints(codes, self._salt), classes, self._keys, self._classes)
                for codes, classes in answers()
            ):
                return
        raise InputError(f"The {rows} different rows cannot be told apart by fingerprints.")  # one in 2^150 runs

    @staticmethod
    def size(rows: int) -> int:
        """The bytes that so many rows need."""
        return 12 << max(4, (rows * 3 // 2).bit_length())

    def classes(self, codes: IntArray) -> IntArray:
        """The class of each row (−1: suppressed)."""
        found = find_classes(fingerprints(codes, self._salt), self._keys, self._classes, UNKNOWN)
        if (found == UNKNOWN).any():
            raise InputError("A row is there that was not there before: the input changed while it was read.")
        return found
