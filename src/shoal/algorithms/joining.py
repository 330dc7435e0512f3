"""From groups of rows to a recoding: groups that fail the model join their nearest group until none fails."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.algorithm import Algorithm, Progress, check_seed, nobody
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.row_moves import by_loss
from shoal.data.classes import Classes, Counts
from shoal.data.parameters import take_plain_numbers
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.arrays import Ints
from shoal.kernels.clustering.sequential import FREE, LARGEST_INT, nearest
from shoal.kernels.local_recoding.row_clusters import groups_of, unite
from shoal.models import PrivacyModel


@dataclass(frozen=True)
class GroupingAlgorithm(Algorithm):
    """An algorithm that groups rows by their quasi-identifiers, then joins groups that fail the model."""

    @abstractmethod
    def clusters(self, table: Table, k: int, *, progress: Progress = nobody) -> Ints:
        """Return the number of each row's group, of at least k rows each if the table has as many."""

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress = nobody
    ) -> Recoding:
        """Group the rows; join groups that fail the model, and let each show its minimal generalization."""
        check_groupable(type(self).__name__, model)
        ids = joined(table, self.clusters(table, model.smallest, progress=progress), model)
        return Recoding.of_groups(table, ids)


@dataclass(frozen=True)
class RandomizedGrouping(GroupingAlgorithm):
    """A grouping that draws at random, by its seed."""

    seed: int = 0

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        check_seed(type(self).__name__, self.seed)


def check_per_class(name: str, model: PrivacyModel) -> None:
    """Refuse a model that needs more than to look at one class at a time."""
    if not model.per_class:
        raise InputError(f"{name} looks at one class at a time and cannot satisfy {model}: choose full-domain.")
    if model.disjoint:
        raise InputError(f"{name}'s classes may overlap, which {model} does not allow: choose full-domain.")


def check_groupable(name: str, model: PrivacyModel) -> None:
    """Refuse a model that cannot be satisfied by joining groups of rows."""
    check_per_class(name, model)
    if model.populations:
        raise InputError(
            f"{name} groups the rows of the table alone and cannot look at a population for {model}: choose mondrian."
        )


def joined(table: Table, ids: Ints, model: PrivacyModel) -> Ints:
    """Join groups until each satisfies the model.

    The failing group with the lowest number joins the one that adds the least loss, the lowest number of equals.
    """
    groups = int(ids.max(initial=-1)) + 1
    good = model.satisfied(table.classes(ids))
    if good.all():
        return ids
    measure = by_loss(space_of(table.domains, exact=len(ids) * len(table.quasi)))
    codes, every = np.ascontiguousarray(table.codes), np.arange(groups)
    clusters = groups_of(measure, codes, np.ones(len(ids), np.int64), ids, np.zeros(groups, np.int64))
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
        partner, _ = nearest(measure, FREE, clusters, group, every, LARGEST_INT, LARGEST_INT)
        if partner < 0:
            break  # all rows are one group: whether that satisfies the model was checked before
        unite(measure, clusters, codes, partner, group)
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
