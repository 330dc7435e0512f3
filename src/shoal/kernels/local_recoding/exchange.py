"""Rows that move to a cheaper class, or change places with a row of the same sensitive value in another."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.local_recoding.changes import cost_exchanged, cost_left, cost_with, find_sole
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, move

REACH = 64  # places in the order


class Allowed(NamedTuple):
    """Which rows may move, by class and sensitive value; a class that has changed must be judged first."""

    values: Ints  # of each row
    joins: Flags
    leaves: Flags
    stale: Flags  # of each class


class Neighbours(NamedTuple):
    """The rows in an order in which similar ones are close, the place of each, and the row that last saw a class."""

    order: Longs
    place: Longs
    seen: Longs


class Reliefs(NamedTuple):
    """For each row how much less its class costs per row without it; the maximum of each class; and what is settled."""

    row: Longs
    most: Longs
    tried: Longs  # of each row: the block in which it last found nothing
    sole: Flags  # rows × attributes: whether no other row of its class has its value
    counts: Longs  # of each code: 0, to count with


@compiled
def reliefs_of(measure: Measure, groups: Groups, codes: Ints) -> Any:
    """Return the relief of every row and class; no row has been tried."""
    rows = groups.home.size
    reliefs = Reliefs(
        np.zeros(rows, np.int64),
        np.zeros(groups.size.size, np.int64),
        np.full(rows, -1, np.int64),
        np.zeros(codes.shape, np.bool_),
        np.zeros(measure.space.size.sum(), np.int64),
    )
    for c in range(groups.size.size):
        _relieve(measure, groups, codes, reliefs, c)
    return reliefs


@lean
def exchange_rows(
    measure: Measure,
    groups: Groups,
    codes: Ints,
    allowed: Allowed,
    reliefs: Reliefs,
    near: Neighbours,
    begin: int,
    end: int,
    block: int,
    many: int,
) -> Any:
    """Let each row from `begin` to `end` do what lowers the cost most: move, or change places with one of its value.

    Stop after a class has had to be judged again this many times; return the row to go on with, how many rows moved,
    and how many times it was.
    """
    changes, stale = 0, 0
    for i in range(begin, end):
        if stale >= many:
            return i, changes, stale
        c, row = best_change(measure, groups, codes, allowed, reliefs, near, i)
        if c < 0:
            reliefs.tried[i] = block
            continue
        home = groups.home[i]
        if row >= 0:
            move(measure, groups, codes, row, home)
        else:
            allowed.stale[home] = allowed.stale[c] = True
            stale += 2
        move(measure, groups, codes, i, c)
        groups.changed[home] = groups.changed[c] = block
        _relieve(measure, groups, codes, reliefs, home)
        _relieve(measure, groups, codes, reliefs, c)
        changes += 1
    return end, changes, stale


@lean
def best_change(
    measure: Measure, groups: Groups, codes: Ints, allowed: Allowed, reliefs: Reliefs, near: Neighbours, i: int
) -> Any:
    """Return the class to move to that lowers the cost most, and the row of it to change places with (−1: none).

    Only the classes of rows that are close to this one in the order are looked at.
    """
    home, v = groups.home[i], allowed.values[i]
    size, total = groups.size[home], groups.total[home]
    best, partner, gain = -1, -1, np.int64(0)
    # What the own class saves: all of it if the row leaves, at most this much if another row replaces it.
    swap = size * reliefs.row[i]
    leave = np.int64(0)
    if allowed.leaves[home, v] and not allowed.stale[home] and size > 1:
        leave = total + (size - 1) * reliefs.row[i]
    if swap <= 0 and leave <= 0:
        return best, partner
    at = near.place[i]
    for place in range(max(0, at - REACH), min(near.order.size, at + REACH + 1)):
        c = groups.home[near.order[place]]
        if near.seen[c] == i:
            continue
        near.seen[c] = i
        many, own = groups.size[c], groups.total[c]
        if c == home or many < 2:
            continue
        # A row that joins costs at least as much if no other has left: this bounds what its class may cost more.
        room = many * reliefs.most[c] + swap - gain if swap > 0 else np.int64(0)
        free = np.int64(0)
        if leave > 0 and allowed.joins[c, v] and not allowed.stale[c]:
            free = leave - own - gain
        dearest = own + max((room + many - 1) // many, (free + many) // (many + 1))
        if dearest <= own:
            continue
        rise = cost_with(measure, groups, codes, i, c, dearest) - own
        if (many + 1) * rise < free:
            best, partner, gain = c, -1, leave - own - (many + 1) * rise
        if swap <= 0 or size < 2 or many * (rise - reliefs.most[c]) + gain >= swap:
            continue
        j = groups.head[c]
        while j >= 0:
            if allowed.values[j] == v and many * (rise - reliefs.row[j]) + gain < swap:
                there = many * (own - cost_exchanged(measure, groups, codes, reliefs.sole, j, i))
                if there + swap > gain:
                    saved = there + size * (total - cost_exchanged(measure, groups, codes, reliefs.sole, i, j))
                    if saved > gain:
                        best, partner, gain = c, j, saved
            j = groups.after[j]
    return best, partner


@lean
def _relieve(measure: Measure, groups: Groups, codes: Ints, reliefs: Reliefs, c: int) -> None:
    """Compute the relief of each row of a class again."""
    find_sole(measure, groups, codes, reliefs.sole, reliefs.counts, c)
    reliefs.most[c] = 0
    i = groups.head[c]
    while i >= 0:
        reliefs.row[i] = (
            groups.total[c] - cost_left(measure, groups, codes, reliefs.sole, i) if groups.size[c] > 1 else 0
        )
        reliefs.most[c] = max(reliefs.most[c], reliefs.row[i])
        i = groups.after[i]
