"""The nearest rows outside a box in one attribute, among those that lie within the box in all others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compiling import compiled
from shoal.kernels.mixtures import Boxes

Array = NDArray[Any]


@compiled
def covers(boxes: Boxes, box: int, codes: Array, row: int) -> bool:
    """Return whether a box covers the codes of a row."""
    for j in range(boxes.order.size):
        code = codes[row, boxes.order[j]]
        inside = False
        for e in range(boxes.pointers[j, box], boxes.pointers[j, box + 1]):
            if boxes.low[e] <= code <= boxes.high[e]:
                inside = True
                break
        if not inside:
            return False
    return True


@compiled
def nearest_outside(
    codes: Array, boxes: Boxes, ids: Array, order: Array, starts: Array, ends: Array, side: int, reach: int
) -> Array:
    """Return for each box the place of the nearest row of another box on one side of its end; −1 if none is in reach.

    codes   of the rows; those of the attributes in `boxes` must be covered by the box
    ids     the box to which each row belongs
    order   the rows sorted by their places; those of place p are order[starts[p] : starts[p + 1]]
    ends    the place of the end of each box, −1 for none; a row of another box there is nearest of all
    side    −1 below the end, 1 above it
    reach   how many places are examined beyond the end
    """
    nearest = np.full(ends.size, -1, np.int64)
    for box in range(ends.size):
        place, examined = ends[box], 0
        while 0 <= place < starts.size - 1 and examined <= reach and nearest[box] < 0:
            for i in range(starts[place], starts[place + 1]):
                if ids[order[i]] != box and covers(boxes, box, codes, order[i]):
                    nearest[box] = place
                    break
            place += side
            examined += 1
    return nearest
