"""The verdict of a model on the rows on both sides of Mondrian's cuts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from shoal.data.classes import Classes, Counts
from shoal.data.rows import slices
from shoal.data.table import Table
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.cut_sides import OwnCodes, own_codes, side_counts
from shoal.kernels.mondrian import Cuts, Partitions
from shoal.models import PrivacyModel

CELLS = 1 << 22  # counts of sensitive values on both sides of cuts in memory at a time


def some_cuts(cuts: Cuts, which: Longs | slice) -> Cuts:
    """Return some of the cuts."""
    return Cuts(*(column[which] for column in cuts))


@dataclass(frozen=True, eq=False)
class Sides:
    """Both sides of cuts of partitions, by the keys of their rows."""

    partitions: Partitions
    keys: Ints
    table: Table
    model: PrivacyModel
    _known: dict[str, OwnCodes] = field(default_factory=dict)

    def allowable(self, cuts: Cuts) -> Flags:
        """Return for each cut whether both sides satisfy the model."""
        allowed = np.zeros(cuts.low.size, np.bool_)
        for part in self._blocks(cuts):
            some = some_cuts(cuts, part)

            def counts(name: str, some: Cuts = some) -> Counts:
                return Counts(*side_counts(self.partitions, self.keys, self._codes(name), some))

            sizes = np.concatenate([some.left, some.right])
            both = Classes(sizes, self.table.overall, counts, self._people(some))
            allowed[part] = self.model.satisfied(both).reshape(2, -1).all(axis=0)
        return allowed

    surely_allowable = allowable

    def _blocks(self, cuts: Cuts) -> list[slice]:
        """Divide the cuts into blocks of about `CELLS` sensitive values, at least one cut each."""
        if not self.model.uses_sensitive or not self.table.sensitive or not cuts.low.size:
            return [slice(0, cuts.low.size)] if cuts.low.size else []
        rows = 2 * (self.partitions.ends - self.partitions.starts)
        widest = max(len(domain) for domain in self.table.sensitive_domains)
        return slices(np.minimum(rows, 2 * widest)[cuts.partition], CELLS)

    def _codes(self, name: str) -> OwnCodes:
        if name not in self._known:
            at = self.table.sensitive.index(name)
            column = np.ascontiguousarray(self.table.sensitive_codes[:, at])
            self._known[name] = own_codes(self.partitions, column, len(self.table.sensitive_domains[at]))
        return self._known[name]

    def _people(self, cuts: Cuts) -> Longs | None:
        """Return the people of the population on both sides of cuts."""
        if self.table.population is None:
            return None
        counted = self.partitions._replace(weights=self.table.population)
        alike = own_codes(self.partitions, np.zeros(len(self.table.weights), np.int32), 1)
        people = Counts(*side_counts(counted, self.keys, alike, cuts))
        return people.gathered(np.add, people.counts)
