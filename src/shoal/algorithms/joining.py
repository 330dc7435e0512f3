"""From groups of rows to a recoding: groups that fail the model join their nearest until none does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms.cost_arrays import space_of
from shoal.data.recoding import Recoding
from shoal.data.table import Classes, Counts, Table
from shoal.errors import InputError
from shoal.kernels.clustering.growing_clusters import clusters_of, nearest, unite
from shoal.models import PrivacyModel

IntArray = NDArray[np.int32]


def check_groupable(name: str, model: PrivacyModel) -> None:
    """Refuse a model that cannot be worked towards by joining groups of rows."""
    if not model.per_class:
        raise InputError(f"{name} looks at one class at a time and cannot work towards {model}.")
    if model.disjoint:
        raise InputError(f"{name}'s classes may overlap, which {model} does not allow.")
    if model.populations:
        raise InputError(f"{name} groups the rows of the table alone and cannot look at a population for {model}.")


def recoding_of(table: Table, ids: IntArray, model: PrivacyModel) -> Recoding:
    """Let each group show its minimal generalization, after joining those that fail the model.

    The failing group of the lowest number joins the one with which it loses least more, of equals the lowest number.
    """
    ids = joined(table, ids, model)
    return Recoding.of_groups(table, ids)


def joined(table: Table, ids: IntArray, model: PrivacyModel) -> IntArray:
    """The groups, joined until each satisfies the model."""
    groups = int(ids.max(initial=-1)) + 1
    good = model.satisfied(table.classes(ids))
    if good.all():
        return ids
    space = space_of(table.domains, exact=len(ids) * len(table.quasi))
    clusters = clusters_of(space, np.ascontiguousarray(table.codes), ids, groups)
    classes = table.classes(ids)
    names = table.sensitive if model.uses_sensitive else ()
    known: dict[tuple[str, int], Counts] = {}  # of groups that others have joined
    sizes = classes.sizes.copy()

    def counts(name: str, group: int) -> Counts:
        return known.get((name, group)) or classes.counts(name).some(np.array([group]))

    became = np.arange(groups, dtype=np.int32)
    failing = [group for group in range(groups) if not good[group]]
    while failing:
        group = failing[0]
        other = int(nearest(space, clusters, group))
        if other < 0:
            break  # all rows are one group: the model as a whole was asked before
        unite(space, clusters, other, group)
        became[became == group] = other
        sizes[other] += sizes[group]
        for name in names:
            known[name, other] = counts(name, other).joined(counts(name, group))
        alone = Classes(
            sizes[other : other + 1],  # not those of the clusters, whose rows may stand for several
            table.overall,
            lambda name, other=other: counts(name, other),  # type: ignore[misc]
        )
        failing = [one for one in failing[1:] if one != other]
        if not model.satisfied(alone).all():
            failing = sorted([*failing, other])
    return np.unique(became[ids], return_inverse=True)[1].astype(np.int32)
