"""From groups of rows to a recoding: groups that fail the model join their nearest group until none fails."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from shoal.algorithms.algorithm import Algorithm, Progress
from shoal.algorithms.cost_arrays import space_of
from shoal.data.recoding import Recoding
from shoal.data.table import Classes, Counts, Table
from shoal.errors import InputError
from shoal.kernels.arrays import Ints
from shoal.kernels.clustering.growing_clusters import clusters_of, nearest, unite
from shoal.models import PrivacyModel


class GroupingAlgorithm(Algorithm):
    """An algorithm that groups rows by their quasi-identifiers, then joins groups that fail the model."""

    @abstractmethod
    def clusters(self, table: Table, k: int, *, progress: Progress | None = None) -> Ints:
        """Return the number of each row's group, of at least k rows each if the table has as many."""

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Recoding:
        """Group the rows; join groups that fail the model."""
        check_groupable(type(self).__name__, model)
        return recoding_of(table, self.clusters(table, model.smallest, progress=progress), model)


def check_groupable(name: str, model: PrivacyModel) -> None:
    """Refuse a model that cannot be satisfied by joining groups of rows."""
    if not model.per_class:
        raise InputError(f"{name} looks at one class at a time and cannot satisfy {model}: choose full-domain.")
    if model.disjoint:
        raise InputError(f"{name}'s classes may overlap, which {model} does not allow: choose full-domain.")
    if model.populations:
        raise InputError(
            f"{name} groups the rows of the table alone and cannot look at a population for {model}: choose mondrian."
        )


def recoding_of(table: Table, ids: Ints, model: PrivacyModel) -> Recoding:
    """Let each group show its minimal generalization, after joining those that fail the model.

    The failing group with the lowest number joins the one that adds the least loss, the lowest number of equals.
    """
    ids = joined(table, ids, model)
    return Recoding.of_groups(table, ids)


def joined(table: Table, ids: Ints, model: PrivacyModel) -> Ints:
    """Join groups until each satisfies the model."""
    groups = int(ids.max(initial=-1)) + 1
    good = model.satisfied(table.classes(ids))
    if good.all():
        return ids
    space = space_of(table.domains, exact=len(ids) * len(table.quasi))
    clusters = clusters_of(space, np.ascontiguousarray(table.codes), ids, groups)
    classes = table.classes(ids)
    names = table.sensitive if model.uses_sensitive else ()
    merged: dict[tuple[str, int], Counts] = {}  # of groups that others joined
    sizes = classes.sizes.copy()

    def counts(name: str, group: int) -> Counts:
        return merged.get((name, group)) or classes.counts(name).some(np.array([group]))

    became = np.arange(groups, dtype=np.int32)
    failing = [group for group in range(groups) if not good[group]]
    while failing:
        group = failing[0]
        partner = int(nearest(space, clusters, group))
        if partner < 0:
            break  # all rows are one group: whether that satisfies the model was checked before
        unite(space, clusters, partner, group)
        became[became == group] = partner
        sizes[partner] += sizes[group]
        for name in names:
            merged[name, partner] = counts(name, partner).joined(counts(name, group))
        alone = Classes(
            sizes[partner : partner + 1],  # weights, as a row of a cluster may stand for several
            table.overall,
            lambda name, partner=partner: counts(name, partner),  # type: ignore[misc]
        )
        failing = [number for number in failing[1:] if number != partner]
        if not model.satisfied(alone).all():
            failing = sorted([*failing, partner])
    return np.unique(became[ids], return_inverse=True)[1].astype(np.int32)
