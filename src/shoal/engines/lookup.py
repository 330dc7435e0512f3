"""Lookup and Labels: the equivalence class of a distinct row, found by a fingerprint of its codes, and its labels."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.style import text_array
from shoal.errors import InputError
from shoal.kernels.rows import enter_classes, find_classes, fingerprints

IntArray = NDArray[np.int32]
Answers = Callable[[], Iterable[tuple[IntArray, IntArray]]]  # codes of distinct rows and their classes, part by part
UNKNOWN = -2
MAX_TRIES = 8
CHANGED_INPUT = "A row is there that was not there before: the input changed while it was read."


class Lookup:
    """A hash table from fingerprints to classes; if two distinct rows have the same fingerprint, another salt is tried.

    The salt is random, so that nobody can construct a table whose rows have the same fingerprint.
    """

    def __init__(self, answers: Answers, rows: int) -> None:
        size = 1 << max(4, (rows * 3 // 2).bit_length())
        for _ in range(MAX_TRIES):
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
        """Return the bytes that a lookup of this many rows needs."""
        return 12 << max(4, (rows * 3 // 2).bit_length())

    def classes(self, codes: IntArray) -> IntArray:
        """Return the class of each row; −1 is a suppressed row."""
        classes = find_classes(fingerprints(codes, self._salt), self._keys, self._classes, UNKNOWN)
        if (classes == UNKNOWN).any():
            raise InputError(CHANGED_INPUT)
        return classes


class Labels:
    """The label of each equivalence class for one quasi-identifier; suppressed rows show the top."""

    def __init__(self, labels: Sequence[str], top: str) -> None:
        places = {label: place for place, label in enumerate(dict.fromkeys([*labels, top]))}
        self._dictionary = text_array(list(places))
        self._places = np.array([places[label] for label in (*labels, top)], np.int32)

    def texts(self) -> list[str]:
        """Return the label of each class, and last the top."""
        texts: list[str] = self._dictionary.take(pa.array(self._places)).to_pylist()
        return texts

    def of(self, ids: NDArray[np.int32]) -> pa.DictionaryArray:
        """Return the label of each row's class; −1 is a suppressed row."""
        return pa.DictionaryArray.from_arrays(pa.array(self._places[ids]), self._dictionary)  # −1 takes the last: top
