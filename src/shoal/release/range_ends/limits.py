"""Limits: how far the ends of a class's ranges may move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.data.bins import Bins
from shoal.data.cells import ABOVE, BELOW, FIRST, LAST, Cells
from shoal.data.domain import Ranges
from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.kernels.arrays import Longs
from shoal.kernels.mixtures import Boxes
from shoal.kernels.neighbours import nearest_outside
from shoal.metrics.cells import intervals


@dataclass(frozen=True, eq=False)
class Limits:
    """The first and the last bin that each class may show of a column."""

    first: Longs
    last: Longs

    @classmethod
    def of_cells(cls, bins: Bins, cells: Cells, attribute: int) -> Limits:
        """Return the bins on this side of the cuts: a cut is in the middle between the values on its two sides."""
        codes = cells.ends[:, attribute]
        below, first = bins.of_code[codes[:, BELOW]], bins.of_code[codes[:, FIRST]]
        last, above = bins.of_code[codes[:, LAST]], bins.of_code[codes[:, ABOVE]]
        # A cut that separates missing values from the others does not bound these.
        low = np.where((codes[:, FIRST] < 0) | (below < 0), 0, np.minimum((below + first) // 2 + 1, first))
        uncut = (codes[:, LAST] < 0) | (last < 0)
        high = np.where(uncut, len(bins) - 1, np.maximum((last + above) // 2, last))
        return cls(low, high)

    @classmethod
    def of_neighbours(cls, bins: Bins, table: Table, recoding: Recoding, attribute: int) -> Limits:
        """Return the bins up to the middle between a class and the nearest row of another class.

        Neighbours of a class lie within what it shows of all other columns. Where a row of another class has the value
        at which a range ends, the end stays. A value that all rows of a class have stays, too: it points at nobody.
        """
        first, last = tight_bins(bins, recoding.shown[attribute])
        released = np.flatnonzero(recoding.ids >= 0)
        columns = [recoding.ids[released], *table.codes[released].T]
        widths = [recoding.sizes.size, *map(len, table.domains)]
        rows = released[group_rows(columns, widths, released.size)[1]]
        places = bins.of_code[table.codes[rows, attribute]]
        rows, places = rows[places >= 0], places[places >= 0]
        codes, ids = np.ascontiguousarray(table.codes[rows]), recoding.ids[rows]
        order = np.argsort(places, kind="stable")
        starts = np.searchsorted(places[order], np.arange(len(bins) + 1))
        boxes, reach = _boxes(table, recoding, attribute), 2 * (bins.steps - 1)
        below = nearest_outside(codes, boxes, ids, order, starts, first, -1, reach)
        above = nearest_outside(codes, boxes, ids, order, starts, last, 1, reach)
        low = np.where(below < 0, 0, np.minimum((below + first) // 2 + 1, first))
        high = np.where(above < 0, len(bins) - 1, np.maximum((last + above) // 2, last))
        one = recoding.shown[attribute].low == recoding.shown[attribute].high
        return cls(np.where(one, first, low), np.where(one, last, high))


def tight_bins(bins: Bins, shown: Ranges) -> tuple[Longs, Longs]:
    """Return the bins of the lowest and the highest value of each class; −1 if a value is missing."""
    first = bins.of_code[shown.low]
    return first, np.where(first < 0, -1, bins.of_code[shown.high])


def _boxes(table: Table, recoding: Recoding, without: int) -> Boxes:
    """Return the codes that each class covers in all columns but one."""
    order = np.array([at for at in range(len(table.quasi)) if at != without], np.int64)
    classes = recoding.sizes.size
    parts = [intervals(table.domains[at], recoding.shown[at], classes) for at in order.tolist()]
    before = np.cumsum([0, *(low.size for _, low, _ in parts)])[:-1]
    empty = np.zeros(0, np.int32)
    return Boxes(
        order,
        np.array([len(table.domains[at]) for at in order.tolist()], np.int64),
        np.stack([starts for starts, _, _ in parts]) + before[:, None] if parts else np.zeros((0, 1), np.int64),
        np.concatenate([empty, *(low for _, low, _ in parts)]),
        np.concatenate([empty, *(high for _, _, high in parts)]),
    )
