"""Rows that join the best of many groups, one after another.

Costs are those of information loss, where a set of several values costs as much as the top. Groups are laid out by
attribute, so that a row is compared with all groups along one line of an array. All comparisons are of whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.costs import RANGE, SET, TREE, Space

BY_LOSS, BY_CENTROID, BY_CENTROID_AND_SIZE = 0, 1, 2
CHUNK = 1 << 26  # cells that rows are compared with before control returns to Python: a fraction of a second


class Groups(NamedTuple):
    """The size of each group, what a row of it costs, and by attribute and group what its values share.

    A missing number has the place −full, so that a range over it and others costs as much as the top or more.
    """

    size: Longs
    cost: Longs
    shown: Ints  # of a tree: the node above the values; of a set: its only value, or the number of all values
    low: Longs  # of a range: the lowest place
    high: Longs
    total: Longs  # of a range: the sum of the places
    missing: Ints  # of a range: how many numbers are missing


def assign(
    space: Space,
    codes: Ints,
    ids: Ints,
    rows: Longs,
    by: int,
    *,
    enough: int = 0,
    progress: Callable[[float], None] = lambda share: None,
    share: tuple[float, float] = (0.0, 1.0),
) -> None:
    """Let rows join the best group for each, one after another, and write its number into `ids`.

    BY_LOSS: the group whose loss, size × cost, grows least; BY_CENTROID: the one whose centroid is nearest;
    BY_CENTROID_AND_SIZE: the one whose distance to the centroid times its size is least; the first of equals. As long
    as some groups have fewer than `enough` rows, only these are open. Progress is reported in between, from the first
    share to the second.
    """
    groups = groups_of(space, codes, ids, int(ids.max()) + 1)
    step = max(1, CHUNK // groups.shown.size)
    for start in range(0, max(1, rows.size), step):
        join(space, groups, codes, ids, rows[start : start + step], by, enough)
        done = min(1.0, (start + step) / max(1, rows.size))
        progress(share[0] + (share[1] - share[0]) * done)


def farthest(space: Space, codes: Ints, ids: Ints, most: int) -> Longs:
    """Return the rows beyond the `most` nearest to the centroid of their group; of equals the last ones."""
    groups = groups_of(space, codes, ids, int(ids.max()) + 1)
    order = np.lexsort((distances(space, groups, codes, ids), ids))  # stable: equals keep their order
    own = ids[order]
    place = np.arange(own.size) - np.searchsorted(own, own)
    return np.sort(order[(place >= most) & (own >= 0)])


@compiled
def groups_of(space: Space, codes: Ints, ids: Ints, groups: int) -> Any:
    """Return the groups of a grouping of the rows (−1: in no group)."""
    shape = (space.kind.size, groups)
    made = Groups(
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int32),
    )
    for row in range(ids.size):
        if ids[row] >= 0:
            add(space, made, ids[row], codes[row])
    return made


@lean
def add(space: Space, groups: Groups, g: int, codes: Ints) -> None:
    """Put a row into a group."""
    first = groups.size[g] == 0
    cost = np.int64(0)
    for a in range(codes.size):
        code = codes[a]
        if space.kind[a] == RANGE:
            place = place_of(space, a, code)
            groups.low[a, g] = place if first else min(groups.low[a, g], place)
            groups.high[a, g] = place if first else max(groups.high[a, g], place)
            groups.total[a, g] += max(place, 0)
            groups.missing[a, g] += place < 0
            cost += min(space.full[a], groups.high[a, g] - groups.low[a, g])
        elif space.kind[a] == SET:
            if first:
                groups.shown[a, g] = code
            elif groups.shown[a, g] != code:
                groups.shown[a, g] = space.size[a]
            cost += space.full[a] if groups.shown[a, g] == space.size[a] else 0
        else:
            nodes = space.nodes_at[a]
            node = space.leaf_node[space.codes_at[a] + code] if first else groups.shown[a, g]
            while code < space.low[nodes + node] or code > space.high[nodes + node]:
                node = space.parent[nodes + node]
            groups.shown[a, g] = node
            cost += space.cost[nodes + node]
    groups.size[g] += 1
    groups.cost[g] = cost


@lean
def place_of(space: Space, attribute: int, code: int) -> Any:
    """Return the place of a number, −full if it is missing."""
    if code == space.missing[attribute]:
        return -space.full[attribute]
    return space.position[space.codes_at[attribute] + code]


@compiled
def join(space: Space, groups: Groups, codes: Ints, ids: Ints, rows: Longs, by: int, enough: int) -> None:
    """Do what `assign` does with one chunk of rows."""
    apart = np.empty(groups.size.size, np.int64)
    costs = np.empty(space.cost.size, np.int64)
    done = np.full(space.kind.size, -1, np.int32)
    short = np.sum(groups.size < enough)
    for row in rows:
        costs_with(space, codes[row], done, costs)
        most = enough if short > 0 else np.iinfo(np.int64).max
        if by == BY_LOSS:
            growths(space, groups, codes[row], costs, apart)
            best = least(apart, groups.size, most)
        else:
            centroid_distances(space, groups, codes[row], costs, apart)
            best = least_per_size(apart, groups.size, most) if by == BY_CENTROID else least(apart, groups.size, most)
        add(space, groups, best, codes[row])
        short -= groups.size[best] == enough
        ids[row] = best


@lean
def costs_with(space: Space, codes: Ints, done: Ints, costs: Longs) -> None:
    """Compute for each node of each tree the cost of the lowest node above it and a row's value.

    `done` has the values of the last call.
    """
    for a in range(codes.size):
        if space.kind[a] == TREE and codes[a] != done[a]:
            start = space.nodes_at[a]
            end = space.nodes_at[a + 1] if a + 1 < codes.size else costs.size
            for node in range(start, end):  # a parent comes before its children
                over = space.low[node] <= codes[a] and codes[a] <= space.high[node]
                costs[node] = space.cost[node] if over else costs[start + space.parent[node]]
            done[a] = codes[a]


@lean
def growths(space: Space, groups: Groups, codes: Ints, costs: Longs, apart: Longs) -> None:
    """Compute by how much the loss of each group would grow with a row in it."""
    apart[:] = 0
    add_shown_costs(space, groups, codes, costs, apart)
    for a in range(codes.size):
        if space.kind[a] == RANGE:
            place = place_of(space, a, codes[a])
            low, high = groups.low[a], groups.high[a]
            for g in range(apart.size):
                apart[g] += min(space.full[a], max(high[g], place) - min(low[g], place))
    for g in range(apart.size):
        apart[g] += groups.size[g] * (apart[g] - groups.cost[g])


@lean
def centroid_distances(space: Space, groups: Groups, codes: Ints, costs: Longs, apart: Longs) -> None:
    """Compute the distance of a row to the centroid of each group times its size, so that means are whole numbers."""
    apart[:] = 0
    add_shown_costs(space, groups, codes, costs, apart)
    for g in range(apart.size):
        apart[g] *= groups.size[g]
    for a in range(codes.size):
        if space.kind[a] == RANGE:
            place = place_of(space, a, codes[a])
            total, missing = groups.total[a], groups.missing[a]
            for g in range(apart.size):
                if place < 0:
                    apart[g] += groups.size[g] * space.full[a] if missing[g] < groups.size[g] else 0
                else:
                    mean = abs(groups.size[g] * place - total[g])
                    apart[g] += groups.size[g] * space.full[a] if missing[g] > 0 else mean


@lean
def add_shown_costs(space: Space, groups: Groups, codes: Ints, costs: Longs, apart: Longs) -> None:
    """Add what the trees and sets of each group would cost with a row in it."""
    for a in range(codes.size):
        shown = groups.shown[a]
        if space.kind[a] == TREE:
            own = costs[space.nodes_at[a] :]
            for g in range(apart.size):
                apart[g] += own[shown[g]]
        elif space.kind[a] == SET:
            for g in range(apart.size):
                apart[g] += space.full[a] if shown[g] != codes[a] else 0


@lean
def least(apart: Longs, size: Longs, most: int) -> int:
    """Return the first group of fewer than `most` rows that is least apart."""
    best = -1
    for g in range(apart.size):
        if size[g] < most and (best < 0 or apart[g] < apart[best]):
            best = g
    return best


@lean
def least_per_size(apart: Longs, size: Longs, most: int) -> int:
    """Return the first group of fewer than `most` rows for which apart / size is least.

    Fractions are compared by their whole part, then by their remainder, as a product with another size may overflow.
    """
    best, whole, rest = -1, np.int64(0), np.int64(0)
    for g in range(apart.size):
        if size[g] < most and (best < 0 or apart[g] < (whole + 1) * size[g]):
            its_whole, its_rest = apart[g] // size[g], apart[g] % size[g]
            if best < 0 or its_whole < whole or its_rest * size[best] < rest * size[g]:
                best, whole, rest = g, its_whole, its_rest
    return best


@compiled
def distances(space: Space, groups: Groups, codes: Ints, ids: Ints) -> Longs:
    """Return for each row its distance to the centroid of its group times the size, less what all its rows share.

    They share the distance to the node of a tree, to a set, and to a mean if numbers are missing.
    """
    apart = np.zeros(ids.size, np.int64)
    for row in range(ids.size):
        g = ids[row]
        if g >= 0:
            for a in range(space.kind.size):
                if space.kind[a] == RANGE and groups.missing[a, g] == 0:
                    apart[row] += abs(groups.size[g] * place_of(space, a, codes[row, a]) - groups.total[a, g])
    return apart
