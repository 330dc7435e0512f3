"""Clusters that form anew from a few rows: what they hold and show, and what each row would cost in them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import inlined, lean
from shoal.kernels.costs import SET
from shoal.kernels.local_recoding.pair_costs import KIND, Costs, Few, set_cost
from shoal.kernels.local_recoding.verdicts import DIFFERENT, Conditions, deficit

LOW, HIGH, CELL = range(3)  # of a new cluster and an attribute: ranks (LOW: the weight of a set) and the cost
FAVOUR = 2  # of an attribute: how often it counts


class Anew(NamedTuple):
    """What the new clusters hold and show."""

    edge: Longs  # clusters × attributes × (lowest rank, highest rank, cost)
    held: Ints  # clusters × values: how many rows have each, by weight in counted columns
    cost: Longs  # clusters × values: what a cell costs after a row with the value has joined


class Scores(NamedTuple):
    """What each free row would cost in the cluster that grows, times the favours of the attributes."""

    total: Longs
    part: Longs  # attributes × rows
    seen: Longs  # attributes × (lowest rank and highest rank when it was computed, favour)
    helps: Longs  # of each value of a counted column: whether it brings a cluster nearer to a condition


@inlined
def rescore(few: Few, anew: Anew, scores: Scores, free: Longs, left: int, c: Any, first: bool) -> None:
    """Compute what free rows would cost in a cluster where an attribute of it has changed; at `first` in all."""
    edge, seen, cost = anew.edge, scores.seen, anew.cost
    if first:
        for place in range(left):
            scores.total[free[place]] = 0
    for a in range(edge.shape[1]):
        if not first and seen[a, LOW] == edge[c, a, LOW] and seen[a, HIGH] == edge[c, a, HIGH]:
            continue
        seen[a, LOW], seen[a, HIGH] = edge[c, a, LOW], edge[c, a, HIGH]
        for place in range(left):
            i = free[place]
            now = seen[a, FAVOUR] * cost[c, few.ranks[i, a]]
            scores.total[i] += now if first else now - scores.part[a, i]
            scores.part[a, i] = now


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


@inlined
def take_in(costs: Costs, few: Few, anew: Anew, made: Longs, c: Any, i: int, bulk: int) -> None:
    """Add a row to a new cluster."""
    index, start, edge, count = few.ranks, few.start, anew.edge, anew.held
    attributes = edge.shape[1]
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
    for a in range(attributes, index.shape[1]):
        count[c, index[i, a]] += bulk
    made[c, 0] += bulk


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


@inlined
def _settle(costs: Costs, few: Few, anew: Anew, made: Longs, c: Any, a: int) -> None:
    """Compute what a cell of a new cluster costs, and what it would cost with each other value."""
    start, end, at, pair = few.start[a], few.start[a + 1], few.pair_at[a], few.pair
    low, high, width = anew.edge[c, a, LOW], anew.edge[c, a, HIGH], few.start[a + 1] - few.start[a]
    if costs.attribute[a, KIND] == SET:
        now = set_cost(costs, a, low)
        for place in range(start, end):
            held = anew.held[c, place] > 0
            anew.cost[c, place] = now if held else set_cost(costs, a, low + pair[at + place - start])
    else:
        now = pair[at + low * width + high]
        for rank in range(low):
            anew.cost[c, start + rank] = pair[at + rank * width + high]
        for rank in range(low, high + 1):
            anew.cost[c, start + rank] = now
        for rank in range(high + 1, width):
            anew.cost[c, start + rank] = pair[at + low * width + rank]
    made[c, 1] += now - anew.edge[c, a, CELL]
    anew.edge[c, a, CELL] = now
