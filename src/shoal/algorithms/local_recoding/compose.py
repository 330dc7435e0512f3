"""Compose: cheap classes that satisfy a model on sensitive values, made of parts of boxes that other rows complete.

The boxes of the generalization lattice are examined from the cheapest to the dearest. If the rows of a box satisfy
the model they form a class; otherwise the largest part of them that does, with less of the values that are too
frequent. Remaining rows join the class where they cost least among those that still satisfy the model with them,
as soon as that costs no more than the next boxes.
"""

from __future__ import annotations

from math import inf, isqrt
from typing import NamedTuple

import numpy as np

from shoal.algorithms.algorithm import Progress, nobody
from shoal.algorithms.judge import Judge
from shoal.algorithms.local_recoding.boxes import (
    ANY_COST,
    CELLS_PER_CALL,
    HALVINGS,
    first_boxes,
    lattice,
    most_nodes,
    steps_of,
)
from shoal.algorithms.local_recoding.effort import NEVER, Deadline
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compilations import clock
from shoal.kernels.local_recoding.boxes import Steps
from shoal.kernels.local_recoding.compose import UNKNOWN, chosen, parts_of, place_rows, place_rows_by_rules, take_boxes
from shoal.kernels.local_recoding.row_clusters import Measure, groups_of
from shoal.kernels.rules import Rules

WINDOWS = 40  # steps from the cheapest box to the dearest
LAST = 28  # the last window whose boxes are examined: dearer ones cost more than joining does
ROUNDS = 6  # in which rows join, after a window
SIZES = 64  # of classes for which compositions are tried
MOST_JOINS = 8  # rows that a class takes in a round, where compiled code decides on the model
SPARSE = 12  # one node in so many takes a third of the time, and loses some 3 % more
JOINING, JOINING_BY_RULES = 9e-5, 4e-5  # seconds for each row of the table, which the last joining takes
COARSE_HALVINGS = 2  # levels of numbers without a tree, where windows are wide


class Boxes(NamedTuple):
    """The nodes of a lattice, what their boxes cost, from what cost on they are due, and the fewest rows of a class."""

    steps: Steps
    nodes: Ints
    ends: Longs
    due: Longs
    smallest: int


def composed(
    table: Table,
    judge: Judge,
    measure: Measure,
    *,
    every: int = 4,
    coarse: int = 1,
    tell: Progress = nobody,
    seconds: float = inf,
    deadline: Deadline = NEVER,
) -> Ints:
    """Return the class of each row; those without a class form the last one.

    every     rows join after so many windows
    coarse    the windows are so many times as wide as usual, and the boxes of numbers without a tree then, too
    seconds   that it should take: where that is too little, it examines one node in SPARSE
    deadline  after which it raises OutOfTimeError
    """
    began = clock()
    steps, heights = steps_of(table, measure, halvings=HALVINGS if coarse == 1 else COARSE_HALVINGS)
    nodes, ends = lattice(steps, heights, table, most_nodes(table))
    boxes = Boxes(steps, nodes, ends, ends[:, 0].copy(), smallest_class(judge))
    single = bool((table.weights == 1).all())
    rows = len(table.codes)
    ids, left, count = np.full(rows, -1, np.int32), np.arange(rows), 0
    dearest = int(boxes.ends.max())
    above, windows = -1, LAST // coarse + 1
    joining = rows * (JOINING if judge.rules is None else JOINING_BY_RULES)
    for window in range(windows):
        upto = isqrt(dearest * dearest * (coarse * window) ** 3 // WINDOWS**3)
        pace = deadline, began + (seconds - joining) * (window + 1) / windows
        if judge.rules is not None and single:
            left, count = released_at_once(boxes, table, judge, judge.rules, (above, upto), left, ids, count, *pace)
        else:
            left, count = released_one_by_one(boxes, table, judge, (above, upto), left, ids, count, *pace)
        if window % every == every - 1:
            ids = placed(table, ids, judge, measure, limit=upto + 1, rounds=ROUNDS, deadline=deadline)
            left = np.flatnonzero(ids < 0)
        above = upto
        tell((window + 1) / (windows + 1))
    ids = placed(table, ids, judge, measure, deadline=deadline)
    ids[ids < 0] = count
    return ids


def released_one_by_one(
    boxes: Boxes,
    table: Table,
    judge: Judge,
    window: tuple[int, int],
    left: Longs,
    ids: Ints,
    count: int,
    deadline: Deadline = NEVER,
    until: float = inf,
) -> tuple[Longs, int]:
    """Write the new classes of rows into `ids`, from `count` on; return the rows that remain and the classes.

    Every node is looked at until a moment, and after that one in SPARSE.
    """
    node = -1
    while left.size:
        deadline.check()
        every = SPARSE if clock() > until else 1
        looked_at, limits = (boxes.steps, boxes.nodes, boxes.due), (*window, window[1])
        node, own = first_boxes(*looked_at, node + 1, table, left, limits, boxes.smallest, every=every)
        if node < 0:
            break
        here = judge.of(left)
        counts = np.bincount(here.values, minlength=judge.size)
        part = satisfying(here.histogram(own, int(own.max()) + 1), judge, counts, boxes.smallest)
        taken = chosen(own, here.values, part)
        good = part.any(axis=1)
        ids[left[taken]] = (np.cumsum(good) - 1 + count)[own[taken]]
        count += int(good.sum())
        left = left[~taken]
    return left, count


def released_at_once(
    boxes: Boxes,
    table: Table,
    judge: Judge,
    rules: Rules,
    window: tuple[int, int],
    left: Longs,
    ids: Ints,
    count: int,
    deadline: Deadline = NEVER,
    until: float = inf,
) -> tuple[Longs, int]:
    """Do the same in compiled code, for a model that it decides."""
    above, upto = window
    nodes = boxes.nodes[(boxes.ends[:, 0] <= upto) & (boxes.ends[:, 1] > above)]
    codes, left = np.ascontiguousarray(table.codes), left.copy()
    step = max(1, CELLS_PER_CALL // max(1, left.size * codes.shape[1]))
    at = 0
    while at < len(nodes):  # in several steps, so that Ctrl-C is answered in between
        deadline.check()
        every = SPARSE if clock() > until else 1
        some, at = np.ascontiguousarray(nodes[at : at + every * step : every]), at + every * step
        counts = np.bincount(judge.values[left], minlength=judge.size)
        limits = (*window, boxes.smallest)
        many, count = take_boxes(boxes.steps, some, codes, judge.values, rules, counts, left, limits, ids, count)
        left = left[:many]
    return left, int(count)


def smallest_class(judge: Judge) -> int:
    """Return the fewest rows that satisfy the model: equally many of each frequent value, or shares as in the table."""
    order = np.argsort(-judge.counts, kind="stable")
    for size in range(max(1, judge.model.smallest), SIZES):
        tried = np.zeros((min(size, judge.size) + 1, judge.size), np.int64)
        for values in range(1, len(tried)):
            tried[values, order[:values]] = (size + values - 1 - np.arange(values)) // values
        tried[0], rest = np.divmod(judge.counts * size, max(1, int(judge.counts.sum())))
        tried[0, np.argsort(-rest, kind="stable")[: size - int(tried[0].sum())]] += 1
        if judge.satisfied(tried).any():
            return size
    return max(SIZES, judge.model.smallest)


def satisfying(boxes: Longs, judge: Judge, left: Longs, smallest: int) -> Longs:
    """Return the largest part of each box that satisfies the model, 0 rows if none does."""
    parts, box = parts_of(boxes, left, smallest)
    good = np.flatnonzero(judge.satisfied(parts))
    numbers, first = np.unique(box[good], return_index=True)
    largest = np.zeros_like(boxes)
    largest[numbers] = parts[good[first]]
    return largest


def placed(
    table: Table,
    ids: Ints,
    judge: Judge,
    measure: Measure,
    *,
    limit: int = ANY_COST,
    rounds: int | None = None,
    deadline: Deadline = NEVER,
) -> Ints:
    """Let rows without a class (−1) join those where they cost least, below a limit; return the classes.

    A class takes one row in each round, so that the others look at it as it is then. Where compiled code decides on the
    model, a class takes up to MOST_JOINS rows, the cheapest first, and counts these as rounds.
    """
    rows, count = np.flatnonzero(ids < 0), int(ids.max(initial=-1)) + 1
    if not count or not rows.size:
        return ids
    codes = np.ascontiguousarray(table.codes)
    waiting = np.where(ids < 0, np.int32(count), ids)
    groups = groups_of(measure, codes, table.weights, waiting, np.zeros(count + 1, np.int64))
    best, cost = np.full(ids.size, UNKNOWN, np.int64), np.zeros(ids.size, np.int64)
    histograms = judge.histogram(ids, count)
    joins, changed = judge.joins(histograms), np.zeros(0, np.int64)
    left = ids.size * MOST_JOINS if rounds is None else rounds  # without a number, until nobody joins
    many = 0 if judge.rules is not None else 1  # nobody joins in a first round, which finds what each row costs
    while rows.size and left > 0:
        deadline.check()
        state = (measure, groups, codes, judge.values, rows, joins, changed, best, cost)
        if judge.rules is not None:
            taken = place_rows_by_rules(*state, judge.rules, histograms, (limit, many))
        else:
            taken = place_rows(*state, limit)
            new = rows[groups.home[rows] < count]
            np.add.at(histograms, (groups.home[new], judge.values[new]), 1)
            joins[taken] = judge.joins(histograms[taken])
        if many and not taken.any():
            break
        rows, changed = rows[groups.home[rows] == count], np.flatnonzero(taken)
        left -= many
        if judge.rules is not None:
            rows, many = rows[np.argsort(cost[rows], kind="stable")], min(left, MOST_JOINS)
    return np.where(groups.home < count, groups.home, -1).astype(np.int32)
