"""Means: where a class shows the mean of its numbers, it is the mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.errors import VerificationError
from shoal.release.verification.scales import NUMBER

DIGITS = 1e-7  # the part by which a mean may differ from the one that is shown, which has eight digits
ROUNDING = 1e-12  # what adding up doubles may cost, as a part of the largest

Floats = NDArray[np.float64]


class Means:
    """The sums of the numbers in each class, told by its labels, as parts of the table come by."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, ...], int] = {}
        self._sums: dict[tuple[tuple[str, ...], str], float] = {}
        self._largest: dict[str, float] = {}

    def add(self, classes: Sequence[tuple[str, ...]], ids: NDArray[np.int64], numbers: Mapping[str, Floats]) -> None:
        """Add rows: the labels of each class, the class of each row, and the numbers of the columns that show means."""
        for labels, rows in zip(classes, np.bincount(ids, minlength=len(classes)).tolist(), strict=True):
            self._rows[labels] = self._rows.get(labels, 0) + rows
        for name, column in numbers.items():
            self._largest[name] = max(self._largest.get(name, 0.0), float(np.abs(column).max(initial=0.0)))
            for labels, total in zip(classes, np.bincount(ids, column, len(classes)).tolist(), strict=True):
                self._sums[labels, name] = self._sums.get((labels, name), 0.0) + total

    def add_class(self, labels: tuple[str, ...], *, rows: int, sums: Mapping[str, float]) -> None:
        """Add a whole class: its rows, and the sums of its numbers."""
        self._rows[labels] = self._rows.get(labels, 0) + rows
        for name, total in sums.items():
            self._sums[labels, name] = self._sums.get((labels, name), 0.0) + total

    def bound(self, name: str, largest: float) -> None:
        """Tell the largest number of a column, whatever its sign."""
        self._largest[name] = max(self._largest.get(name, 0.0), largest)

    def check(self, names: Sequence[str]) -> None:
        """Refuse a class that shows a number which is not its mean; the labels of a class are of these columns."""
        for (labels, name), total in self._sums.items():
            label = labels[names.index(name)]
            if not NUMBER.fullmatch(label):
                continue
            shown, mean = float(label), total / self._rows[labels]
            slack = DIGITS * max(abs(shown), abs(mean)) + ROUNDING * self._largest[name]
            if abs(shown - mean) > slack:
                raise VerificationError(
                    f"Column {name!r} shows {label!r} in a class of {self._rows[labels]} rows whose mean is another."
                )
