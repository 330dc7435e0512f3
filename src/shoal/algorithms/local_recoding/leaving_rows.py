"""Rows that leave their classes because that lowers the cost: single ones, or all of a class.

A suppressed row costs as much as one that shows nothing, so a class is never cheaper if all of it is suppressed. But a
row that alone makes a class coarse can cost the others more than it costs itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.local_recoding.leaving import dissolve, restore, savings
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, groups_of
from shoal.models import PrivacyModel

MAX_PAIRS = 10**8  # of a row and a class that are compared
Entry = tuple[int, int]  # minus what is gained for each row, and the row


def cost_of_suppressed(measure: Measure) -> int:
    """Return what a suppressed row costs: every attribute shows nothing."""
    if measure.price.size:
        return int(measure.price[-1]) * int(measure.factor.sum())
    return int(measure.space.full.sum())


def without_outliers(table: Table, ids: Ints, model: PrivacyModel, measure: Measure, *, most: int) -> Ints:
    """Suppress at most so many rows, each of which lowers the cost, those that gain most first.

    A row leaves only a class that satisfies the model without it. A row that stands for several counts as these. Of
    rows that gain the same the first one leaves.
    """
    leaving = Leaving(table, ids.copy(), model, measure)
    waiting = [entry for c in leaving.dear() if (entry := leaving.best(c, most)) is not None]
    heapify(waiting)
    while waiting:
        _, row = heappop(waiting)
        c = int(leaving.ids[row])
        if table.weights[row] <= most:
            leaving.ids[row] = -1
            most -= int(table.weights[row])
        if (entry := leaving.best(c, most)) is not None:
            heappush(waiting, entry)
    return leaving.ids


@dataclass(frozen=True, eq=False)
class Leaving:
    """Classes that rows leave one by one, to be suppressed."""

    table: Table
    ids: Ints
    model: PrivacyModel
    measure: Measure

    @cached_property
    def price(self) -> int:
        """What a suppressed row costs."""
        return cost_of_suppressed(self.measure)

    @cached_property
    def members(self) -> list[Longs]:
        """The rows that each class had in the beginning."""
        order = np.argsort(self.ids, kind="stable")
        order = order[self.ids[order] >= 0]
        return np.split(order, np.flatnonzero(np.diff(self.ids[order])) + 1)

    def dear(self) -> Any:
        """Return the classes that some row makes dearer than it costs suppressed."""
        count = int(self.ids.max(initial=-1)) + 1
        gains = self.gains(np.arange(self.ids.size), self.ids, count)
        return np.unique(self.ids[(gains > 0) & (self.ids >= 0)]).tolist()

    def best(self, c: int, most: int) -> Entry | None:
        """Return the row of a class that gains most when it is suppressed, if there is any."""
        rows = self.members[c][self.ids[self.members[c]] == c]
        weights, gains = self.table.weights[rows], self.gains(rows, np.zeros(rows.size, np.int32), 1)
        good = np.flatnonzero((gains > 0) & (weights <= most))
        for key, place in sorted((-int(gains[place] // weights[place]), int(place)) for place in good):
            if holds(self.table, np.delete(rows, place), self.model):
                return key, int(rows[place])
        return None

    def gains(self, rows: Longs, own: Ints, count: int) -> Longs:
        """Return by how much the cost falls if each of some rows in classes is suppressed alone."""
        codes, weights = np.ascontiguousarray(self.table.codes[rows]), self.table.weights[rows]
        groups = groups_of(self.measure, codes, weights, own, np.zeros(count, np.int64))
        saved = savings(self.measure, groups, codes, np.arange(rows.size))
        return np.where(saved < 0, saved, saved - self.price * weights)


def without_dear_classes(table: Table, ids: Ints, model: PrivacyModel, measure: Measure, *, most: int) -> Ints:
    """Dissolve classes, the dearest first, where that lowers the cost: their rows join others or are suppressed."""
    price, codes, count = cost_of_suppressed(measure), np.ascontiguousarray(table.codes), int(ids.max(initial=-1)) + 1
    groups = groups_of(measure, codes, table.weights, ids, np.zeros(count + 1, np.int64))
    costs, pairs = groups.size * groups.total, MAX_PAIRS
    for c in np.argsort(-costs, kind="stable")[: np.count_nonzero(costs > price)].tolist():
        rows = np.sort(rows_in(groups, c))
        pairs -= rows.size * count
        if most <= 0 or pairs < 0:
            break
        good = dissolve(measure, groups, codes, rows, price, most) > 0
        homes = set(groups.home[rows].tolist()) - {count}
        if good and all(holds(table, rows_in(groups, home), model) for home in homes):
            most -= int(table.weights[rows[groups.home[rows] == count]].sum())
        else:
            restore(measure, groups, codes, rows, c)
    found = np.where(groups.home == count, -1, groups.home)
    return (np.unique(np.append(-1, found), return_inverse=True)[1][1:] - 1).astype(np.int32)


def rows_in(groups: Groups, c: int) -> Longs:
    """Return the rows of a class."""
    rows, row = [], int(groups.head[c])
    while row >= 0:
        rows.append(row)
        row = int(groups.after[row])
    return np.array(rows, np.int64)


def holds(table: Table, rows: Longs, model: PrivacyModel) -> bool:
    """Return whether some rows of a table satisfy the model as a class."""
    return bool(model.satisfied(replace(table.some(rows), everything=table.overall).whole()).all())
