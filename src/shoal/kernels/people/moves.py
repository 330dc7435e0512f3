"""Rows that move to cheaper classes, each of which keeps enough people. The rows are sorted by person."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.clustering.sequential import FREE, closest_to_row
from shoal.kernels.compiling import compiled
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, cost_without, move

NONE: Any = np.int64(-1)  # of numpy, as numba compiles a function anew for every literal number


@compiled
def people_in(groups: Groups, runs: Longs) -> Longs:
    """Count the people of each class; person p has the rows from runs[p] to runs[p + 1]."""
    people, last = np.zeros(groups.size.size, np.int64), np.full(groups.size.size, -1, np.int64)
    for p in range(runs.size - 1):
        for row in range(runs[p], runs[p + 1]):
            c = groups.home[row]
            if last[c] != p:
                last[c] = p
                people[c] += 1
    return people


@compiled
def move_people(
    measure: Measure,
    groups: Groups,
    codes: Ints,
    runs: Longs,
    person: Ints,
    people: Longs,
    orders: Ints,
    places: Ints,
    near: int,
    least: int,
) -> int:
    """Let each row move to the class near it where that lowers the cost most, if its own keeps enough people.

    Classes near a row are those of the rows up to `near` places before and after it in one of the orders.
    """
    free, moved = FREE, 0
    bits, seen = np.zeros(groups.held.shape[1], np.uint64), np.full(groups.size.size, -1, np.int64)
    among = np.empty(2 * near * orders.shape[0], np.int64)
    for row in range(codes.shape[0]):
        j, p = groups.home[row], person[row]
        others = rows_beside(groups, runs, p, row, j)
        if others == 0 and people[j] <= least:
            continue
        size = groups.size[j]
        saved = size * groups.total[j] - (size - 1) * cost_without(measure, groups, codes, row)
        found = 0
        seen[j] = row
        for order in range(orders.shape[0]):
            at = places[order, row]
            for other in range(max(0, at - near), min(codes.shape[0], at + near + 1)):
                c = groups.home[orders[order, other]]
                if seen[c] != row:
                    seen[c] = row
                    among[found] = c
                    found += 1
        h, _ = closest_to_row(measure, free, groups, codes[row], bits, j, row, among[:found], NONE, saved)
        if h >= 0:
            people[j] -= others == 0
            people[h] += rows_beside(groups, runs, p, row, h) == 0
            move(measure, groups, codes, row, h)
            moved += 1
    return moved


@compiled
def rows_beside(groups: Groups, runs: Longs, p: int, row: int, c: int) -> int:
    """Count the other rows of a row's person in a class."""
    count = 0
    for other in range(runs[p], runs[p + 1]):
        count += other != row and groups.home[other] == c
    return count
