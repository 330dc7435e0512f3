"""Classes composed on purpose: parts of boxes, and rows that join the class where they cost least."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.clustering.sequential import LARGEST_INT, NONE, Diversity, closest_to_row
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.local_recoding.boxes import Steps
from shoal.kernels.local_recoding.changes import cost_with
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, move
from shoal.kernels.rules import Rules, satisfies

UNKNOWN = -2
STAMP, KEY, HELD, NUMBER = range(4)  # of a box: the node that it was seen at, its key, its rows, and its number
SIXTEENTHS = np.array([64, 48, 32, 24, 20, 16, 14, 12, 10, 8, 6, 4], np.int64)


@compiled
def parts_of(boxes: Longs, left: Longs, smallest: int) -> Any:
    """Return each box whole, then with less and less of its most frequent values; and the box that each is a part of.

    Of a value a part has at most its share among the remaining rows, times the rows of the box, times 64/16, 48/16, …,
    rounded up; parts with too few rows, and those equal to the one before, are skipped.
    """
    many, values = boxes.shape
    parts = np.empty((many * (SIXTEENTHS.size + 1), values), np.int64)
    box = np.empty(parts.shape[0], np.int64)
    whole = 16 * left.sum()
    found = 0
    for b in range(many):
        rows = boxes[b].sum()
        parts[found], box[found] = boxes[b], b
        found += 1
        before = rows
        for times in SIXTEENTHS:
            size = np.int64(0)
            for v in range(values):
                parts[found, v] = min(boxes[b, v], (left[v] * rows * times + whole - 1) // whole)
                size += parts[found, v]
            if size < smallest:
                break
            if size < before:
                box[found] = b
                found += 1
                before = size
    return parts[:found], box[:found]


@compiled
def chosen(own: Ints, values: Ints, kept: Longs) -> Flags:
    """Mark the first rows of each value in each box, as many as are kept (a box of −1: none)."""
    taken = np.zeros_like(kept)
    rows = np.zeros(own.size, np.bool_)
    for i in range(own.size):
        b, v = own[i], values[i]
        if b >= 0 and taken[b, v] < kept[b, v]:
            taken[b, v] += 1
            rows[i] = True
    return rows


@compiled
def take_boxes(
    steps: Steps,
    nodes: Ints,
    codes: Ints,
    values: Ints,
    rules: Rules,
    counts: Longs,
    left: Longs,
    window: tuple[int, int, int],
    ids: Ints,
    count: int,
) -> Any:
    """Let the boxes of one node after the other release their largest good parts, all as single calls would do.

    The window has the cost that boxes exceed, their highest cost, and their smallest size; `counts` has the remaining
    rows of each value. Write the classes of released rows, numbered from `count` on, and close the gaps in `left`;
    return how many rows remain and how many classes there are.
    """
    above, upto, smallest = window
    many, size, width = left.size, 16, nodes.shape[1]
    while size < 2 * many:
        size *= 2
    slots = np.full((size, 4), -1, np.int64)
    here = np.empty((many, width), np.int32)  # the codes of the remaining rows
    for place in range(many):
        for a in range(width):
            here[place, a] = codes[left[place], a]
    slot_of, at = np.zeros(many, np.int64), np.zeros(width, np.int64)
    boxes = np.zeros((many // max(1, smallest) + 1, counts.size), np.int64)
    part = np.zeros(counts.size, np.int64)
    for node in range(nodes.shape[0]):
        for a in range(width):
            at[a] = steps.at[a, nodes[node, a]]
        enough = False
        for place in range(many):
            cost = np.int64(0)
            for a in range(width):
                cost += steps.cost[at[a] + here[place, a]]
            slot_of[place] = -1
            if not above < cost <= upto:
                continue
            key = np.int64(0)
            for a in range(width):
                key += steps.key[at[a] + here[place, a]]
            slot = key & (size - 1)
            while slots[slot, STAMP] == node and slots[slot, KEY] != key:
                slot = (slot + 1) & (size - 1)
            if slots[slot, STAMP] != node:
                slots[slot, STAMP], slots[slot, KEY] = node, key
                slots[slot, HELD], slots[slot, NUMBER] = 0, -1
            slots[slot, HELD] += 1
            enough |= slots[slot, HELD] >= smallest
            slot_of[place] = slot
        if not enough:
            continue
        found = 0
        for place in range(many):
            slot = slot_of[place]
            if slot < 0:
                continue
            if slots[slot, HELD] < smallest:
                slot_of[place] = -1
                continue
            if slots[slot, NUMBER] < 0:
                slots[slot, NUMBER] = found
                for v in range(counts.size):
                    boxes[found, v] = 0
                found += 1
            slot_of[place] = slots[slot, NUMBER]
            boxes[slots[slot, NUMBER], values[left[place]]] += 1
        any_good = False
        for b in range(found):
            any_good |= _keep_good_part(rules, boxes[b], counts, many, smallest, part)
        if not any_good:
            continue
        # Classes are numbered in the order of their boxes.
        remaining, classes = 0, np.full(found, -1, np.int64)
        for b in range(found):
            for v in range(counts.size):
                if boxes[b, v] > 0:
                    classes[b] = count
                    count += 1
                    break
        for place in range(many):
            row, b = left[place], slot_of[place]
            v = values[row]
            if b >= 0 and boxes[b, v] > 0:
                boxes[b, v] -= 1
                counts[v] -= 1
                ids[row] = classes[b]
            else:
                left[remaining] = row
                for a in range(width):
                    here[remaining, a] = here[place, a]
                remaining += 1
        many = remaining
    return many, count


@lean
def _keep_good_part(rules: Rules, box: Longs, left: Longs, rest: int, smallest: int, part: Longs) -> Any:
    """Reduce a box to its largest part, of those that `parts_of` returns, that satisfies the model; or to nothing."""
    if satisfies(rules, box):
        return True
    rows = np.int64(0)
    for v in range(box.size):
        rows += box[v]
    before, whole = rows, 16 * rest
    for step in range(SIXTEENTHS.size):
        size = np.int64(0)
        for v in range(box.size):
            part[v] = min(box[v], (left[v] * rows * SIXTEENTHS[step] + whole - 1) // whole)
            size += part[v]
        if size < smallest:
            break
        if size < before:
            before = size
            if satisfies(rules, part):
                for v in range(box.size):
                    box[v] = part[v]
                return True
    for v in range(box.size):
        box[v] = 0
    return False


@compiled
def place_rows(
    measure: Measure,
    groups: Groups,
    codes: Ints,
    values: Ints,
    rows: Longs,
    joins: Flags,
    changed: Longs,
    best: Longs,
    cost: Longs,
    limit: int,
) -> Any:
    """Put each row into the class whose cost grows least, below a limit, among those that it may join.

    A row waits if its class has just changed, as that must be judged again. `best` (−1: none, −2: not known) and `cost`
    remember the best class of each row: it keeps that one, unless it is dearer now or one of the classes that `changed`
    since costs less. Return which classes have changed now.
    """
    moved, bits = np.zeros(joins.shape[0], np.bool_), np.zeros(groups.held.shape[1], np.uint64)
    free = Diversity(np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int64), np.zeros(0, np.int64))  # no conditions
    every = [np.flatnonzero(joins[:, v]) for v in range(joins.shape[1])]
    recent = [changed[joins[:, v][changed]] for v in range(joins.shape[1])]
    for i in rows:
        c, known = best[i], best[i] != UNKNOWN
        if c >= 0:
            size, total = groups.size[c] + 1, groups.total[c]
            dearest = cost_with(measure, groups, codes, i, c, LARGEST_INT)
            known = joins[c, values[i]] and total + size * (dearest - total) <= cost[i]
        if not known:
            best[i], cost[i] = -1, limit
        among = recent[values[i]] if known else every[values[i]]
        c, least = closest_to_row(measure, free, groups, codes[i], bits, NONE, NONE, among, NONE, cost[i])
        if c >= 0:
            best[i], cost[i] = c, least
        if best[i] >= 0 and not moved[best[i]]:
            move(measure, groups, codes, i, best[i])
            moved[best[i]] = True
    return moved


@compiled
def place_rows_by_rules(
    measure: Measure,
    groups: Groups,
    codes: Ints,
    values: Ints,
    rows: Longs,
    joins: Flags,
    changed: Longs,
    best: Longs,
    cost: Longs,
    rules: Rules,
    histograms: Longs,
    limits: tuple[int, int],
) -> Any:
    """Do what `place_rows` does by rules, which judge a class again as soon as it has changed.

    The limits are of the cost, and of the rows that a class takes. Return how many rows each class has taken.
    """
    limit, most = limits
    taken, bits = np.zeros(joins.shape[0], np.int64), np.zeros(groups.held.shape[1], np.uint64)
    free = Diversity(np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int64), np.zeros(0, np.int64))  # no conditions
    every = [np.flatnonzero(joins[:, v]) for v in range(joins.shape[1])]
    recent = [changed[joins[:, v][changed]] for v in range(joins.shape[1])]
    for i in rows:
        v, c, known = values[i], best[i], best[i] != UNKNOWN
        if c >= 0:
            size, total = groups.size[c] + 1, groups.total[c]
            dearest = cost_with(measure, groups, codes, i, c, LARGEST_INT)
            known = joins[c, v] and total + size * (dearest - total) <= cost[i]
        if not known:
            best[i], cost[i] = -1, limit
        among = recent[v] if known else every[v]
        c, least = closest_to_row(measure, free, groups, codes[i], bits, NONE, NONE, among, NONE, cost[i])
        if c >= 0:
            best[i], cost[i] = c, least
        c = best[i]
        if c >= 0 and taken[c] < most and joins[c, v]:
            move(measure, groups, codes, i, c)
            taken[c] += 1
            histograms[c, v] += 1
            for w in range(joins.shape[1]):
                histograms[c, w] += 1
                joins[c, w] = satisfies(rules, histograms[c])
                histograms[c, w] -= 1
    return taken
