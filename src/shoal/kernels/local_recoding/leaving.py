"""Rows that leave their class: for another one, or to be suppressed."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.local_recoding.changes import cost_with
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, cost_without, move

LARGEST = 1 << 62


@compiled
def savings(measure: Measure, groups: Groups, codes: Ints, rows: Longs) -> Longs:
    """Return what the class of each row costs less in all without the row; −1 if the row is all of its class."""
    saved = np.full(rows.size, -1, np.int64)
    for place in range(rows.size):
        row = rows[place]
        c = groups.home[row]
        if c >= 0 and groups.number[c] > 1:
            rest = (groups.size[c] - groups.bulk[row]) * cost_without(measure, groups, codes, row)
            saved[place] = groups.size[c] * groups.total[c] - rest
    return saved


@lean
def dissolve(measure: Measure, groups: Groups, codes: Ints, rows: Longs, price: int, most: int) -> Any:
    """Move each row of a class to where it costs least: another class or the last one, that of suppressed rows.

    These cost `price` each and are at most `most`. Return by how much the cost falls; −1 if a row has no place.
    """
    c, hidden = groups.home[rows[0]], groups.size.size - 1
    gain = groups.size[c] * groups.total[c]
    for row in rows:
        bulk, least, to = groups.bulk[row], LARGEST, -1
        if bulk <= most:
            least, to = price * bulk + 1, hidden  # rather a class if that costs the same
        for other in range(hidden):
            if other != c and groups.number[other] > 0:
                before, size = groups.size[other] * groups.total[other], groups.size[other] + bulk
                limit = (least + before) // size + 1
                more = size * cost_with(measure, groups, codes, row, other, limit) - before
                if more < least:
                    least, to = more, other
        if to < 0:
            return -1
        if to == hidden:
            least -= 1
            most -= bulk
        gain -= least
        move(measure, groups, codes, row, to)
    return gain


@lean
def restore(measure: Measure, groups: Groups, codes: Ints, rows: Longs, c: int) -> None:
    """Move rows back into the class that they were all of."""
    for row in rows:
        if groups.home[row] != c:
            move(measure, groups, codes, row, c)
