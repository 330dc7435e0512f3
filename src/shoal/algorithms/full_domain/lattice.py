"""Lattice: the full-domain generalizations of a table, each a number of steps up for every quasi-identifier.

A node is a tuple of levels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import fsum, prod
from typing import Any

import numpy as np

from shoal.algorithms.algorithm import Algorithm, Progress, nobody
from shoal.algorithms.full_domain.demand import Demand
from shoal.algorithms.full_domain.prefixes import Node, Prefixes
from shoal.data.classes import Classes
from shoal.data.domain import TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.errors import InfeasibleError, InputError
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.models import PrivacyModel

KEPT_NODES = 1_000_000  # of the nodes that were judged, for the record of the search


@dataclass(frozen=True)
class LatticeAlgorithm(Algorithm):
    """An algorithm that generalizes every value of an attribute to one level of its hierarchy."""

    needs_hierarchies = True
    equal_rows_together = True
    counts_people = True
    suppresses = True

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress = nobody
    ) -> Explored:
        """Search the lattice and release the node that is found."""
        lattice = Lattice.of(table, model, max_suppressed)
        found = self.search(lattice, progress)
        if found is None:
            raise lattice.infeasible()
        return found

    def search(self, lattice: Lattice, progress: Progress) -> Explored | None:
        """Search for a node that satisfies the model; return its release, or None if no node does."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Judged:
    """A node that satisfies the model: one row of each class, the classes' sizes, and how many rows it suppresses."""

    node: Node
    rows: Ints
    sizes: Longs
    suppressed: int


@dataclass(frozen=True, eq=False)
class Explored(Recoding):
    """The release of a node, with the record of the search that chose it.

    `value` is that of the `objective`; no node that satisfies the model has a better one than `bound`, if one is
    proven. `closed` nodes were examined or ruled out. `stopped` says what ended the search too early, if anything.
    """

    lattice: Lattice = None  # type: ignore[assignment]
    node: Node = ()
    objective: str = "loss"
    value: float = 0.0
    bound: float | None = None
    closed: int | None = None
    stopped: str = ""
    minimal: tuple[Node, ...] = ()


@dataclass(frozen=True, eq=False)
class Lattice(Prefixes):
    """The nodes of the distinct rows of a table, and the verdict of a model on each."""

    place: Ints = None  # type: ignore[assignment]  # of each row of the whole table among the distinct rows
    judged: list[Node] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        table: Table,
        model: PrivacyModel,
        max_suppressed: int = 0,
        *,
        levels: Mapping[str, tuple[int, int]] | None = None,
        leave_out: bool = True,
        sensitive: bool = False,
    ) -> Lattice:
        """Return the lattice of a table, over rows that differ in what the model, or the objective, looks at."""
        bare = [name for name, d in zip(table.quasi, table.domains, strict=True) if not isinstance(d, TreeDomain)]
        if bare:
            raise InputError(f"Column {bare[0]!r} needs a hierarchy for full-domain generalization: give one.")
        rows, place = table.distinct(sensitive=sensitive or model.uses_sensitive)
        heights = [domain.hierarchy.height for domain in table.domains if isinstance(domain, TreeDomain)]
        limits = [_limits(name, height, levels or {}) for name, height in zip(table.quasi, heights, strict=True)]
        bottom, top = tuple(low for low, _ in limits), tuple(high for _, high in limits)
        demand = Demand(model, max_suppressed, table.rows, table.units is not None)
        return cls(rows, demand, bottom, top, leave_out, place=place)

    def unlimited(self) -> Lattice:
        """Return the same lattice with no limit of suppressed rows."""
        demand = replace(self.demand, max_suppressed=self.rows)
        return Lattice(self.table, demand, self.bottom, self.top, place=self.place)

    @cached_property
    def _heights(self) -> Node:
        return tuple(tree.height for tree in self.trees)

    @property
    def model(self) -> PrivacyModel:
        """The model that classes must satisfy."""
        return self.demand.model

    @property
    def max_suppressed(self) -> int:
        """How many rows may be suppressed."""
        return self.demand.max_suppressed

    @cached_property
    def nodes(self) -> int:
        """The number of nodes."""
        return prod(high - low + 1 for low, high in zip(self.bottom, self.top, strict=True))

    def level(self, left: int, levels: Node = ()) -> Iterator[Node]:
        """Yield the nodes of one height above these levels, without those whose first levels suppress too much."""
        if self.prefix(levels) is None:
            return
        rest = self.order[len(levels) :]
        if not rest:
            yield self.node(levels)
            return
        least = left - sum(self.top[a] for a in rest[1:])
        most = left - sum(self.floor[a] for a in rest[1:])
        for steps in range(max(self.floor[rest[0]], least), min(self.top[rest[0]], most) + 1):
            yield from self.level(left - steps, (*levels, steps))

    def node(self, levels: Node) -> Node:
        """Return the node of a complete prefix."""
        return tuple(steps for _, steps in sorted(zip(self.order, levels, strict=True)))

    def judge(self, node: Node) -> Judged | None:
        """Judge a node; return None if more rows than allowed are in classes that fail the model."""
        if len(self.judged) < KEPT_NODES:
            self.judged.append(node)
        possible = all(low <= level for low, level in zip(self.floor, node, strict=True))
        grouped = self.prefix(tuple(node[attribute] for attribute in self.order)) if possible else None
        if grouped is None:
            return None
        classes = self.classes(grouped, np.arange(grouped.rows.size, dtype=np.int32), grouped.starts)
        good = self.demand.good(classes)
        rows = grouped.rows[grouped.starts[:-1]]
        if self._labels_meet(node, rows[good], int(classes.rows[good].sum())):
            rows, classes, good = self._from_scratch(node)[1:]
        suppressed = self.rows - int(classes.rows[good].sum())
        if not self.demand.allows(suppressed):
            return None
        return Judged(node, rows[good], classes.rows[good], suppressed)

    def _labels_meet(self, node: Node, rows: Ints, released: int) -> bool:
        """Return whether a class could look like suppressed rows, or cover another one, in a ragged tree."""
        if self.demand.model.disjoint:
            return True
        if released == self.rows or self.demand.model.monotone_with_suppression or node == self._heights:
            return False
        return bool(self._at_top(node, rows).any())

    def _at_top(self, node: Node, rows: Ints) -> Flags:
        """Return for each row whether it shows the top value of every attribute."""
        top = np.ones(rows.size, np.bool_)
        for shown, level, codes in zip(self.shown, node, self.columns, strict=True):
            top &= shown[level][codes[rows]] == 0
        return top

    def _from_scratch(self, node: Node) -> tuple[Ints, Ints, Classes, Flags]:
        """Group the distinct rows at a node: (class of each, a row of each class, the classes, which are released).

        Suppressed rows show the top values. If a released class does so, too, the two are one class for the reader:
        unless that satisfies the model, its rows are suppressed as well. If classes must be disjoint, none is
        released if one covers another.
        """
        shown = [self.shown[j][level][self.columns[j]] for j, level in enumerate(node)]
        ids, firsts = group_rows(shown, [len(tree.labels) for tree in self.trees], len(self.table.weights))
        rows = firsts.astype(np.int32)
        classes = self.table.classes(ids)
        good = self.demand.good(classes)
        if self.demand.model.disjoint and not all(map(_apart, self.trees, shown)):
            good[:] = False
        gone = ~good & (classes.sizes > 0)
        top = self._at_top(node, rows) & good
        if gone.any() and top.any():
            together = np.where((gone | top)[ids], 0, -1).astype(np.int32)
            if not self.model.satisfied(self.table.classes(together)).all():
                good[top] = False
        return ids, rows, classes, good

    def losses(self, judged: Judged) -> list[float]:
        """Return LM of each attribute at a judged node: the mean over its cells, suppressed ones 1."""
        means = []
        for tree, shown, level, codes in zip(self.trees, self.shown, judged.node, self.columns, strict=True):
            rows = np.bincount(shown[level][codes[judged.rows]], judged.sizes, len(tree.labels))
            cells = (rows * tree.loss)[rows > 0]
            means.append(fsum([judged.suppressed, *cells.tolist()]) / self.rows)
        return means

    def loss(self, judged: Judged) -> Fraction:
        """Return LM of a judged node: the mean over all cells, without rounding."""
        cells = Fraction(0)
        for tree, shown, level, codes in zip(self.trees, self.shown, judged.node, self.columns, strict=True):
            covered = (tree.highs - tree.lows)[shown[level][codes[judged.rows]]]
            others = len(tree.leaf_nodes) - 1
            cells += judged.suppressed + (Fraction(int(covered @ judged.sizes), others) if others else 0)
        return cells / (self.rows * len(self.trees))

    def infeasible(self) -> InfeasibleError:
        """Return the error to raise if no node satisfies the model."""
        reach = self.model.reach(self.table.whole())
        everything = ((0,) * len(self.top), self._heights)
        where = "" if (self.bottom, self.top) == everything else " at the levels that are allowed"
        why = f": {reach}" if not where and self.demand.monotone else ""
        gone = f" with at most {self.max_suppressed:,} suppressed rows" if self.max_suppressed else ""
        said = f"No full-domain generalization satisfies {self.model}{where}{gone}{why}."
        return InfeasibleError(said, achievable=reach)

    def regroup(self, node: Node) -> Recoding:
        """Group the distinct rows at a node from scratch; classes that fail the model are suppressed."""
        ids, firsts, classes, good = self._from_scratch(node)
        shown = [self.shown[j][level][self.columns[j]] for j, level in enumerate(node)]
        number = np.where(good, np.cumsum(good) - 1, -1).astype(np.int32)
        return Recoding(number[ids], classes.rows[good], tuple(column[firsts[good]] for column in shown))

    def recoding(self, node: Node, **account: Any) -> Explored:
        """Return the release of a node: every class shows the node's labels, even if fewer steps would be enough."""
        small = self.regroup(node)
        return Explored(small.ids[self.place], small.sizes, small.shown, self, node, **account)


def _apart(tree: Hierarchy, shown: Ints) -> bool:
    """Return whether no shown node of a tree is above another one."""
    nodes = np.unique(shown)  # in the order of the tree, from above and from the left
    return bool((tree.lows[nodes[1:]] > np.maximum.accumulate(tree.highs[nodes])[:-1]).all())


def _limits(name: str, height: int, levels: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    low, high = levels.get(name, (0, height))
    if high > height:
        raise InputError(f"Column {name!r} has levels 0 to {height}, and {high} is above them: choose a lower one.")
    return low, high
