"""Clusters that form anew from a few rows: what they hold and show, and what each row would cost in them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs, Places
from shoal.kernels.compiling import lean
from shoal.kernels.costs import SET
from shoal.kernels.local_recoding.pair_costs import KIND, Costs, Few, set_cost
from shoal.kernels.local_recoding.verdicts import DIFFERENT, Conditions, deficit

LOW, HIGH, CELL = range(3)  # of a new cluster and an attribute: ranks (LOW: the weight of a set) and the cost
LARGEST_INT: Any = np.int64(np.iinfo(np.int64).max)


class Desk(NamedTuple):
    """Scratch space: the clusters that give up their rows, these rows, and the new clusters."""

    gone: Longs  # the last number is how many there are
    row: Longs
    bulk: Longs  # how many rows each stands for
    home: Longs  # of each row: its new cluster
    free: Places  # rows that are in none yet
    made: Longs  # new clusters × (weight, cost of a row)


class Anew(NamedTuple):
    """What the new clusters hold and show."""

    edge: Longs  # clusters × attributes × (lowest rank, highest rank, cost)
    held: Ints  # clusters × values: how many rows have each, by weight in counted columns
    cost: Longs  # clusters × values: what a cell costs after a row with the value has joined
    rise: Longs  # of each value: by how much that grew when a cell was settled last
    changed: Longs  # the attributes whose cells the last row that joined has changed


class Scores(NamedTuple):
    """What each free row would cost in the cluster that grows, times the favours of the attributes."""

    total: Longs
    favour: Longs  # how often each attribute counts
    helps: Longs  # of each value of a counted column: whether it brings a cluster nearer to a condition


@lean
def cheapest(
    few: Few, anew: Anew, scores: Scores, desk: Desk, left: Any, begin: Any, changed: int, asked: Any, size: int
) -> Any:
    """Return the place of the free row with which a growing cluster costs least, the first from `begin` on; −1: none.

    Its cells have changed in so many attributes. If a counted column is asked for, its value must help.
    """
    free, bulk, total, ranks = desk.free, desk.bulk, scores.total, few.ranks
    rise, favour, attribute = anew.rise, scores.favour, anew.changed
    chosen, least, place = np.int64(-1), LARGEST_INT, begin
    for _ in range(left):
        i = free[place]
        now = total[i]
        for x in range(changed):
            a = attribute[x]
            now += favour[a] * rise[ranks[i, a]]
        total[i] = now
        now *= size + bulk[i]
        if now < least and (asked < 0 or scores.helps[ranks[i, asked]] != 0):
            chosen, least = place, now
        place += 1
        if place == left:
            place = np.int64(0)
    return chosen


@lean
def helpful(conditions: Conditions, few: Few, anew: Anew, c: Any, size: int, smallest: int, helps: Longs) -> Any:
    """Return the counted column whose values must help a cluster now, and mark those that do.

    −2: all conditions are met; −1: any row may join, as there is room for more than those that must help.
    """
    count, attributes, state = anew.held[c], anew.edge.shape[1], np.int64(-2)
    for j in range(conditions.rule.shape[0]):
        begin, end = few.start[attributes + j], few.start[attributes + j + 1]
        owed = deficit(conditions, j, count, begin, end, size)
        if owed <= 0:
            continue
        state = np.int64(-1)
        if smallest - size <= (owed if conditions.rule[j, 0] == DIFFERENT else 1):
            for place in range(begin, end):
                count[place] += 1
                helps[place] = deficit(conditions, j, count, begin, end, size + 1) < owed
                count[place] -= 1
            return np.int64(attributes + j)
    return state


@lean
def stays_good(conditions: Conditions, few: Few, anew: Anew, made: Longs, c: Any, i: int, bulk: int) -> Any:
    """Return whether a cluster meets all conditions with one more row, or without one (bulk below 0)."""
    count, attributes, good = anew.held[c], anew.edge.shape[1], True
    for j in range(conditions.rule.shape[0]):
        place = few.ranks[i, attributes + j]
        count[place] += bulk
        begin, end = few.start[attributes + j], few.start[attributes + j + 1]
        good = deficit(conditions, j, count, begin, end, made[c, 0] + bulk) <= 0
        count[place] -= bulk
        if not good:
            break
    return good


@lean
def take_in(costs: Costs, few: Few, anew: Anew, made: Longs, c: Any, i: int, bulk: int) -> Any:
    """Add a row to a new cluster; return in how many attributes its cells have changed."""
    index, start, edge, count = few.ranks, few.start, anew.edge, anew.held
    attributes, changed = edge.shape[1], np.int64(0)
    for a in range(attributes):
        place = index[i, a]
        rank = place - start[a]
        count[c, place] += 1
        if costs.attribute[a, KIND] == SET:
            if count[c, place] > 1:
                continue
            edge[c, a, LOW] = few.pair[few.pair_at[a] + rank] + (edge[c, a, LOW] if made[c, 0] > 0 else 0)
        elif made[c, 0] == 0:
            edge[c, a, LOW], edge[c, a, HIGH] = rank, rank
        elif rank < edge[c, a, LOW]:
            edge[c, a, LOW] = rank
        elif rank > edge[c, a, HIGH]:
            edge[c, a, HIGH] = rank
        else:
            continue
        _settle(costs, few, anew, made, c, a)
        anew.changed[changed] = a
        changed += 1
    for a in range(attributes, index.shape[1]):
        count[c, index[i, a]] += bulk
    made[c, 0] += bulk
    return changed


@lean
def let_go(costs: Costs, few: Few, anew: Anew, made: Longs, c: Any, i: int, bulk: int) -> None:
    """Take a row out of a new cluster that has others."""
    index, start, edge, count = few.ranks, few.start, anew.edge, anew.held
    attributes = edge.shape[1]
    for a in range(attributes):
        place = index[i, a]
        rank = place - start[a]
        count[c, place] -= 1
        if count[c, place] > 0:
            continue
        if costs.attribute[a, KIND] == SET:
            edge[c, a, LOW] -= few.pair[few.pair_at[a] + rank]
        elif rank == edge[c, a, LOW]:
            edge[c, a, LOW] = _next(count, c, start[a], rank, 1)
        elif rank == edge[c, a, HIGH]:
            edge[c, a, HIGH] = _next(count, c, start[a], rank, -1)
        else:
            continue
        _settle(costs, few, anew, made, c, a)
    for a in range(attributes, index.shape[1]):
        count[c, index[i, a]] -= bulk
    made[c, 0] -= bulk


@lean
def _next(count: Ints, c: Any, start: int, rank: int, step: int) -> Any:
    """Return the next rank that a cluster holds, upwards or downwards."""
    rank += step
    while count[c, start + rank] == 0:
        rank += step
    return rank


@lean
def cost_without(costs: Costs, few: Few, anew: Anew, made: Longs, c: Any, i: int) -> Any:
    """Return what a row of a new cluster costs after one of its rows has left."""
    start, edge, count, total = few.start, anew.edge, anew.held, made[c, 1]
    for a in range(edge.shape[1]):
        place = few.ranks[i, a]
        if count[c, place] > 1:
            continue
        rank, low, high = place - start[a], edge[c, a, LOW], edge[c, a, HIGH]
        if costs.attribute[a, KIND] == SET:
            total += set_cost(costs, a, low - few.pair[few.pair_at[a] + rank]) - edge[c, a, CELL]
            continue
        if rank == low:
            low = _next(count, c, start[a], rank, 1)
        elif rank == high:
            high = _next(count, c, start[a], rank, -1)
        else:
            continue
        total += few.pair[few.pair_at[a] + low * (start[a + 1] - start[a]) + high] - edge[c, a, CELL]
    return total


@lean
def _settle(costs: Costs, few: Few, anew: Anew, made: Longs, c: Any, a: int) -> None:
    """Compute what a cell of a new cluster costs, and what it would cost with each other value."""
    start, at, pair, cost, rise = few.start[a], few.pair_at[a], few.pair, anew.cost[c], anew.rise
    low, high, width = anew.edge[c, a, LOW], anew.edge[c, a, HIGH], few.start[a + 1] - few.start[a]
    now = set_cost(costs, a, low) if costs.attribute[a, KIND] == SET else pair[at + low * width + high]
    for rank in range(width):
        if costs.attribute[a, KIND] == SET:
            held = anew.held[c, start + rank] > 0
            then = now if held else set_cost(costs, a, low + pair[at + rank])
        elif rank < low:
            then = pair[at + rank * width + high]
        elif rank > high:
            then = pair[at + low * width + rank]
        else:
            then = now
        rise[start + rank] = then - cost[start + rank]
        cost[start + rank] = then
    made[c, 1] += now - anew.edge[c, a, CELL]
    anew.edge[c, a, CELL] = now
