"""Exchange: single rows make classes cheaper that satisfy a model and still do afterwards.

A row moves to another class if both classes satisfy the model afterwards. Or it changes places with a row of the same
sensitive value, which leaves both histograms unchanged, so that every model on classes stays satisfied.
"""

from __future__ import annotations

import numpy as np

from shoal.algorithms.judge import Judge
from shoal.algorithms.local_recoding.effort import NEVER, Deadline
from shoal.data.rows import order_by
from shoal.data.table import Table
from shoal.kernels.arrays import Ints
from shoal.kernels.local_recoding.exchange import REACH, Allowed, Neighbours, exchange_rows, reliefs_of
from shoal.kernels.local_recoding.row_clusters import Measure, groups_of

STALE = 4  # classes are judged again when one in this many has changed
PAIRS_PER_CALL = 1 << 21  # of a row and a class, before Ctrl-C is answered
ROWS_PER_MOVE = 500  # passes end when fewer than one row in this many moves


def improved(
    table: Table,
    ids: Ints,
    judge: Judge,
    measure: Measure,
    *,
    passes: int = 40,
    seed: int = 0,
    deadline: Deadline = NEVER,
) -> Ints:
    """Improve the classes in several passes over the rows, until few of them still find something cheaper.

    In each pass a row looks at the classes of its neighbours in an order of the rows by their values, first by one
    attribute, then by the next, with the attributes in another random order.
    """
    count = int(ids.max(initial=-1)) + 1
    if count < 2:
        return ids
    codes = np.ascontiguousarray(table.codes)
    groups = groups_of(measure, codes, table.weights, ids, np.zeros(count, np.int64))
    histograms = judge.histogram(ids, count)
    joins, leaves = judge.joins(histograms), judge.leaves(histograms)
    allowed = Allowed(judge.values, joins, leaves, np.zeros(count, np.bool_))
    reliefs = reliefs_of(measure, groups, codes)
    block, step, random = 0, max(1, PAIRS_PER_CALL // (2 * REACH)), np.random.RandomState(seed)
    for _ in range(passes):
        row, changes = 0, 0
        order = order_by(codes, random.permutation(codes.shape[1])[::-1])
        place = np.empty_like(order)
        place[order] = np.arange(order.size)
        near = Neighbours(order, place, np.full(count, -1, np.int64))
        while row < ids.size and not deadline.over:
            block += 1
            many = max(2, count // STALE)
            while row < ids.size and many > 0:  # in chunks of rows, so that Ctrl-C is answered between them
                end = min(ids.size, row + step)
                row, more, judged = exchange_rows(measure, groups, codes, allowed, reliefs, near, row, end, block, many)
                changes, many = changes + more, many - judged
            stale = np.flatnonzero(allowed.stale)
            histograms = judge.histogram(groups.home.astype(np.int32), count)[stale]
            joins[stale], leaves[stale] = judge.joins(histograms), judge.leaves(histograms)
            allowed.stale[:] = False
        if changes * ROWS_PER_MOVE <= ids.size or deadline.over:
            break
    return np.unique(groups.home, return_inverse=True)[1].astype(np.int32)
