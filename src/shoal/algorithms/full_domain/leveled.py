"""Leveled: the distinct rows of a table, and what their values show at each level of their hierarchies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data.domain import TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.table import Table
from shoal.kernels.arrays import Ints


@dataclass(frozen=True, eq=False)
class Leveled:
    """A table whose quasi-identifiers all have a hierarchy."""

    table: Table

    @cached_property
    def trees(self) -> list[Hierarchy]:
        """The hierarchy of each quasi-identifier."""
        return [domain.hierarchy for domain in self.table.domains if isinstance(domain, TreeDomain)]

    @cached_property
    def rows(self) -> int:
        """The number of rows of the whole table."""
        return self.table.rows

    @cached_property
    def shown(self) -> list[Ints]:
        """For each attribute the tree node that each value shows at each level: levels × values."""
        return [
            np.stack([tree.ancestors(tree.leaf_nodes, steps) for steps in range(tree.height + 1)])
            for tree in self.trees
        ]

    @cached_property
    def numbered(self) -> list[Ints]:
        """Like `shown`, with the nodes of each level numbered from 0."""
        return [np.stack([np.unique(row, return_inverse=True)[1] for row in s]).astype(np.int32) for s in self.shown]

    @cached_property
    def columns(self) -> list[Ints]:
        """The codes of each attribute."""
        return list(np.ascontiguousarray(self.table.codes.T))
