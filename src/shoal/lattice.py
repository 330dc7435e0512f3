"""Lattice: the full-domain generalizations of a table, each a number of steps up for every quasi-identifier.

A node is a tuple of levels. Rows that show the same at a node also do at every node above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import fsum

import numpy as np
from numpy.typing import NDArray

from shoal.domain import TreeDomain
from shoal.errors import InfeasibleError, InputError
from shoal.hierarchy import Hierarchy
from shoal.models import PrivacyModel
from shoal.recoding import Recoding
from shoal.table import Table, group_rows

Node = tuple[int, ...]
IntArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Judged:
    """A node grouped and asked about: the class of each distinct row (−1: suppressed) and what it costs."""

    node: Node
    ids: IntArray
    suppressed: int
    loss: float


@dataclass(frozen=True, eq=False)
class Lattice:
    """The nodes over the distinct rows of a table, all of whose quasi-identifiers have a hierarchy."""

    table: Table
    place: IntArray  # of each row of the whole table among the distinct rows

    @classmethod
    def of(cls, table: Table, model: PrivacyModel) -> Lattice:
        """The lattice of a table, over rows that are told apart by what the model looks at."""
        bare = [name for name, d in zip(table.quasi, table.domains, strict=True) if not isinstance(d, TreeDomain)]
        if bare:
            raise InputError(f"Column {bare[0]!r} needs a hierarchy: full-domain generalization goes up in one.")
        return cls(*table.distinct(sensitive=model.uses_sensitive))

    @cached_property
    def trees(self) -> list[Hierarchy]:
        """The hierarchy of each quasi-identifier."""
        return [domain.hierarchy for domain in self.table.domains if isinstance(domain, TreeDomain)]

    @cached_property
    def top(self) -> Node:
        """The node at which every value is the root."""
        return tuple(tree.height for tree in self.trees)

    @property
    def height(self) -> int:
        """The sum of the levels of the top."""
        return sum(self.top)

    def level(self, height: int) -> Iterator[Node]:
        """The nodes of one height, in lexicographic order."""
        yield from _compositions(height, self.top)

    @cached_property
    def shown(self) -> list[NDArray[np.int32]]:
        """For each attribute, the tree node that each value shows at each level: levels × values."""
        return [
            np.stack([tree.ancestors(tree.leaf_nodes, steps) for steps in range(tree.height + 1)])
            for tree in self.trees
        ]

    def judge(self, node: Node, model: PrivacyModel, max_suppressed: int) -> Judged | None:
        """The verdict on a node, or None where more rows than allowed are in classes that fail the model."""
        columns = [self.shown[j][level][self.table.codes[:, j]] for j, level in enumerate(node)]
        widths = [len(tree.labels) for tree in self.trees]
        ids, firsts = group_rows(columns, widths, len(self.table.weights))
        classes = self.table.classes(ids)
        good = model.satisfied(classes)
        if model.disjoint and not good[classes.sizes == 0].all():
            return None  # people of whom the release would tell that they are not in it
        suppressed = int(classes.sizes[~good].sum())
        if suppressed > max_suppressed:
            return None
        good &= classes.sizes > 0
        number = np.where(good, np.cumsum(good) - 1, -1).astype(np.int32)
        kept = firsts[good]
        losses = [tree.loss[column[kept]] for tree, column in zip(self.trees, columns, strict=True)]
        cells = fsum((classes.sizes[good] * np.sum(losses, axis=0)).tolist())
        return Judged(node, number[ids], suppressed, cells + suppressed * len(node))

    def infeasible(self, model: PrivacyModel) -> InfeasibleError:
        """What is raised where no node satisfies the model."""
        reach = model.reach(self.table.whole())
        return InfeasibleError(f"No full-domain generalization satisfies {model}: {reach}.", achievable=reach)

    def recoding(self, judged: Judged) -> Recoding:
        """The release of a judged node: every class shows the node's labels, even where fewer steps would do."""
        ids = judged.ids
        sizes = self.table.sizes(ids)
        firsts = np.full(sizes.size, len(ids), np.int64)
        kept = np.flatnonzero(ids >= 0)
        np.minimum.at(firsts, ids[kept], kept)
        shown = tuple(self.shown[j][level][self.table.codes[firsts, j]] for j, level in enumerate(judged.node))
        return Recoding(ids[self.place], sizes, shown)


def _compositions(total: int, limits: Node) -> Iterator[Node]:
    """The tuples of numbers up to the limits with the given sum, in lexicographic order."""
    if not limits:
        if total == 0:
            yield ()
        return
    rest = sum(limits[1:])
    for first in range(max(0, total - rest), min(limits[0], total) + 1):
        for others in _compositions(total - first, limits[1:]):
            yield (first, *others)
