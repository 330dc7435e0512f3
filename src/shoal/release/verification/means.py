"""Means: if a class shows the mean of its numbers, it must be their mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.errors import VerificationError
from shoal.release.verification.scales import NUMBER

LABEL_TOLERANCE = 1e-7  # relative difference between a mean and its label, which has eight digits
SUM_TOLERANCE = 1e-12  # rounding error of a sum of doubles, relative to the largest

Floats = NDArray[np.float64]


class Means:
    """The sums of the numbers in each class, identified by its labels, collected part by part."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, ...], int] = {}
        self._sums: dict[tuple[tuple[str, ...], str], float] = {}
        self._largest: dict[str, float] = {}

    def add(self, classes: Sequence[tuple[str, ...]], ids: NDArray[np.int64], numbers: Mapping[str, Floats]) -> None:
        """Add rows, given the labels of each class, the class of each row, and the numbers of columns with means."""
        for name, column in numbers.items():
            self.bound(name, float(np.abs(column).max(initial=0.0)))
        sums = {name: np.bincount(ids, column, len(classes)).tolist() for name, column in numbers.items()}
        for at, (labels, rows) in enumerate(
            zip(classes, np.bincount(ids, minlength=len(classes)).tolist(), strict=True)
        ):
            self.add_class(labels, rows=rows, sums={name: totals[at] for name, totals in sums.items()})

    def add_class(self, labels: tuple[str, ...], *, rows: int, sums: Mapping[str, float]) -> None:
        """Add a whole class, given the number of its rows and the sums of its numbers."""
        self._rows[labels] = self._rows.get(labels, 0) + rows
        for name, total in sums.items():
            self._sums[labels, name] = self._sums.get((labels, name), 0.0) + total

    def bound(self, name: str, largest: float) -> None:
        """Note the largest absolute value of a column."""
        self._largest[name] = max(self._largest.get(name, 0.0), largest)

    def check(self, names: Sequence[str]) -> None:
        """Refuse a class that shows a number which is not its mean; `names` are the columns of the labels."""
        for (labels, name), total in self._sums.items():
            label = labels[names.index(name)]
            if not NUMBER.fullmatch(label):
                continue
            shown, mean = float(label), total / self._rows[labels]
            tolerance = LABEL_TOLERANCE * max(abs(shown), abs(mean)) + SUM_TOLERANCE * self._largest[name]
            if abs(shown - mean) > tolerance:
                raise VerificationError(
                    f"Column {name!r} shows {label!r} in a class of {self._rows[labels]} rows, which is not their mean."
                )
