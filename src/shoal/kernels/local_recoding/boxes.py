"""Boxes of a lattice: rows that show the same labels at a node, and cost the same."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled

LARGEST_COST: Any = np.int64(1 << 62)


class Steps(NamedTuple):
    """What each code shows at each level of its attribute, and what that costs; a level begins at `at`.

    Rows share a box if the sums of their keys are equal: different sums for different boxes are not certain but enough,
    as two boxes in one class are checked like any other class.
    """

    key: Longs  # of what is shown
    cost: Longs
    at: Longs  # attributes × levels


@compiled
def next_boxes(
    steps: Steps,
    nodes: Ints,
    due: Longs,
    there: Longs,
    codes: Ints,
    weights: Longs,
    left: Longs,
    above: int,
    upto: int,
    ahead: int,
    smallest: int,
) -> Any:
    """Return the first node, by its place in `there`, with boxes of enough weight, and each remaining row's box, or −1.

    Only boxes that cost a row more than `above` and at most `upto` are examined. Return −1 and no boxes if no node has
    such boxes. For each node that was looked at, write into `due` what its cheapest further box costs: one of enough
    weight, or one above `ahead`, where weights are not counted. As rows only leave, it will have none that costs less.
    """
    size = 16
    while size < 2 * left.size:
        size *= 2
    key_of = np.zeros(size, np.int64)
    stamp = np.full(size, -1, np.int64)
    held = np.zeros(size, np.int64)
    cost_of = np.zeros(size, np.int64)
    slot_of = np.full(left.size, -1, np.int64)
    for number_there in range(there.size):
        node, enough, later = there[number_there], False, LARGEST_COST
        for place in range(left.size):
            row = left[place]
            cost, key = np.int64(0), np.int64(0)
            for a in range(nodes.shape[1]):
                at = steps.at[a, nodes[node, a]] + codes[row, a]
                cost += steps.cost[at]
                key += steps.key[at]
            slot_of[place] = -1
            if cost > ahead:
                later = min(later, cost)
            elif cost > above:
                slot = key & (size - 1)
                while stamp[slot] == node and key_of[slot] != key:
                    slot = (slot + 1) & (size - 1)
                if stamp[slot] != node:
                    stamp[slot], key_of[slot], held[slot], cost_of[slot] = node, key, 0, cost
                held[slot] += weights[row]
                slot_of[place] = slot
                if held[slot] >= smallest:
                    if cost <= upto:
                        enough = True
                    else:
                        later = min(later, cost)
        due[node] = later
        if enough:
            ids = np.full(left.size, -1, np.int32)
            number = np.full(size, -1, np.int32)
            count = 0
            for place in range(left.size):
                slot = slot_of[place]
                if slot >= 0 and held[slot] >= smallest and cost_of[slot] <= upto:
                    if number[slot] < 0:
                        number[slot] = count
                        count += 1
                    ids[place] = number[slot]
            return number_there, ids
    return -1, np.zeros(0, np.int32)
