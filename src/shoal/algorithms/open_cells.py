"""OpenCells: the cells of the partitions of Mondrian while it cuts them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.data.cells import Cells
from shoal.data.table import Table
from shoal.kernels.arrays import Longs
from shoal.kernels.mondrian import Partitions, cut_sides


@dataclass(eq=False)
class OpenCells:
    """The cells of the partitions that may be cut, and of those that are complete, in the order of their numbers."""

    open: Cells
    complete: list[Cells]

    @classmethod
    def of(cls, table: Table) -> OpenCells:
        """Begin with the whole table."""
        return cls(Cells.whole(len(table.quasi)), [])

    def begin(self, table: Table) -> None:
        """Begin again."""
        self.open, self.complete = Cells.whole(len(table.quasi)), []

    def cut(self, partitions: Partitions, middle: Longs, attributes: Longs) -> None:
        """Follow the cut of each partition, in the order of the partitions.

        middle      where the right side of each begins; its end if it is complete
        attributes  the quasi-identifier in which each was cut
        """
        done = middle == partitions.ends
        self.complete.append(self.open.some(done))
        starts, ends = partitions.starts[~done], partitions.ends[~done]
        last, first = cut_sides(partitions._replace(starts=starts, ends=ends), middle[~done], attributes[~done])
        self.open = self.open.some(~done).cut(attributes[~done], last, first)

    @property
    def done(self) -> Cells:
        """The complete cells."""
        return Cells(np.concatenate([cells.ends for cells in self.complete]))
