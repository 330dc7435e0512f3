"""Cells: the part of the space that the cuts of an algorithm left to each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.data.recoding import Recoding
from shoal.kernels.arrays import Flags, Ints, Longs

BELOW, FIRST, LAST, ABOVE = range(4)
UNCUT = -1


@dataclass(frozen=True, eq=False)
class Cells:
    """The two cuts of each cell in each quasi-identifier, as the codes on both sides of each of them.

    `ends[cell, quasi]` has the last code below the lower cut and the first code above it, then the last code below the
    upper cut and the first code above it, all as they were when the cut was made; −1 where there is no cut.
    """

    ends: Ints

    @classmethod
    def whole(cls, quasi: int) -> Cells:
        """Return the one cell of a table that was not cut."""
        return cls(np.full((1, quasi, 4), UNCUT, np.int32))

    def some(self, which: Longs | Flags) -> Cells:
        """Return some of the cells."""
        return Cells(self.ends[which])

    def cut(self, attributes: Longs, last: Ints, first: Ints) -> Cells:
        """Return both sides of each cell, one after the other.

        attributes  the quasi-identifier in which each cell is cut
        last        the highest code of the rows on its left side
        first       the lowest code of the rows on its right side
        """
        ends = np.repeat(self.ends, 2, axis=0)
        left = np.arange(0, len(ends), 2)
        ends[left, attributes, LAST], ends[left, attributes, ABOVE] = last, first
        ends[left + 1, attributes, BELOW], ends[left + 1, attributes, FIRST] = last, first
        return Cells(ends)

    def joined(self, became: Ints, classes: int) -> Cells:
        """Return the smallest cells that hold all cells of each class; `became` has the class of each cell."""
        ends = np.full((classes, self.ends.shape[1], 4), UNCUT, np.int32)
        for attribute in range(self.ends.shape[1]):
            cells = self.ends[:, attribute]
            # The last to be written is the outermost: without a cut, or with the lowest (highest) code.
            ends[:, attribute, : FIRST + 1] = _outermost(cells[:, : FIRST + 1], -cells[:, FIRST], became, classes)
            ends[:, attribute, LAST:] = _outermost(
                cells[:, LAST:], np.where(cells[:, LAST] < 0, np.iinfo(np.int32).max, cells[:, LAST]), became, classes
            )
        return Cells(ends)


def _outermost(cuts: Ints, rank: Ints, became: Ints, classes: int) -> Ints:
    """Return the cut of highest rank of each class."""
    found = np.full((classes, 2), UNCUT, np.int32)
    order = np.argsort(rank, kind="stable")
    found[became[order]] = cuts[order]
    return found


@dataclass(frozen=True, eq=False)
class CellRecoding(Recoding):
    """A recoding whose classes are cells."""

    cells: Cells
    joined: bool  # whether a class holds several of the cells that were cut

    @classmethod
    def of(cls, recoding: Recoding, ids: Ints, cells: Cells) -> CellRecoding:
        """Add its cells to a recoding, in which cells with the same labels may have become one class.

        ids  the cell of each row
        """
        became = np.empty(len(cells.ends), np.int32)
        became[ids] = recoding.ids
        classes = recoding.sizes.size
        joined = cells.joined(became, classes)
        return cls(recoding.ids, recoding.sizes, recoding.shown, joined, classes < len(cells.ends))
