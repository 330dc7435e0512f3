"""Whether there are enough people on both sides of cuts, looking at as few rows as show it."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.mondrian import Array, Cuts, Partitions
from shoal.kernels.people.cells import ones
from shoal.kernels.people.holders import BITS, Holders

MAX_UNSORTED_CUTS = 16  # cuts of a partition and attribute, up to which its rows are not sorted
LEFT, RIGHT = np.uint8(1), np.uint8(2)


@compiled
def surely_enough(partitions: Partitions, holders: Holders, cuts: Cuts, least: int) -> Flags:
    """Return for each cut whether there are surely at least `least` people on both sides.

    Where it is quick to count the people beside all cuts of a partition, a cut that needs it can be called unsure.
    """
    codes, _, order, starts, ends = partitions
    enough = np.zeros(cuts.low.size, np.bool_)
    found, marks = np.empty(2 * min(least, holders.seen.size), np.int32), np.empty(BITS, np.int64)
    for cut in range(cuts.low.size):
        p, j, low, high = cuts.partition[cut], cuts.attribute[cut], cuts.low[cut], cuts.high[cut]
        rows = order[starts[p] : ends[p]]
        some = rows[:BITS]
        for i in range(some.size):
            marks[i] = holders.marks[some[i]]
        enough[cut] = enough_bits(codes, some, j, marks, low, high, least)
        if not enough[cut] and rows.size > BITS and least <= holders.seen.size:
            enough[cut] = enough_beside(codes, rows, j, holders, low, high, least, found)
    return enough


@compiled
def enough_people(partitions: Partitions, holders: Holders, cuts: Cuts, least: int) -> Flags:
    """Return for each cut whether at least `least` people have a row on its left and as many have one on its right."""
    codes, _, order, starts, ends = partitions
    enough = np.zeros(cuts.low.size, np.bool_)
    if least > holders.seen.size:
        return enough
    found, bits = np.empty(max(BITS, 2 * least), np.int32), np.empty((ends - starts).max(), np.int64)
    last, few, at = -1, False, 0
    while at < cuts.low.size:
        p, j, stop = cuts.partition[at], cuts.attribute[at], at
        while stop < cuts.low.size and cuts.partition[stop] == p and cuts.attribute[stop] == j:
            stop += 1
        rows, low, high = order[starts[p] : ends[p]], cuts.low[at:stop], cuts.high[at:stop]
        if p != last:
            last, few = p, own_bits(rows, holders, bits, found)
        if stop - at > MAX_UNSORTED_CUTS:
            many_sides(codes, rows, j, holders, low, high, least, found, enough[at:stop])
        elif few:
            for cut in range(stop - at):
                enough[at + cut] = enough_bits(codes, rows, j, bits, low[cut], high[cut], least)
        else:
            for cut in range(stop - at):
                enough[at + cut] = enough_beside(codes, rows, j, holders, low[cut], high[cut], least, found)
        at = stop
    return enough


@compiled
def own_bits(rows: Array, holders: Holders, bits: Longs, found: Array) -> bool:
    """Set for each row the bits of its people, if there are so few that each has a bit of their own."""
    people = 0
    for at in range(rows.size):
        bits[at] = 0
        for i in range(holders.starts[rows[at]], holders.ends[rows[at]]):
            person = holders.people[i]
            if holders.seen[person] == 0:
                people += 1
                if people > BITS:
                    break
                holders.seen[person] = people
                found[people - 1] = person
            bits[at] |= np.int64(1) << (np.int64(holders.seen[person]) - 1)
        if people > BITS:
            break
    for i in range(min(people, BITS)):
        holders.seen[found[i]] = 0
    return people <= BITS


@compiled
def enough_bits(codes: Ints, rows: Array, j: int, bits: Longs, low: int, high: int, least: int) -> bool:
    """Return whether the rows on both sides of a cut have enough different bits."""
    left, right = 0, 0
    for i in range(rows.size):
        inside = low <= codes[rows[i], j] <= high
        left |= bits[i] if inside else 0
        right |= 0 if inside else bits[i]
    fewest: int = min(ones(left), ones(right))
    return fewest >= least


@compiled
def enough_beside(
    codes: Ints, rows: Array, j: int, holders: Holders, low: int, high: int, least: int, found: Array
) -> bool:
    """Return whether both sides of one cut have enough people, looking at as few rows as show it."""
    seen = holders.seen
    left, right = 0, 0
    for row in rows:
        inside = low <= codes[row, j] <= high
        if (left if inside else right) >= least:
            continue
        side = LEFT if inside else RIGHT
        for i in range(holders.starts[row], holders.ends[row]):
            person = holders.people[i]
            if seen[person] & side == 0 and (left if inside else right) < least:
                seen[person] |= side
                found[left + right] = person
                left += inside
                right += not inside
        if left >= least and right >= least:
            break
    for i in range(left + right):
        seen[found[i]] = 0
    return left >= least and right >= least


@compiled
def many_sides(
    codes: Ints,
    rows: Array,
    j: int,
    holders: Holders,
    lows: Array,
    highs: Array,
    least: int,
    found: Array,
    enough: Flags,
) -> None:
    """Find which of many cuts of one partition and attribute have enough people on both sides, in its sorted rows.

    Each left side is a stretch of them, and the right side is what is before and after it.
    """
    column = np.empty(rows.size, np.int32)
    for i in range(rows.size):
        column[i] = codes[rows[i], j]
    sort = np.argsort(column)
    column, rows, size = column[sort], rows[sort], rows.size
    head, tail = rows_enough(rows, holders, least, found), rows_enough(rows[::-1].copy(), holders, least, found)
    for cut in range(lows.size):
        begin, end = np.searchsorted(column, lows[cut]), np.searchsorted(column, highs[cut], side="right")
        if begin == 0:
            left = end >= head
        elif end == size:
            left = size - begin >= tail
        else:
            left = rows_enough(rows[begin:end], holders, least, found) <= end - begin
        if not left:
            continue
        right = begin >= head or size - end >= tail
        if not right and begin > 0 and end < size:
            right = rows_enough(np.append(rows[:begin], rows[end:]), holders, least, found) <= size - (end - begin)
        enough[cut] = right


@compiled
def rows_enough(rows: Array, holders: Holders, least: int, found: Array) -> int:
    """Return how many of the first rows have enough people; one more than there are if all together have not."""
    people, needed = 0, rows.size + 1
    for at in range(rows.size):
        for i in range(holders.starts[rows[at]], holders.ends[rows[at]]):
            person = holders.people[i]
            if people < least and holders.seen[person] == 0:
                holders.seen[person] = LEFT
                found[people] = person
                people += 1
        if people >= least:
            needed = at + 1
            break
    for i in range(people):
        holders.seen[found[i]] = 0
    return needed
