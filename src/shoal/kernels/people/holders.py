"""Who has each of the different rows of a table, if people are counted and equal rows are one row of partitions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.mondrian import Cuts, Partitions

BITS = 64


class Holders(NamedTuple):
    """Different row r is in rows[starts[r] : ends[r]] of the table, which are those of the `people` there.

    `marks` has a bit for each of the people, which they share with others. `seen` is 0 between calls of kernels.
    """

    starts: Ints
    ends: Ints
    marks: Longs
    rows: Ints
    people: Ints
    seen: NDArray[np.uint8]


@compiled
def holders_of(place: Ints, units: Ints, different: int) -> Holders:
    """List the rows of each of the `different` rows and whose they are, by counting sort, given the place of each."""
    ends = np.zeros(different + 1, np.int32)
    for row in place:
        ends[row + 1] += 1
    for row in range(different):
        ends[row + 1] += ends[row]
    starts, ends = ends[:-1].copy(), ends[:-1]
    rows, people, marks = np.empty(place.size, np.int32), np.empty(place.size, np.int32), np.zeros(different, np.int64)
    last = 0
    for i in range(place.size):
        at = ends[place[i]]
        rows[at], people[at] = i, units[i]
        ends[place[i]] += 1
        marks[place[i]] |= np.int64(1) << (units[i] & (BITS - 1))
        last = max(last, units[i])
    return Holders(starts, ends, marks, rows, people, np.zeros(last + 1, np.uint8))


@compiled
def rows_held(partitions: Partitions, holders: Holders) -> Longs:
    """Count the rows of the table that each partition stands for."""
    total = np.zeros(partitions.starts.size, np.int64)
    for p in range(total.size):
        for i in range(partitions.starts[p], partitions.ends[p]):
            row = partitions.order[i]
            total[p] += holders.ends[row] - holders.starts[row]
    return total


@compiled
def rows_beside(partitions: Partitions, holders: Holders, cuts: Cuts) -> tuple[Ints, Ints]:
    """Return the rows of the table on the left of each cut, then on the right of each: number of the side, and row."""
    codes, _, order, starts, ends = partitions
    held = rows_held(partitions, holders)
    total = 0
    for cut in range(cuts.low.size):
        total += held[cuts.partition[cut]]
    ids, rows = np.empty(total, np.int32), np.empty(total, np.int32)
    at = 0
    for cut in range(cuts.low.size):
        p, j = cuts.partition[cut], cuts.attribute[cut]
        for row in order[starts[p] : ends[p]]:
            inside = cuts.low[cut] <= codes[row, j] <= cuts.high[cut]
            for i in range(holders.starts[row], holders.ends[row]):
                ids[at], rows[at] = cut if inside else cuts.low.size + cut, holders.rows[i]
                at += 1
    return ids, rows
