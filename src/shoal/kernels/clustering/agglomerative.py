"""Clusters of rows that are united, the closest two first, until each is ripe.

A cluster that still grows has the number of its first row; ripe ones have the numbers after the last row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.costs import SET, TREE
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, clear, cost_without, move, unite

LARGEST_INT: Any = np.int64(np.iinfo(np.int64).max)
NONE: Any = np.int64(-1)  # of numpy, as numba compiles a function anew for every literal number
CELLS_AT_A_TIME = 7  # are added up before the limit is looked at
STALE: Any = np.int64(-2)  # the closest cluster has changed, but none is nearer than it was


class Growing(NamedTuple):
    """The clusters that still grow, and for each the closest one with a higher number."""

    by_row: bool  # compare what a row costs, not all rows together
    alive: Longs  # their numbers, ascending
    many: Longs  # how many they are, and how many clusters are ripe
    closest: Longs  # by number; −1 if there is none
    distance: Longs
    costs: Longs  # scratch space, a number per node of the trees


@compiled
def find_closest(measure: Measure, groups: Groups, growing: Growing, begin: int, end: int) -> None:
    """Find the closest cluster for those at some places of the list."""
    for place in range(begin, end):
        _find(measure, groups, growing, place, -LARGEST_INT)


@compiled
def unite_closest(
    measure: Measure, groups: Groups, growing: Growing, codes: Ints, ripe: int, shrink: bool, times: int
) -> int:
    """Unite the two closest clusters this many times; return how often there were two.

    A union of `ripe` rows grows no more; if it is to shrink, it gives up all rows above that number.
    """
    given_up = np.empty(ripe, np.int64)
    for time in range(times):
        if growing.many[0] < 2:
            return time
        place = _closest_pair(measure, groups, growing)
        c = growing.alive[place]
        d = growing.closest[c]
        unite(measure, groups, codes, c, d)
        _remove(growing, d)
        if groups.number[c] < ripe:
            _tell_others(measure, groups, growing, c, d, True)
            _find(measure, groups, growing, place, -LARGEST_INT)
            continue
        _remove(growing, c)
        _tell_others(measure, groups, growing, c, d, False)
        last = groups.bulk.size + growing.many[1]
        growing.many[1] += 1
        unite(measure, groups, codes, last, c)
        many = 0
        while shrink and groups.number[last] > ripe:
            given_up[many] = _most_costly(measure, groups, codes, last)
            _part(measure, groups, codes, given_up[many])
            many += 1
        for row in np.sort(given_up[:many])[::-1]:
            place = _insert(growing, row)
            _tell_others(measure, groups, growing, row, row, True)
            _find(measure, groups, growing, place, -LARGEST_INT)
    return times


@compiled
def join_ripe(measure: Measure, groups: Groups, growing: Growing, codes: Ints, rows: Longs) -> None:
    """Put rows that are in no ripe cluster, one after another, into the closest."""
    first = groups.bulk.size
    for row in rows:
        if groups.home[row] != row:
            _part(measure, groups, codes, row)
    for row in rows:
        _costs_with(measure, groups, growing, row)
        best, limit = NONE, LARGEST_INT
        for c in range(first, first + growing.many[1]):
            apart = _apart(measure, groups, growing, row, c, limit)
            if apart < limit:
                best, limit = c, apart
        unite(measure, groups, codes, best, row)


@lean
def _closest_pair(measure: Measure, groups: Groups, growing: Growing) -> Any:
    """Return the place of the cluster that is nearest to its closest one, the first of equals."""
    while True:
        best, limit = NONE, LARGEST_INT
        for place in range(growing.many[0]):
            distance = growing.distance[growing.alive[place]]
            if distance < limit:
                best, limit = place, distance
        if growing.closest[growing.alive[best]] != STALE:
            return best
        _find(measure, groups, growing, best, limit)


@lean
def _find(measure: Measure, groups: Groups, growing: Growing, place: int, least: int) -> None:
    """Find the closest cluster for the one at a place; none is nearer than `least`."""
    c = growing.alive[place]
    _costs_with(measure, groups, growing, c)
    best, limit = NONE, LARGEST_INT
    for other in range(place + 1, growing.many[0]):
        d = growing.alive[other]
        apart = _apart(measure, groups, growing, c, d, limit)
        if apart < limit:
            best, limit = d, apart
            if limit <= least:
                break
    growing.closest[c], growing.distance[c] = best, limit


@lean
def _tell_others(measure: Measure, groups: Groups, growing: Growing, c: int, gone: int, grows: bool) -> None:
    """Tell clusters of lower numbers that one has changed, whether it still grows, and that another has gone."""
    if grows:
        _costs_with(measure, groups, growing, c)
    for place in range(growing.many[0]):
        e = growing.alive[place]
        if e >= gone:
            break
        if growing.closest[e] == c or growing.closest[e] == gone:
            growing.closest[e] = STALE
        if grows and e < c:
            limit = growing.distance[e] + (growing.closest[e] > c)
            apart = _apart(measure, groups, growing, c, e, limit)
            if apart < limit:
                growing.closest[e], growing.distance[e] = c, apart


@lean
def _remove(growing: Growing, c: int) -> None:
    """Take a cluster out of the list."""
    for at in range(np.searchsorted(growing.alive[: growing.many[0]], c), growing.many[0] - 1):
        growing.alive[at] = growing.alive[at + 1]
    growing.many[0] -= 1


@lean
def _insert(growing: Growing, c: int) -> Any:
    """Put a cluster into the list, and return its place."""
    place = np.searchsorted(growing.alive[: growing.many[0]], c)
    for at in range(growing.many[0], place, -1):
        growing.alive[at] = growing.alive[at - 1]
    growing.alive[place] = c
    growing.many[0] += 1
    return place


@lean
def _part(measure: Measure, groups: Groups, codes: Ints, row: int) -> None:
    """Make a row of another cluster one of its own."""
    clear(groups, row)
    move(measure, groups, codes, row, row)


@lean
def _most_costly(measure: Measure, groups: Groups, codes: Ints, c: int) -> Any:
    """Return the row without which the others of its cluster cost least, the first of equals."""
    best, limit = NONE, LARGEST_INT
    row = groups.head[c]
    while row >= 0:
        cost = cost_without(measure, groups, codes, row)
        if cost < limit or (cost == limit and row < best):
            best, limit = row, cost
        row = groups.after[row]
    return best


@lean
def _costs_with(measure: Measure, groups: Groups, growing: Growing, c: int) -> None:
    """Compute for each node of each tree what the lowest node above it and a cluster's own costs."""
    space = measure.space
    for a in range(space.kind.size):
        if space.kind[a] == TREE:
            start = space.nodes_at[a]
            end = space.nodes_at[a + 1] if a + 1 < space.kind.size else growing.costs.size
            low, high = groups.low[c, a], groups.high[c, a]
            for node in range(start, end):  # a parent comes before its children
                over = space.low[node] <= low and high <= space.high[node]
                growing.costs[node] = space.cost[node] if over else growing.costs[start + space.parent[node]]


@lean
def _apart(measure: Measure, groups: Groups, growing: Growing, c: int, d: int, limit: int) -> Any:
    """Return how far a cluster is from the one that `_costs_with` was called for, or the limit if that is not less."""
    space = measure.space
    both, own = np.int64(1), groups.total[c] + groups.total[d]
    if not growing.by_row:
        both = groups.number[c] + groups.number[d]
        own = groups.number[c] * groups.total[c] + groups.number[d] * groups.total[d]
    cost = np.int64(0)
    for a in range(space.kind.size):
        if a % CELLS_AT_A_TIME == 0 and both * cost - own >= limit:
            return limit
        if space.kind[a] == TREE:
            cost += growing.costs[space.nodes_at[a] + groups.shown[d, a]]
        elif space.kind[a] == SET:
            heavier = groups.weight[c, a]
            for word in range(groups.word_at[a], groups.word_at[a + 1]):
                more = groups.held[d, word] & ~groups.held[c, word]
                while more:
                    more &= more - np.uint64(1)
                    heavier += 1
            cost += space.position[space.codes_at[a] + heavier - 1]
        else:
            low, high = min(groups.low[c, a], groups.low[d, a]), max(groups.high[c, a], groups.high[d, a])
            if low < high:
                missing, at = low == space.missing[a], space.codes_at[a]
                apart = space.position[at + high] - space.position[at + low] + space.step[a]
                cost += space.full[a] if missing else apart
    return min(limit, both * cost - own)
