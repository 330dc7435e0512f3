"""Classes composed on purpose: parts of boxes, and rows that join the class where they cost least."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.clustering.sequential import LARGEST_INT, NONE, Diversity, closest_to_row
from shoal.kernels.compiling import compiled
from shoal.kernels.local_recoding.changes import cost_with
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, move

UNKNOWN = -2
SIXTEENTHS = np.array([64, 48, 32, 24, 20, 16, 14, 12, 10, 8, 6, 4], np.int64)


@compiled
def parts_of(boxes: Longs, left: Longs, smallest: int) -> Any:
    """Return each box whole, then with less and less of its most frequent values; and the box that each is a part of.

    Of a value a part has at most its share among the remaining rows, times the rows of the box, times 64/16, 48/16, …,
    rounded up; parts with too few rows, and those equal to the one before, are skipped.
    """
    many, values = boxes.shape
    parts = np.empty((many * (SIXTEENTHS.size + 1), values), np.int64)
    box = np.empty(parts.shape[0], np.int64)
    whole = 16 * left.sum()
    found = 0
    for b in range(many):
        rows = boxes[b].sum()
        parts[found], box[found] = boxes[b], b
        found += 1
        before = rows
        for times in SIXTEENTHS:
            size = np.int64(0)
            for v in range(values):
                parts[found, v] = min(boxes[b, v], (left[v] * rows * times + whole - 1) // whole)
                size += parts[found, v]
            if size < smallest:
                break
            if size < before:
                box[found] = b
                found += 1
                before = size
    return parts[:found], box[:found]


@compiled
def chosen(own: Ints, values: Ints, kept: Longs) -> Flags:
    """Mark the first rows of each value in each box, as many as are kept (a box of −1: none)."""
    taken = np.zeros_like(kept)
    rows = np.zeros(own.size, np.bool_)
    for i in range(own.size):
        b, v = own[i], values[i]
        if b >= 0 and taken[b, v] < kept[b, v]:
            taken[b, v] += 1
            rows[i] = True
    return rows


@compiled
def place_rows(
    measure: Measure,
    groups: Groups,
    codes: Ints,
    values: Ints,
    rows: Longs,
    joins: Flags,
    changed: Longs,
    best: Longs,
    cost: Longs,
    limit: int,
) -> Any:
    """Put each row into the class whose cost grows least, below a limit, among those that it may join.

    A row waits if its class has just changed, as that must be judged again. `best` (−1: none, −2: not known) and `cost`
    remember the best class of each row: it keeps that one, unless it is dearer now or one of the classes that `changed`
    since costs less. Return which classes have changed now.
    """
    moved, bits = np.zeros(joins.shape[0], np.bool_), np.zeros(groups.held.shape[1], np.uint64)
    free = Diversity(np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int64), np.zeros(0, np.int64))  # no conditions
    every = [np.flatnonzero(joins[:, v]) for v in range(joins.shape[1])]
    recent = [changed[joins[:, v][changed]] for v in range(joins.shape[1])]
    for i in rows:
        c, known = best[i], best[i] != UNKNOWN
        if c >= 0:
            size, total = groups.size[c] + 1, groups.total[c]
            dearest = cost_with(measure, groups, codes, i, c, LARGEST_INT)
            known = joins[c, values[i]] and total + size * (dearest - total) <= cost[i]
        if not known:
            best[i], cost[i] = -1, limit
        among = recent[values[i]] if known else every[values[i]]
        c, least = closest_to_row(measure, free, groups, codes[i], bits, NONE, NONE, among, NONE, cost[i])
        if c >= 0:
            best[i], cost[i] = c, least
        if best[i] >= 0 and not moved[best[i]]:
            move(measure, groups, codes, i, best[i])
            moved[best[i]] = True
    return moved
