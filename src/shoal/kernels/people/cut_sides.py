"""The people on both sides of cuts. Each partition is sorted by person, so that the rows of a person are a run."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Ints
from shoal.kernels.compiling import compiled
from shoal.kernels.mondrian import Array, Cuts, Partitions

FEW = 3  # cuts of a partition and attribute, up to which each is counted by itself


@compiled
def people_beside(partitions: Partitions, units: Ints, cuts: Cuts) -> Array:
    """Count the people with a row on the left of each cut, then those with a row on the right of each."""
    codes, _, order, starts, ends = partitions
    sides = np.zeros(2 * cuts.low.size, np.int64)
    largest = 0
    for p in range(starts.size):
        largest = max(largest, ends[p] - starts[p])
    lowest, highest, runs = np.empty(largest, np.int64), np.empty(largest, np.int64), np.empty(largest + 1, np.int64)
    at = 0
    while at < cuts.low.size:
        p, j, stop = cuts.partition[at], cuts.attribute[at], at
        while stop < cuts.low.size and cuts.partition[stop] == p and cuts.attribute[stop] == j:
            stop += 1
        rows = order[starts[p] : ends[p]]
        people = outermost(codes, units, rows, j, lowest, highest, runs)
        least, from_least = lowest[:people].min(), 0
        for cut in range(at, stop):
            from_least += cuts.low[cut] <= least
        if from_least > FEW:
            first, last = np.sort(lowest[:people]), np.sort(highest[:people])
            for cut in range(at, stop):
                if cuts.low[cut] <= least:
                    sides[cut] = np.searchsorted(first, cuts.high[cut], side="right")
                    sides[cuts.low.size + cut] = people - np.searchsorted(last, cuts.high[cut], side="right")
        for cut in range(at, stop):
            if from_least > FEW and cuts.low[cut] <= least:
                continue
            low, high = cuts.low[cut], cuts.high[cut]
            left, right = 0, 0
            for run in range(people):
                if lowest[run] >= low and highest[run] <= high:
                    left += 1
                elif highest[run] < low or lowest[run] > high:
                    right += 1
                else:
                    right += 1
                    for i in range(runs[run], runs[run + 1]):
                        if low <= codes[rows[i], j] <= high:
                            left += 1
                            break
            sides[cut], sides[cuts.low.size + cut] = left, right
        at = stop
    return sides


@compiled
def outermost(codes: Ints, units: Ints, rows: Array, j: int, lowest: Array, highest: Array, runs: Array) -> int:
    """Find the lowest and highest code of each person, and where their rows begin; return how many people there are."""
    people = 0
    for i in range(rows.size):
        code = codes[rows[i], j]
        if i == 0 or units[rows[i]] != units[rows[i - 1]]:
            lowest[people], highest[people], runs[people] = code, code, i
            people += 1
        else:
            lowest[people - 1] = min(lowest[people - 1], code)
            highest[people - 1] = max(highest[people - 1], code)
    runs[people] = rows.size
    return people


@compiled
def rows_beside(partitions: Partitions, cuts: Cuts) -> tuple[Array, Array]:
    """Return all rows on the left of each cut, then all on the right of each: the number of the side, and the row."""
    codes, _, order, starts, ends = partitions
    total = 0
    for cut in range(cuts.low.size):
        total += ends[cuts.partition[cut]] - starts[cuts.partition[cut]]
    ids, rows = np.empty(total, np.int32), np.empty(total, np.int64)
    at = 0
    for cut in range(cuts.low.size):
        p, j = cuts.partition[cut], cuts.attribute[cut]
        for i in range(starts[p], ends[p]):
            inside = cuts.low[cut] <= codes[order[i], j] <= cuts.high[cut]
            ids[at], rows[at] = cut if inside else cuts.low.size + cut, order[i]
            at += 1
    return ids, rows
