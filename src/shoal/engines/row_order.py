"""RowOrder: whether the rows of a table come sorted by a column."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from shoal.release.request import Request
from shoal.release.row_order import FEW_ROWS, Order, order_of


class RowOrder:
    """Whether the codes of a column that were added so far are sorted, up or down, wholly or largely."""

    def __init__(self) -> None:
        self._rises = self._falls = self._rows = 0
        self._sums = np.zeros(3)  # of the codes, their squares, and their products with the row numbers
        self._last: int | None = None

    def add(self, codes: NDArray[np.int32]) -> None:
        """Add the codes of the next rows."""
        if not codes.size:
            return
        steps = np.diff(codes, prepend=codes[0] if self._last is None else np.int32(self._last))
        self._rises += int((steps > 0).sum())
        self._falls += int((steps < 0).sum())
        self._last = int(codes[-1])
        values = codes.astype(np.float64)
        self._sums += values.sum(), values @ values, values @ np.arange(self._rows, self._rows + codes.size)
        self._rows += codes.size

    @property
    def sorted(self) -> Order:
        """Whether the codes are sorted and not all equal."""
        return order_of(self._rises, self._falls, self._correlation())

    def _correlation(self) -> float:
        """Return the correlation of codes and row numbers, 0 of few rows."""
        if self._rows < FEW_ROWS:
            return 0.0
        total, squares, products = (float(one) for one in self._sums)
        spread = squares - total**2 / self._rows
        rows = self._rows * (self._rows**2 - 1) / 12
        return (products - total * (self._rows - 1) / 2) / sqrt(spread * rows) if spread > 0 else 0.0


def removed_columns(request: Request) -> tuple[str, ...]:
    """Return the columns whose values are removed or replaced."""
    return (*request.roles.identifying, *request.roles.pseudonymized)
