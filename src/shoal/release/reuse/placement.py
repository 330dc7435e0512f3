"""Rows placed in the classes of an earlier release, so that every class in use satisfies the model."""

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
    """The box of each row, −1 where no class that satisfies the model covers it; and which rows no class covers at all.

    A row goes where it loses least. A class that then fails takes rows that it covers from classes that can spare
    them. Of classes that fail all the same the smaller half is given up, their rows go where they lose least among the
    others, and so on until no class fails. At last rows go back to where they lose less, if both classes can do so.
    """
    place, firsts = group_rows(list(codes.T + 1), [len(domain) + 1 for domain in table.domains], len(codes))
    there = np.ascontiguousarray(codes[firsts])
    open_ = np.ones(len(boxes), np.bool_)
    count = int(boxes.classes.max(initial=-1)) + 1
    numbers = np.append(boxes.classes, np.int32(-1))
    best = boxes.first(there, open_, np.zeros(len(there), np.int32))
    ids = best[place]
    unfit = ids < 0
    crowd = Crowd.of(table, model, boxes, there, place, count) if model.per_class else None
    given_up = 0
    while (failing := failing_classes(table, numbers[ids], count, model)).size:
        if crowd is not None:
            crowd.fill(ids, failing)
            failing = failing_classes(table, numbers[ids], count, model)
        sizes = np.bincount(numbers[ids][ids >= 0], minlength=count)
        smaller = failing[np.lexsort((failing, sizes[failing]))][: -(-failing.size // 2)]
        closed = np.zeros(count + 1, np.bool_)
        closed[smaller] = True
        open_ &= ~closed[boxes.classes]
        rows = np.flatnonzero(closed[numbers[ids]])
        which = np.unique(place[rows])
        best[which] = boxes.first(np.ascontiguousarray(there[which]), open_, best[which])
        ids[rows] = best[place[rows]]
        given_up += smaller.size
        tell(given_up / count)
    if crowd is not None:
        crowd.settle(ids, boxes.first(there, open_, best)[place])
    return ids, unfit


def failing_classes(table: Table, classes: Ints, count: int, model: PrivacyModel) -> NDArray[np.int64]:
    """The numbers of the classes in use that fail the model."""
    used = np.flatnonzero(np.bincount(classes[classes >= 0], minlength=count))
    if not used.size:
        return used
    number = np.full(count + 1, -1, np.int32)
    number[used] = np.arange(used.size, dtype=np.int32)
    return used[~model.satisfied(table.classes(number[classes]))]
