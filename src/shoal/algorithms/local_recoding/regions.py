"""Regions: classes of a large table are composed in each region, which Mondrian cuts, in one way or several."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.algorithms.algorithm import Progress
from shoal.algorithms.judge import Judge
from shoal.algorithms.local_recoding.compose import composed
from shoal.algorithms.local_recoding.effort import Deadlines, OutOfTimeError
from shoal.algorithms.local_recoding.exchange import improved
from shoal.algorithms.mondrian import Mondrian
from shoal.data.table import Table
from shoal.kernels.arrays import Ints
from shoal.kernels.compilations import clock
from shoal.kernels.local_recoding.row_clusters import Measure
from shoal.models import KAnonymity

REGION_ROWS = 25_000  # of larger tables, in which classes are composed independently
LONGER = 3  # times as long as the first way, at most, do the others take


class Way(NamedTuple):
    """How classes are composed: the parameters of composed()."""

    every: int = 4
    coarse: int = 1


def composed_classes(
    table: Table,
    judge: Judge,
    measure: Measure,
    ways: list[Way],
    tell: Progress,
    deadlines: Deadlines,
) -> list[Ints]:
    """Compose classes that satisfy the judge's model, except perhaps the last one; once for each way.

    A further way is tried only if there is time enough for it. If the time is over, it returns those that are finished,
    or raises OutOfTimeError.
    """
    began = clock()
    regions = np.zeros(len(table.weights), np.int32)
    if regions.size > 2 * REGION_ROWS:
        regions = Mondrian().recode(table, judge.model & KAnonymity(REGION_ROWS)).ids
    rows_of = [np.flatnonzero(regions == region) for region in range(int(regions.max(initial=0)) + 1)]
    made: list[Ints] = []
    for number, way in enumerate(ways):
        if made and deadlines.composed.left < LONGER * (clock() - began) / number:
            break
        ids, before = np.zeros(regions.size, np.int32), number * len(rows_of)
        for region, rows in enumerate(rows_of):
            part, own = table.some(rows), judge.of(rows)

            def portion(share: float, done: int = before + region) -> None:
                tell((done + 0.9 * share) / (len(ways) * len(rows_of)))

            seconds = deadlines.planned.left / (len(rows_of) - region)
            try:
                new = composed(
                    part, own, measure, **way._asdict(), tell=portion, seconds=seconds, deadline=deadlines.composed
                )
            except OutOfTimeError:
                if not made:
                    raise
                return made
            ids[rows] = improved(part, new, own, measure, deadline=deadlines.searched) + ids.max(initial=-1) + 1
            tell((before + region + 1) / (len(ways) * len(rows_of)))
        made.append(np.unique(ids, return_inverse=True)[1].astype(np.int32))
    return made
