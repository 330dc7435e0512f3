"""Boxes: the labels that rows can share, level by level, and what they cost each row."""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush
from math import isqrt, prod

import numpy as np

from shoal.algorithms.algorithm import Progress
from shoal.algorithms.local_recoding.effort import NEVER, Deadline
from shoal.data.domain import AnyDomain, SetDomain, TreeDomain
from shoal.data.table import Table
from shoal.kernels.arrays import Floats, Ints, Longs, Words
from shoal.kernels.local_recoding.boxes import Steps, next_boxes
from shoal.kernels.local_recoding.row_clusters import Measure, cell_cost
from shoal.models import PrivacyModel

WINDOWS = 100  # steps from the cheapest box to the dearest
MAX_NODES = 20_000  # of the lattice
MAX_CELLS = 2 * 10**9  # in all nodes
MAX_LEVELS = 2 * 10**7  # of nodes that wait
CELLS_PER_CALL = 3 * 10**7  # about, before Ctrl-C is answered
FEW_ROWS = 500  # that remain and become boxes of their own
ANY_COST = 1 << 62  # more than any cost
HALVINGS = 6  # levels of numbers and orders between the value and the top


def released(
    table: Table, model: PrivacyModel, measure: Measure, tell: Progress, *, deadline: Deadline = NEVER
) -> Ints:
    """Return the box in which each row is released, from the cheapest on; remaining rows have boxes of their own.

    After the deadline it raises OutOfTimeError.
    """
    rows = len(table.weights)
    steps, heights = steps_of(table, measure)
    nodes, ends = lattice(steps, heights, table, most_nodes(table))
    ids, left, count = np.full(rows, -1, np.int32), np.arange(rows), 0
    due = ends[:, 0].copy()
    costs = limits(int(ends.max()))
    for number, (above, upto) in enumerate(zip([-1, *costs], costs, strict=False)):
        node = -1
        while left.size:
            deadline.check()
            window = (above, upto, ANY_COST)
            node, own = first_boxes(steps, nodes, due, node + 1, table, left, window, model.smallest)
            if node < 0:
                break
            own = _satisfying(table, left, own, model)
            ids[left[own >= 0]] = own[own >= 0] + count
            count += int(own.max(initial=-1)) + 1
            left = left[own < 0]
        tell((number + 1) / len(costs))
    ids[left] = count + (np.arange(left.size) if left.size <= FEW_ROWS else 0)
    return ids


def first_boxes(
    steps: Steps,
    nodes: Ints,
    due: Longs,
    begin: int,
    table: Table,
    left: Longs,
    window: tuple[int, int, int],
    smallest: int,
    *,
    every: int = 1,
) -> tuple[int, Ints]:
    """Return the first node from `begin` on with boxes of enough weight in a window, and the box of each remaining row.

    The window has the cost that boxes exceed, their highest cost, and up to which cost weights are counted. `due` says
    from what cost on a node may have boxes; counting far ahead pays if classes are large. Nodes are examined in chunks,
    so that Ctrl-C is answered between them; of those that are due, one in `every`.
    """
    above, upto, ahead = window
    codes = np.ascontiguousarray(table.codes)
    step = max(1, CELLS_PER_CALL // max(1, left.size * nodes.shape[1]))
    there = (begin + np.flatnonzero(due[begin:] <= upto))[every - 1 :: every].copy()
    for at in range(0, there.size, step):
        some = there[at : at + step]
        place, own = next_boxes(steps, nodes, due, some, codes, table.weights, left, above, upto, ahead, smallest)
        if place >= 0:
            return int(some[place]), own
    return -1, np.zeros(0, np.int32)


def lattice_size(table: Table, measure: Measure) -> int:
    """Return the number of nodes of the lattice, of which the most expensive may not be examined."""
    return prod(steps_of(table, measure)[1])


def most_nodes(table: Table) -> int:
    """Return the most nodes of the lattice that are examined."""
    rows, columns = table.codes.shape
    return int(min(MAX_NODES, MAX_CELLS // max(1, rows * columns), MAX_LEVELS // columns**2))


def limits(dearest: int) -> list[int]:
    """Return the ends of the windows of costs in whole numbers: i^1.5, as most boxes are cheap."""
    return [isqrt(dearest * dearest * number**3 // WINDOWS**3) for number in range(WINDOWS + 1)]


def _satisfying(table: Table, left: Longs, own: Ints, model: PrivacyModel) -> Ints:
    """Return the boxes, −1 for those that fail the model."""
    if all(part.by_size_alone for part in model.parts):
        return own
    # Classes are compared with the whole table.
    classes = table.some(left[own >= 0]).classes(own[own >= 0])
    good = model.satisfied(replace(classes, sensitive=table.overall))
    return np.where(np.append(good, False)[own], own, np.int32(-1))


def steps_of(table: Table, measure: Measure, *, halvings: int = HALVINGS) -> tuple[Steps, list[int]]:
    """Return what each code shows at each level, and how many levels each attribute has."""
    every = [
        _levels(domain, np.bincount(codes, table.weights, len(domain)).astype(np.float64), halvings)
        for domain, codes in zip(table.domains, table.codes.T, strict=True)
    ]
    heights = [len(levels) for levels in every]
    at = np.zeros((len(heights), max(heights)), np.int64)
    keys, costs, count = [], [], 0
    for attribute, (domain, levels) in enumerate(zip(table.domains, every, strict=True)):
        for level, block in enumerate(levels):
            keys.append(keys_of(count + block.astype(np.uint64)))
            costs.append(_costs(measure, attribute, domain, block))
            at[attribute, level] = count
            count += len(domain)
    return Steps(np.concatenate(keys), np.concatenate(costs), at), heights


def keys_of(numbers: Words) -> Longs:
    """Return a 64-bit key for each number (G. Steele et al., Fast splittable pseudorandom number generators, 2014)."""
    keys = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (keys ^ (keys >> np.uint64(31))).view(np.int64)


def _levels(domain: AnyDomain, counts: Floats, halvings: int) -> list[Ints]:
    """Return the block of each code at each level: nodes of a tree, repeated halves of an order, or all or nothing."""
    values = np.arange(len(domain), dtype=np.int32)
    everything = np.zeros(len(domain), np.int32)
    if isinstance(domain, TreeDomain):
        tree = domain.hierarchy
        return [tree.ancestors(tree.leaf_nodes, steps) for steps in range(tree.height + 1)]
    if len(domain) == 1:
        return [everything]
    if isinstance(domain, SetDomain):
        return [values, everything]
    first = domain.missing + 1
    before = np.cumsum(counts) - counts / 2
    shares = before / max(1.0, counts.sum())
    halves = [np.floor(shares * 2**depth).astype(np.int32) + 1 for depth in range(halvings, 0, -1)]
    for block in halves:
        block[:first] = 0  # the missing value joins others only in the top
    return [values, *halves, everything]


def _costs(measure: Measure, attribute: int, domain: AnyDomain, block: Ints) -> Longs:
    """Return what a cell costs that shows the block of a code."""
    if isinstance(domain, TreeDomain):
        return np.asarray(measure.space.cost[measure.space.nodes_at[attribute] + block])
    _, first, own = np.unique(block, return_index=True, return_inverse=True)
    weights = measure.weight[measure.space.codes_at[attribute] :][: len(domain)]
    weight, last = np.zeros(first.size, np.int64), np.zeros(first.size, np.int64)
    np.add.at(weight, own, weights)
    np.maximum.at(last, own, np.arange(len(domain)))
    ends = zip(first.tolist(), last.tolist(), weight.tolist(), strict=True)
    return np.array([cell_cost(measure, attribute, *block) for block in ends], np.int64)[own]


def lattice(steps: Steps, heights: list[int], table: Table, most: int) -> tuple[Ints, Longs]:
    """Return the nodes of the lattice, cheapest for the rows first, and bounds of what their boxes cost.

    At most `most`, and always the top.
    """
    sums, lows, highs = [], [], []  # whole numbers, so that every machine has the same order
    for attribute, (height, codes) in enumerate(zip(heights, table.codes.T, strict=True)):
        own = np.stack([steps.cost[steps.at[attribute, level] + codes] for level in range(height)])
        sums.append((own * table.weights).sum(axis=1).tolist())
        lows.append(own.min(axis=1))
        highs.append(own.max(axis=1))
    vectors = cheapest(sums, most)
    top = [height - 1 for height in heights]
    nodes = np.array(vectors if top in vectors else [*vectors, top], np.int32)
    ends = [sum(cost[nodes[:, a]] for a, cost in enumerate(costs)) for costs in (lows, highs)]
    return nodes, np.stack(ends, axis=1).astype(np.int64)


def cheapest(costs: list[list[int]], most: int) -> list[list[int]]:
    """Return the level vectors of the lowest costs, each after those below it."""
    if prod(map(len, costs)) <= most and all(cost == sorted(cost) for cost in costs) and sum(map(max, costs)) < 1 << 63:
        every = np.indices([len(cost) for cost in costs]).reshape(len(costs), -1)
        total = sum(np.array(cost, np.int64)[levels] for cost, levels in zip(costs, every, strict=True))
        return every[:, np.argsort(total, kind="stable")].T.tolist()  # type: ignore[no-any-return]
    bottom = (0,) * len(costs)
    waiting, seen = [(sum(cost[0] for cost in costs), bottom)], {bottom}
    cheapest: list[list[int]] = []
    while waiting and len(cheapest) < min(most, prod(map(len, costs))):
        cost, node = heappop(waiting)
        cheapest.append(list(node))
        for attribute, level in enumerate(node):
            if level + 1 < len(costs[attribute]):
                higher = (*node[:attribute], level + 1, *node[attribute + 1 :])
                if higher not in seen:
                    seen.add(higher)
                    step = costs[attribute][level + 1] - costs[attribute][level]
                    heappush(waiting, (cost + step, higher))
    return cheapest
