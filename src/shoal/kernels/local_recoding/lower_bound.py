"""Shares of rows: a lower bound of their costs, lowered until every box can pay the shares of its rows.

A box is a part of each attribute: a node of a tree or a range. Its shares are paid for if the mean of the `among`
largest is at most what a row costs in the box.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.costs import RANGE, TREE
from shoal.kernels.largest import Largest, add, clear, drop_least, total
from shoal.kernels.local_recoding.row_clusters import Measure, cell_cost


class Parts(NamedTuple):
    """What the attributes can show; attribute j from `at[j]` on, a tree depth by depth, a range by low and high."""

    kind: Longs  # TREE or RANGE
    size: Longs  # the number of codes
    depths: Longs  # of a tree: its levels; 0 for a range
    apart: Longs  # of a range: the code that joins others only in the top, or −1
    at: Longs
    block: Ints  # of a tree, by depth and code: the node
    cost: Longs  # of a tree by depth and code, of a range by its lowest and highest code


class Rows(NamedTuple):
    """Distinct rows, how often each occurs, and the least that it costs from each attribute on."""

    codes: Ints  # attributes × rows
    weight: Longs
    rest: Longs  # attributes + 1 × rows
    share: Longs


class Walk(NamedTuple):
    """The state of a walk through the boxes: for each attribute the rows in the parts before it, and its part."""

    rows: Ints  # attributes × rows, sorted by the code of the attribute
    code: Longs  # attributes × codes: those of the rows
    start: Longs  # attributes × codes + 1: where the rows of each begin
    runs: Longs  # how many codes there are
    cost: Longs  # of the parts chosen before
    step: Longs  # attributes × 2: the depth of a tree or the width of a range, and the code to start from
    chosen: Longs  # attributes × 2: the lowest and the highest code of its part
    place: Longs  # codes + 1: scratch space for sorting


@compiled
def cell_costs(measure: Measure, attribute: int, low: Ints, high: Ints, weight: Longs) -> Any:
    """Return what cells cost that show from `low` to `high`, or sets of the given weights."""
    costs = np.zeros(low.size, np.int64)
    for i in range(low.size):
        costs[i] = cell_cost(measure, attribute, low[i], high[i], weight[i])
    return costs


@compiled
def lower_shares(parts: Parts, rows: Rows, smallest: int, among: int, most_work: int) -> Any:
    """Lower the rows' shares until no box of at least `smallest` rows costs less than its rows' shares together.

    Return the number of rows examined, −1 if that is too many.
    """
    attributes, count = rows.codes.shape
    codes = parts.size.max()
    walk = Walk(
        np.zeros((attributes, count), np.int32),
        np.zeros((attributes, codes), np.int64),
        np.zeros((attributes, codes + 1), np.int64),
        np.zeros(attributes, np.int64),
        np.zeros(attributes, np.int64),
        np.zeros((attributes, 2), np.int64),
        np.zeros((attributes, 2), np.int64),
        np.zeros(codes + 1, np.int64),
    )
    largest = Largest(np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64), np.zeros(3, np.int64), among)
    work, attribute, last = 0, 0, attributes - 1
    _enter(parts, rows, walk, 0, np.arange(count).astype(np.int32), 0)
    while attribute >= 0:
        if work > most_work:
            return -1
        if attribute == last and parts.kind[last] == RANGE:
            work += _windows(parts, rows, smallest, walk, largest, most_work - work)
            attribute -= 1
            continue
        begin, end, cost = _next_part(parts, walk, attribute)
        if begin == end:
            attribute -= 1
            continue
        inside = walk.rows[attribute, begin:end]
        work += inside.size
        if not _may_owe(rows, inside, cost, attribute + 1, smallest) or not _closed(
            parts, rows, walk, attribute, inside
        ):
            continue
        if attribute == last:
            _settle(rows, inside, cost, largest)
        elif among == 1 or _owes(rows, inside, cost + rows.rest[attribute + 1][inside].min(), largest):
            attribute += 1
            _enter(parts, rows, walk, attribute, inside, cost)
    return work


@lean
def _enter(parts: Parts, rows: Rows, walk: Walk, attribute: int, inside: Ints, cost: int) -> None:
    """Enter an attribute with the rows in the parts chosen before it: sort them by their codes."""
    codes, into, place = rows.codes[attribute], walk.rows[attribute], walk.place
    code, start = walk.code[attribute], walk.start[attribute]
    size, runs = parts.size[attribute], 0
    place[: size + 1] = 0
    for row in inside:
        place[codes[row] + 1] += 1
    for value in range(size):
        if place[value + 1] > 0:
            code[runs], start[runs] = value, place[value]
            runs += 1
        place[value + 1] += place[value]
    start[runs] = inside.size
    for row in inside:
        into[place[codes[row]]] = row
        place[codes[row]] += 1
    walk.runs[attribute], walk.cost[attribute] = runs, cost
    walk.step[attribute, 0] = max(0, parts.depths[attribute] - 1)
    walk.step[attribute, 1] = 0


@lean
def _next_part(parts: Parts, walk: Walk, attribute: int) -> Any:
    """Choose the next part of an attribute; return where its rows begin and end (equal: no more), and the cost."""
    start, size, code = walk.start[attribute], parts.size[attribute], walk.code[attribute]
    if parts.kind[attribute] == TREE:
        i, j = _next_node(parts, walk, attribute)
        cost = parts.cost[parts.at[attribute] + walk.step[attribute, 0] * size + code[i]] if i <= j else 0
    else:
        i, j = _next_range(parts, walk, attribute)
        cost = parts.cost[parts.at[attribute] + code[i] * size + code[j]] if i <= j else 0
    walk.chosen[attribute, 0], walk.chosen[attribute, 1] = code[i], code[j]
    return start[i], start[j + 1], walk.cost[attribute] + cost


@lean
def _next_node(parts: Parts, walk: Walk, attribute: int) -> Any:
    """Return the next node of a tree, from leaves to the root, as the first and the last of its codes."""
    code, runs, step = walk.code[attribute], walk.runs[attribute], walk.step[attribute]
    size, deepest = parts.size[attribute], parts.depths[attribute] - 1
    while step[0] >= 0:
        if step[1] == runs:
            step[0] -= 1
            step[1] = 0
            continue
        here = parts.at[attribute] + step[0] * size
        i = j = step[1]
        while j + 1 < runs and parts.block[here + code[j + 1]] == parts.block[here + code[i]]:
            j += 1
        step[1] = j + 1
        # A node whose rows are all in one of its children is more general than they need.
        if step[0] == deepest or parts.block[here + size + code[i]] != parts.block[here + size + code[j]]:
            return i, j
    return 0, -1


@lean
def _next_range(parts: Parts, walk: Walk, attribute: int) -> Any:
    """Return the next range, from narrow to wide, as the first and the last of its codes."""
    code, runs, step = walk.code[attribute], walk.runs[attribute], walk.step[attribute]
    while step[0] < runs:
        i, j = step[1], step[1] + step[0]
        if j >= runs:
            step[0] += 1
            step[1] = 0
            continue
        step[1] += 1
        if i == j or j == runs - 1 or code[i] != parts.apart[attribute]:
            return i, j
    return 0, -1


@lean
def _may_owe(rows: Rows, inside: Ints, cost: int, attribute: int, smallest: int) -> Any:
    """Return whether these rows may be a class, and one of them has a share that the class need not pay."""
    weight, owes = 0, False
    for row in inside:
        weight += rows.weight[row]
        owes |= rows.share[row] > cost + rows.rest[attribute, row]
        if owes and weight >= smallest:
            return True
    return False


@lean
def _closed(parts: Parts, rows: Rows, walk: Walk, attribute: int, inside: Ints) -> Any:
    """Return whether rows need the parts chosen before this attribute; if not, smaller parts contain them."""
    for other in range(attribute):
        codes, size, finer = rows.codes[other], parts.size[other], walk.step[other, 0] + 1
        if parts.kind[other] == TREE:
            if finer < parts.depths[other]:
                block = parts.block[parts.at[other] + finer * size : parts.at[other] + (finer + 1) * size]
                i = 1
                while i < inside.size and block[codes[inside[i]]] == block[codes[inside[0]]]:
                    i += 1
                if i == inside.size:
                    return False
        else:
            low, high = walk.chosen[other, 0], walk.chosen[other, 1]
            top = low == parts.apart[other] and high > low  # whatever else it contains, it costs the same
            has_low, has_high, i = False, False, 0
            while i < inside.size and not (has_low and has_high):
                has_low |= codes[inside[i]] == low
                has_high |= codes[inside[i]] == high or (top and codes[inside[i]] > low)
                i += 1
            if not (has_low and has_high):
                return False
    return True


@lean
def _owes(rows: Rows, inside: Ints, cost: int, largest: Largest) -> Any:
    """Return whether the mean of the largest shares is above the cost; `largest` then has them, none if all are."""
    high, excess = 0, 0
    clear(largest)
    for row in inside:
        if rows.share[row] > cost:
            high += rows.weight[row]
            excess += rows.weight[row] * (rows.share[row] - cost)
            if high >= largest.most:
                return True
    if high == 0:
        return False
    for row in inside:
        # With a lower share among them the mean cannot be above the cost.
        if rows.share[row] > cost - excess:
            add(largest, rows.share[row], rows.weight[row])
    return largest.state[1] >= largest.most and total(largest) > largest.most * cost


@lean
def _settle(rows: Rows, inside: Ints, cost: int, largest: Largest) -> None:
    """Lower the highest shares to one level, so that the box can pay."""
    if not _owes(rows, inside, cost, largest):
        return
    level = cost
    if largest.state[0] > 0:
        level += _level(largest, cost)
    for row in inside:
        rows.share[row] = min(rows.share[row], level)


@lean
def _level(largest: Largest, cost: int) -> Any:
    """Return how far above the cost the largest may be, as others are below; empties them."""
    number, times = largest.number, largest.times
    spared, left = 0, largest.most
    times[0] -= largest.state[1] - largest.most
    while number[0] <= cost:
        spared += times[0] * (cost - number[0])
        left -= times[0]
        drop_least(largest)
    while number[0] - cost <= spared // left:
        spared -= times[0] * (number[0] - cost)
        left -= times[0]
        drop_least(largest)
    return spared // left


@compiled
def _windows(parts: Parts, rows: Rows, smallest: int, walk: Walk, largest: Largest, most_work: int) -> Any:
    """Settle all ranges of the last attribute, from each code to higher and higher ones; return the rows examined."""
    last = parts.kind.size - 1
    inside, code, start, runs = walk.rows[last], walk.code[last], walk.start[last], walk.runs[last]
    weight, highest, work = np.zeros(runs, np.int64), np.zeros(runs, np.int64), 0
    for j in range(runs):
        for row in inside[start[j] : start[j + 1]]:
            weight[j] += rows.weight[row]
            highest[j] = max(highest[j], rows.share[row])
    most = highest.max()
    for i in range(runs):
        apart = code[i] == parts.apart[last]
        costs = parts.cost[parts.at[last] + code[i] * parts.size[last] :]
        end, held, high, j = i, 0, 0, i
        while j < runs and walk.cost[last] + costs[code[j]] < most:
            held += weight[j]
            high = max(high, highest[j])
            if held >= smallest and high > walk.cost[last] + costs[code[j]]:
                end = j + 1
            j += 1
        work += j - i
        clear(largest)
        held, settled = 0, start[i]
        for j in range(i, end):
            held += weight[j]
            cost = walk.cost[last] + costs[code[j]]
            may_be = held >= smallest and not (apart and i < j < runs - 1)
            if largest.most == 1:
                if may_be:
                    # The rows before are settled in a range that costs no more.
                    work += start[j + 1] - settled
                    for row in inside[settled : start[j + 1]]:
                        rows.share[row] = min(rows.share[row], cost)
                    settled = start[j + 1]
                continue
            work += start[j + 1] - start[j]
            _add_all(largest, rows, inside[start[j] : start[j + 1]])
            if may_be and total(largest) > largest.most * cost:
                window = inside[start[i] : start[j + 1]]
                work += window.size
                _settle(rows, window, cost, largest)
                clear(largest)
                _add_all(largest, rows, window)
        if work > most_work:
            break
    return work


@lean
def _add_all(largest: Largest, rows: Rows, inside: Ints) -> None:
    """Add the shares of some rows."""
    for row in inside:
        add(largest, rows.share[row], rows.weight[row])
