"""Boxes of a lattice: rows that show the same labels at a node, and cost the same."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled


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
    steps: Steps, nodes: Ints, codes: Ints, weights: Longs, left: Longs, above: int, upto: int, smallest: int
) -> Any:
    """Return the first node with boxes of enough weight, and for each remaining row its box, −1: none.

    Only boxes that cost a row more than `above` and at most `upto` are examined. Return −1 and no boxes if no node has
    such boxes.
    """
    size = 16
    while size < 2 * left.size:
        size *= 2
    key_of = np.zeros(size, np.int64)
    stamp = np.full(size, -1, np.int64)
    held = np.zeros(size, np.int64)
    slot_of = np.full(left.size, -1, np.int64)
    for node in range(nodes.shape[0]):
        enough = False
        for place in range(left.size):
            row = left[place]
            cost, key = np.int64(0), np.int64(0)
            for a in range(nodes.shape[1]):
                at = steps.at[a, nodes[node, a]] + codes[row, a]
                cost += steps.cost[at]
                key += steps.key[at]
            slot_of[place] = -1
            if above < cost <= upto:
                slot = key & (size - 1)
                while stamp[slot] == node and key_of[slot] != key:
                    slot = (slot + 1) & (size - 1)
                if stamp[slot] != node:
                    stamp[slot], key_of[slot], held[slot] = node, key, 0
                held[slot] += weights[row]
                enough |= held[slot] >= smallest
                slot_of[place] = slot
        if enough:
            ids = np.full(left.size, -1, np.int32)
            number = np.full(size, -1, np.int32)
            count = 0
            for place in range(left.size):
                slot = slot_of[place]
                if slot >= 0 and held[slot] >= smallest:
                    if number[slot] < 0:
                        number[slot] = count
                        count += 1
                    ids[place] = number[slot]
            return node, ids
    return -1, np.zeros(0, np.int32)
