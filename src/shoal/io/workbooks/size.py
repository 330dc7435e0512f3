"""The number of cells and texts in a workbook, and the memory that they take."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

PLACE_BYTES = 48  # of a place between the first and the last cell, in calamine and as a Python value
CELL_BYTES = 120  # more for a place with a value
MAX_TEXT = 1 << 26  # characters of one cell


@dataclass
class Sheet:
    """The corners of the cells with values, their number, and their texts."""

    top: int = 1 << 40
    left: int = 1 << 40
    bottom: int = -1
    right: int = -1
    cells: int = 0
    text: int = 0  # bytes of texts beyond those in the file itself
    longest: int = 0
    shared: array[int] = field(default_factory=lambda: array("q"))  # places of the shared texts, cell by cell

    def add(self, row: int, column: int, count: int = 1) -> None:
        """Count a cell with a value, numbered from 0, or several equal ones of which this is the last."""
        self.cells += count
        if row < self.top:
            self.top = row
        if row > self.bottom:
            self.bottom = row
        if column < self.left:
            self.left = column
        if column > self.right:
            self.right = column

    @property
    def places(self) -> int:
        """The number of cells between the corners, with and without a value."""
        return max(0, self.bottom - self.top + 1) * max(0, self.right - self.left + 1)


@dataclass(frozen=True)
class Size:
    """The most bytes that a workbook takes, and the characters of its longest text."""

    memory: int
    longest: int

    @classmethod
    def of(cls, sheets: Sequence[Sheet], shared: Sequence[int], unpacked: int) -> Size:
        """Add the largest sheet to the unpacked file; a shared text is in memory once for each of its cells."""
        largest = 0
        for sheet in sheets:
            texts = sheet.text + sum(shared[place] for place in sheet.shared if 0 <= place < len(shared))
            largest = max(largest, sheet.places * PLACE_BYTES + sheet.cells * CELL_BYTES + 2 * texts)
        longest = max([0, *(sheet.longest for sheet in sheets), *shared])
        return cls(largest + 2 * unpacked, longest)
