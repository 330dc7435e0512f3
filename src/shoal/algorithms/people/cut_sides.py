"""The verdict of a model on the people on both sides of Mondrian's cuts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.algorithms.cut_sides import some_cuts
from shoal.data.people import classes_of_people
from shoal.data.rows import slices
from shoal.data.table import Table
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.mondrian import Cuts, Partitions
from shoal.kernels.people.cut_sides import enough_people, surely_enough
from shoal.kernels.people.holders import Holders, holders_of, rows_beside, rows_held
from shoal.models import PrivacyModel

CELLS = 1 << 22  # rows on both sides of cuts in memory at a time


@dataclass(frozen=True, eq=False)
class Holding:
    """A table of people, whose equal rows are one row of the partitions, and who has each of these."""

    table: Table
    units: Ints
    holders: Holders

    @classmethod
    def of(cls, table: Table, units: Ints, place: Ints, different: int) -> Holding:
        """List who has each of the different rows, given the place of each row of the table among them."""
        return cls(table, units, holders_of(place, units, different))

    def reordered(self, order: Longs) -> Holding:
        """Return the same of the different rows in another order."""
        old = self.holders
        starts, ends, marks = old.starts.take(order), old.ends.take(order), old.marks.take(order)
        return replace(self, holders=old._replace(starts=starts, ends=ends, marks=marks))

    def beside(self, partitions: Partitions, model: PrivacyModel) -> PeopleBeside:
        """Return what decides whether cuts of some partitions are allowable."""
        return PeopleBeside(self, partitions, model)


@dataclass(frozen=True, eq=False)
class PeopleBeside:
    """The people on both sides of cuts of partitions."""

    holding: Holding
    partitions: Partitions
    model: PrivacyModel

    @property
    def least(self) -> int:
        """The fewest people that the model asks for, if a part of it is about their number alone; otherwise 0."""
        return max((part.smallest for part in self.model.parts if part.by_size_alone), default=0)

    def surely_allowable(self, cuts: Cuts) -> Flags:
        """Return for each cut whether both sides surely satisfy the model; where that takes long, it may say no."""
        if not all(part.by_size_alone for part in self.model.parts):
            return self.allowable(cuts)
        return surely_enough(self.partitions, self.holding.holders, cuts, self.least)

    def allowable(self, cuts: Cuts) -> Flags:
        """Return for each cut whether both sides satisfy the model; how many people they have is counted first."""
        allowed = np.ones(cuts.low.size, np.bool_)
        if self.least:
            allowed = enough_people(self.partitions, self.holding.holders, cuts, self.least)
        others = np.flatnonzero(allowed)
        if others.size and not all(part.by_size_alone for part in self.model.parts):
            rows = rows_held(self.partitions, self.holding.holders)[cuts.partition[others]]
            for some in slices(rows, CELLS):
                allowed[others[some]] = self._satisfied(some_cuts(cuts, others[some]))
        return allowed

    def _satisfied(self, cuts: Cuts) -> Flags:
        """Return for each cut whether both sides satisfy the model, all of which is counted."""
        table, units = self.holding.table, self.holding.units
        ids, rows = rows_beside(self.partitions, self.holding.holders, cuts)

        def column(name: str) -> tuple[Ints, int]:
            codes, width = table.sensitive_column(name)
            return codes[rows], width

        both = classes_of_people(
            ids,
            units[rows],
            weights=table.weights[rows],
            classes=2 * cuts.low.size,
            column=column,
            overall=table.overall,
        )
        left, right = self.model.satisfied(both).reshape(2, -1)
        return left & right
