"""Grouping: the equivalence classes of a table as an attacker sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data.classes import Classes, Counts
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.arrays import Flags, Ints, Longs


@dataclass(frozen=True, eq=False)
class Grouping:
    """The rows of a table by class: `ids` (−1: suppressed, in no class) and the first row of each class."""

    table: Table
    ids: Ints
    firsts: Longs

    @classmethod
    def of(cls, table: Table, *, suppressed: Sequence[str] = ()) -> Grouping:
        """Group rows with equal quasi-identifiers; those that show a `suppressed` label in all are in no class."""
        columns = [table.codes[:, place] for place in range(len(table.quasi))]
        grouping = cls(table, *group_rows(columns, [len(domain) for domain in table.domains], len(table.weights)))
        hidden = grouping.showing(suppressed)
        if not hidden.any():
            return grouping
        if hidden.all():
            raise InputError("Every row is suppressed, so there is no class to assess.")
        number = np.where(hidden, -1, np.cumsum(~hidden) - 1).astype(np.int32)
        return cls(table, number[grouping.ids], grouping.firsts[~hidden])

    def showing(self, labels: Sequence[str]) -> Flags:
        """Return for each class whether it shows one of these labels for every quasi-identifier."""
        showing = np.ones(self.firsts.size, np.bool_)
        for place, domain in enumerate(self.table.domains):
            showing &= np.array([label in labels for label in domain.labels])[self.table.codes[self.firsts, place]]
        return showing

    @cached_property
    def classes(self) -> Classes:
        """The classes as models see them."""
        return self.table.classes(self.ids)

    @cached_property
    def sizes(self) -> Longs:
        """The number of rows of each class, or of people if units are known."""
        return self.classes.sizes

    @cached_property
    def rows(self) -> int:
        """The number of rows that are in a class."""
        return int(self.classes.rows.sum())

    def labels(self, number: int) -> dict[str, str]:
        """Return the labels of a class by quasi-identifier."""
        codes = self.table.codes[self.firsts[number]].tolist()
        return {
            name: domain.labels[code]
            for name, domain, code in zip(self.table.quasi, self.table.domains, codes, strict=True)
        }

    @cached_property
    def counts(self) -> dict[str, Counts]:
        """The counts of each sensitive attribute's values by class."""
        return {name: self.classes.counts(name) for name in self.table.sensitive}
