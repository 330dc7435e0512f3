"""Clusters of rows with their labels and costs: rows move between them, and two are united."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs, Words
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.costs import SET, TREE, Space, cover, shown_cost


class Measure(NamedTuple):
    """What a cell costs: by the loss of the space or, if there are prices, by the rows that its label covers."""

    space: Space
    price: Longs  # by the number of covered rows; empty: by the loss
    weight: Longs  # of each code: 1 or, with prices, the rows that have it
    before: Longs  # of each code: the rows with a lower one
    factor: Longs  # of each attribute: what prices are multiplied by


class Groups(NamedTuple):
    """Clusters as lists of rows, with what each shows and what that costs a row."""

    home: Longs  # of each row: its cluster
    head: Longs  # of each cluster: its first row, −1 if it is empty
    after: Longs  # of each row: the next one of its cluster
    prior: Longs
    size: Longs  # of each cluster: the weight of its rows
    number: Longs  # of each cluster: the number of its rows
    bulk: Longs  # of each row: its weight
    total: Longs  # of each cluster: what a row of it costs
    cost: Longs  # clusters × attributes: what a cell of it costs
    low: Ints  # clusters × attributes: the lowest code of its rows
    high: Ints
    first: Ints  # clusters × attributes: the first code that its label covers; of sets 1 and
    last: Ints  # 0, as their codes need not be neighbours
    shown: Ints  # clusters × attributes: the node of a tree
    weight: Longs  # clusters × attributes: of the values in a set
    held: Words  # clusters × words: the values in a set, a bit for each
    word_at: Longs  # the first word of each attribute
    changed: Longs  # of each cluster: when it last changed


@compiled
def groups_of(measure: Measure, codes: Ints, bulk: Longs, ids: Ints, changed: Longs) -> Any:
    """Return the clusters of a grouping of rows (−1: in none), each of which may stand for several."""
    space, attributes = measure.space, codes.shape[1]
    word_at = np.zeros(attributes + 1, np.int64)
    for a in range(attributes):
        word_at[a + 1] = word_at[a] + ((space.size[a] + 63) // 64 if space.kind[a] == SET else 0)
    count, rows = changed.size, bulk.size
    shape = (count, attributes)
    groups = Groups(
        np.full(rows, -1, np.int64),
        np.full(count, -1, np.int64),
        np.full(rows, -1, np.int64),
        np.full(rows, -1, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        bulk,
        np.zeros(count, np.int64),
        np.zeros(shape, np.int64),
        np.full(shape, np.iinfo(np.int32).max, np.int32),
        np.full(shape, -1, np.int32),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int64),
        np.zeros((count, word_at[attributes]), np.uint64),
        word_at,
        changed,
    )
    for row in range(rows):
        if ids[row] >= 0:
            _put(measure, groups, codes, row, ids[row])
    for c in range(changed.size):
        if groups.size[c] > 0:
            _settle_all(measure, groups, c)
    return groups


@lean
def add(measure: Measure, groups: Groups, codes: Ints, row: int, c: int) -> None:
    """Put a row that is in no cluster into one."""
    _put(measure, groups, codes, row, c)
    _settle_all(measure, groups, c)


@lean
def replace(measure: Measure, groups: Groups, codes: Ints, gone: Longs, rows: Longs, clusters: Longs) -> None:
    """Move all rows of some clusters into empty ones; a cluster may be among both."""
    for c in gone:
        clear(groups, c)
    for place in range(rows.size):
        _put(measure, groups, codes, rows[place], clusters[place])
    for place in range(rows.size):
        if groups.head[clusters[place]] == rows[place]:
            _settle_all(measure, groups, clusters[place])


@lean
def clear(groups: Groups, c: int) -> None:
    """Make a cluster empty, so that rows can be moved into it; those that it had are in none."""
    groups.head[c], groups.size[c], groups.number[c], groups.total[c] = -1, 0, 0, 0
    groups.cost[c], groups.low[c], groups.high[c], groups.weight[c] = 0, np.iinfo(np.int32).max, -1, 0
    groups.held[c] = 0


@lean
def unite(measure: Measure, groups: Groups, codes: Ints, c: int, gone: int) -> None:
    """Put all rows of a cluster into another."""
    while groups.head[gone] >= 0:
        row = groups.head[gone]
        _unlink(groups, row)
        _put(measure, groups, codes, row, c)
    _settle_all(measure, groups, c)


@lean
def move(measure: Measure, groups: Groups, codes: Ints, row: int, to: int) -> None:
    """Take a row out of its cluster and put it into another."""
    c = groups.home[row]
    for a in range(codes.shape[1]):
        code = codes[row, a]
        changes, low, high, weight = _without(measure, groups, codes, row, a)
        if changes and groups.number[c] > 1:
            if measure.space.kind[a] == SET:
                groups.held[c, groups.word_at[a] + code // 64] &= ~(np.uint64(1) << np.uint64(code % 64))
            groups.low[c, a], groups.high[c, a], groups.weight[c, a] = low, high, weight
            _settle(measure, groups, c, a)
        covered = groups.first[to, a] <= code <= groups.last[to, a]
        _take_in(measure, groups, to, a, code)
        if not covered:
            _settle(measure, groups, to, a)
    _unlink(groups, row)
    _link(groups, row, to)


@lean
def cost_without(measure: Measure, groups: Groups, codes: Ints, row: int) -> Any:
    """Return what a row of a row's cluster costs after the row has left."""
    c = groups.home[row]
    total = groups.total[c]
    for a in range(codes.shape[1]):
        changes, low, high, weight = _without(measure, groups, codes, row, a)
        if changes:
            total += cell_cost(measure, a, low, high, weight) - groups.cost[c, a]
    return total


@lean
def _without(measure: Measure, groups: Groups, codes: Ints, row: int, attribute: int) -> Any:
    """Return whether an attribute of a row's cluster changes when the row leaves, then its codes and weight."""
    c, code = groups.home[row], codes[row, attribute]
    low, high, weight = groups.low[c, attribute], groups.high[c, attribute], groups.weight[c, attribute]
    is_set = measure.space.kind[attribute] == SET
    if low < code < high and not is_set:
        return False, low, high, weight
    lowest, highest = np.int32(np.iinfo(np.int32).max), np.int32(-1)
    other = groups.head[c]
    while other >= 0:
        if other != row:
            value = codes[other, attribute]
            if value == code:
                return False, low, high, weight
            lowest, highest = min(lowest, value), max(highest, value)
        other = groups.after[other]
    if is_set:
        weight -= measure.weight[measure.space.codes_at[attribute] + code]
    return True, lowest, highest, weight


@lean
def _put(measure: Measure, groups: Groups, codes: Ints, row: int, c: int) -> None:
    """Put a row into a cluster whose labels are computed later."""
    _link(groups, row, c)
    for a in range(codes.shape[1]):
        _take_in(measure, groups, c, a, codes[row, a])


@lean
def _settle_all(measure: Measure, groups: Groups, c: int) -> None:
    """Compute the labels of a cluster that has rows."""
    for a in range(groups.cost.shape[1]):
        _settle(measure, groups, c, a)


@lean
def _link(groups: Groups, row: int, c: int) -> None:
    """Put a row into the list of a cluster."""
    groups.home[row] = c
    groups.prior[row] = -1
    groups.after[row] = groups.head[c]
    if groups.head[c] >= 0:
        groups.prior[groups.head[c]] = row
    groups.head[c] = row
    groups.size[c] += groups.bulk[row]
    groups.number[c] += 1


@lean
def _unlink(groups: Groups, row: int) -> None:
    """Take a row out of the list of its cluster."""
    c = groups.home[row]
    if groups.prior[row] < 0:
        groups.head[c] = groups.after[row]
    else:
        groups.after[groups.prior[row]] = groups.after[row]
    if groups.after[row] >= 0:
        groups.prior[groups.after[row]] = groups.prior[row]
    groups.size[c] -= groups.bulk[row]
    groups.number[c] -= 1


@lean
def _take_in(measure: Measure, groups: Groups, c: int, attribute: int, code: int) -> None:
    """Add a value to an attribute of a cluster."""
    groups.low[c, attribute] = min(groups.low[c, attribute], code)
    groups.high[c, attribute] = max(groups.high[c, attribute], code)
    if measure.space.kind[attribute] == SET:
        word, bit = groups.word_at[attribute] + code // 64, np.uint64(1) << np.uint64(code % 64)
        if not groups.held[c, word] & bit:
            groups.held[c, word] |= bit
            groups.weight[c, attribute] += measure.weight[measure.space.codes_at[attribute] + code]


@lean
def _settle(measure: Measure, groups: Groups, c: int, attribute: int) -> None:
    """Compute the label of an attribute of a cluster that has rows, and what it costs."""
    space = measure.space
    low, high = groups.low[c, attribute], groups.high[c, attribute]
    cost = cell_cost(measure, attribute, low, high, groups.weight[c, attribute])
    groups.total[c] += cost - groups.cost[c, attribute]
    groups.cost[c, attribute] = cost
    if space.kind[attribute] == TREE:
        node, at = cover(space, attribute, low, high), space.nodes_at[attribute]
        groups.shown[c, attribute] = node
        low, high = space.low[at + node], space.high[at + node]
    elif space.kind[attribute] == SET:
        low, high = np.int32(1), np.int32(0)
    elif low == space.missing[attribute] and high > low:
        high = np.int32(space.size[attribute] - 1)
    groups.first[c, attribute] = low
    groups.last[c, attribute] = high


@lean
def cell_cost(measure: Measure, attribute: int, low: int, high: int, weight: int) -> Any:
    """Return what a cell costs whose values run from `low` to `high` or are a set of the given weight."""
    space = measure.space
    if measure.price.size == 0:
        return shown_cost(space, attribute, low, high, weight)
    if space.kind[attribute] == TREE:
        return space.cost[space.nodes_at[attribute] + cover(space, attribute, low, high)]
    if space.kind[attribute] == SET:
        return measure.price[weight] * measure.factor[attribute]
    if low == space.missing[attribute] and high > low:
        return measure.price[measure.price.size - 1] * measure.factor[attribute]
    at = space.codes_at[attribute]
    rows = measure.before[at + high] + measure.weight[at + high] - measure.before[at + low]
    return measure.price[rows] * measure.factor[attribute]
