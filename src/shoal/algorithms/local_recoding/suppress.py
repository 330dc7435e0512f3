"""Suppression: some rows are left out of all classes if that lowers the loss, up to a number of rows."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.local_recoding.leaving_rows import (
    cost_of_suppressed,
    holds,
    without_dear_classes,
    without_outliers,
)
from shoal.algorithms.row_moves import total_cost
from shoal.data.table import Table
from shoal.kernels.arrays import Ints
from shoal.kernels.local_recoding.row_clusters import Measure, groups_of
from shoal.models import PrivacyModel


def with_suppression(table: Table, ids: Ints, model: PrivacyModel, measure: Measure, *, most: int) -> Ints:
    """Return classes that cost less with at most so many rows suppressed (−1); the given ones if none are found."""
    if most <= 0:
        return ids
    found = without_dear_classes(table, ids, model, measure, most=most)
    left = most - int(table.weights[found < 0].sum())
    found = without_outliers(table, found, model, measure, most=left)
    cheaper = cost_with_suppressed(table, found, measure) < cost_with_suppressed(table, ids, measure)
    if cheaper and model.satisfied(table.classes(found)).all() and can_be_told(table, found, model, measure):
        return found
    return ids


def cost_with_suppressed(table: Table, ids: Ints, measure: Measure) -> int:
    """Return what all cells cost in these classes (−1: suppressed)."""
    return total_cost(table, ids, measure) + cost_of_suppressed(measure) * int(table.weights[ids < 0].sum())


def can_be_told(table: Table, ids: Ints, model: PrivacyModel, measure: Measure) -> bool:
    """Return whether classes that show nothing, as suppressed rows do, satisfy the model together with these.

    A reader cannot tell the two apart.
    """
    groups = groups_of(
        measure,
        np.ascontiguousarray(table.codes),
        table.weights,
        ids,
        np.zeros(int(ids.max(initial=-1)) + 1, np.int64),
    )
    tops = np.array([measure.price[-1]]) * measure.factor if measure.price.size else measure.space.full
    hidden = ((groups.cost == tops) | (measure.space.size == 1)).all(axis=1)
    inside = np.append(hidden, True)[ids]
    if not hidden.any() or not (ids < 0).any():
        return True
    return holds(table, np.flatnonzero(inside), model)
