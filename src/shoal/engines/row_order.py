"""RowOrder: whether the rows of a table come sorted by a column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.release.request import Request


class RowOrder:
    """Whether the codes of a column that were added so far are sorted, up or down."""

    def __init__(self) -> None:
        self._up = self._down = True
        self._different = False
        self._last: int | None = None

    def add(self, codes: NDArray[np.int32]) -> None:
        """Add the codes of the next rows."""
        if not codes.size or not (self._up or self._down):
            return
        steps = np.diff(codes, prepend=codes[0] if self._last is None else np.int32(self._last))
        self._up &= bool((steps >= 0).all())
        self._down &= bool((steps <= 0).all())
        self._different |= bool(steps.any())
        self._last = int(codes[-1])

    @property
    def sorted(self) -> bool:
        """Whether the codes are sorted and not all equal."""
        return self._different and (self._up or self._down)


def removed_columns(request: Request) -> tuple[str, ...]:
    """Return the columns whose values are removed or replaced."""
    return (*request.roles.identifying, *request.roles.pseudonymized)
