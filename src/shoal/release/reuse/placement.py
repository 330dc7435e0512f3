"""Placement of rows in the classes of an earlier release, so that every class in use satisfies the model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Table, group_rows
from shoal.models import PrivacyModel
from shoal.release.reuse.exchange_rows import Crowd
from shoal.release.reuse.fitting import Boxes

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]


def placed(
    table: Table, model: PrivacyModel, boxes: Boxes, codes: Ints, tell: Callable[[float], None]
) -> tuple[Ints, Bools]:
    """Place each row in a box, −1 if no class that satisfies the model covers it; flag the rows that no class covers.

    A row goes to the box with the least loss. A class that then fails takes rows that it covers from classes that can
    spare them. Of the classes that still fail, the smaller half is abandoned and their rows go to the other boxes with
    the least loss, until no class fails. At the end, rows move to boxes with less loss if both classes allow it.
    """
    place, firsts = group_rows(list(codes.T + 1), [len(domain) + 1 for domain in table.domains], len(codes))
    distinct = np.ascontiguousarray(codes[firsts])
    allowed = np.ones(len(boxes), np.bool_)
    count = int(boxes.classes.max(initial=-1)) + 1
    numbers = np.append(boxes.classes, np.int32(-1))
    best = boxes.first(distinct, allowed, np.zeros(len(distinct), np.int32))
    ids = best[place]
    unfit = ids < 0
    crowd = Crowd.of(table, model, boxes, distinct, place, count) if model.per_class else None
    abandoned = 0
    while (failing := failing_classes(table, numbers[ids], count, model)).size:
        if crowd is not None:
            crowd.fill(ids, failing)
            failing = failing_classes(table, numbers[ids], count, model)
        sizes = np.bincount(numbers[ids][ids >= 0], minlength=count)
        smaller = failing[np.lexsort((failing, sizes[failing]))][: -(-failing.size // 2)]
        closed = np.zeros(count + 1, np.bool_)
        closed[smaller] = True
        allowed &= ~closed[boxes.classes]
        rows = np.flatnonzero(closed[numbers[ids]])
        homeless = np.unique(place[rows])
        best[homeless] = boxes.first(np.ascontiguousarray(distinct[homeless]), allowed, best[homeless])
        ids[rows] = best[place[rows]]
        abandoned += smaller.size
        tell(abandoned / count)
    if crowd is not None:
        crowd.settle(ids, boxes.first(distinct, allowed, best)[place])
    return ids, unfit


def failing_classes(table: Table, classes: Ints, count: int, model: PrivacyModel) -> NDArray[np.int64]:
    """Return the numbers of the classes in use that fail the model."""
    used = np.flatnonzero(np.bincount(classes[classes >= 0], minlength=count))
    if not used.size:
        return used
    number = np.full(count + 1, -1, np.int32)
    number[used] = np.arange(used.size, dtype=np.int32)
    return used[~model.satisfied(table.classes(number[classes]))]
