"""Prefixes: a table grouped by the levels of its first attributes, each prefix refined from the one before it.

Rows that show the same labels at a node also do so at every node above it. So rows that a prefix suppresses with all
other attributes at the top are suppressed at every node that begins with it, and need not be grouped further.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np

from shoal.algorithms.full_domain.demand import Demand
from shoal.data.classes import Classes, Counts
from shoal.data.domain import TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.people import classes_of_people
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.groups import group_weights
from shoal.kernels.lattice import add_up, merge, releasable, split
from shoal.metrics.cells import times_log2
from shoal.models import KAnonymity
from shoal.models.caps import Caps
from shoal.models.sensitive import SensitiveModel

Node = tuple[int, ...]

KEPT_BYTES = 1 << 28  # of grouped rows, to refine further
MAX_COUNTS = 1 << 22  # values of an attribute times values of a sensitive one, above which the latter are not bounded


@dataclass(frozen=True, eq=False)
class Prefix:
    """The rows with the first attributes generalized and the others raw, equal ones merged."""

    levels: Node
    rows: Ints  # one row of the table for each
    weights: Longs
    people: Longs | None
    starts: Ints  # of the classes by the first attributes alone; the rows are ordered by class
    gone: int  # rows that are suppressed at every node that begins with this prefix

    @property
    def bytes(self) -> int:
        """The approximate size in memory."""
        return 200 + self.rows.nbytes + self.weights.nbytes * (1 if self.people is None else 2) + self.starts.nbytes


class Parts(NamedTuple):
    """The classes of a prefix split by one more attribute."""

    places: Ints  # of the rows, class by class
    starts: Ints
    good: Flags  # the classes to keep
    failed: int  # rows in the others


@dataclass(frozen=True, eq=False)
class Prefixes:
    """The groupings of a table by prefixes, as far as these can lead to a node that satisfies the demand.

    The rows of the table are distinct, and all of its quasi-identifiers have a hierarchy.
    """

    table: Table
    demand: Demand
    bottom: Node
    top: Node
    leave_out: bool = True  # whether to drop rows that are suppressed at every node that begins with a prefix
    _known: OrderedDict[Node, Prefix | None] = field(default_factory=OrderedDict)

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

    @cached_property
    def counts(self) -> list[Longs]:
        """For each attribute the number of rows with each value."""
        return [
            group_weights(self.table.weights, codes, len(tree.leaf_nodes))
            for codes, tree in zip(self.columns, self.trees, strict=True)
        ]

    @cached_property
    def order(self) -> list[int]:
        """The attributes in the order of prefixes: those that distinguish the most rows first."""
        bits = [times_log2(counts) for counts in self.counts]
        return sorted(range(len(self.trees)), key=bits.__getitem__)

    @cached_property
    def suffixes(self) -> list[tuple[Ints, int]]:
        """For each number of first attributes: the rows numbered by all later attributes, and how many numbers."""
        columns = list(np.ascontiguousarray(self.table.sensitive_codes.T))
        widths = [len(domain) for domain in self.table.sensitive_domains]
        if self.table.units is not None:
            columns, widths = [self.table.units, *columns], [int(self.table.units.max(initial=0)) + 1, *widths]
        return self._suffixes(columns, widths)

    @cached_property
    def quasi_suffixes(self) -> list[tuple[Ints, int]]:
        """The same by the later quasi-identifiers alone, whatever the rows have beside them."""
        return self._suffixes([], [])

    def _suffixes(self, columns: list[Ints], widths: list[int]) -> list[tuple[Ints, int]]:
        rows = len(self.table.weights)
        tail, firsts = group_rows(columns, widths, rows)
        tails = [(tail, max(1, firsts.size))]
        for attribute in reversed(self.order):
            lowest = self.numbered[attribute][self.floor[attribute]]
            widths = [int(lowest.max()) + 1, tails[-1][1]]
            tail, firsts = group_rows([lowest[self.columns[attribute]], tails[-1][0]], widths, rows)
            tails.append((tail, max(1, firsts.size)))
        return tails[::-1]

    def finest(self, prefix: Prefix) -> tuple[Ints, int]:
        """Return the class of each row of a prefix with its other attributes at their lowest levels, and how many."""
        tails, count = self.quasi_suffixes[len(prefix.levels)]
        own = np.repeat(np.arange(prefix.starts.size - 1, dtype=np.int32), np.diff(prefix.starts))
        ids, firsts = group_rows([own, tails[prefix.rows]], [max(1, prefix.starts.size - 1), count], prefix.rows.size)
        return ids, firsts.size

    @cached_property
    def caps(self) -> list[tuple[Caps, Ints]]:
        """What parts of the model say of the rows that are released, and the codes of their sensitive attributes."""
        if self.demand.overlapping or not self.demand.max_suppressed:
            return []
        found = []
        for part in self.demand.model.parts:
            if isinstance(part, SensitiveModel) and part.monotone and not part.monotone_with_suppression:
                for name in part.attributes(self.table.whole()):
                    caps = part.caps(name, self.table.overall[name]) if self._can_be_capped(name) else None
                    if caps is not None:
                        found.append((caps, np.ascontiguousarray(self.table.sensitive_column(name)[0])))
        return found

    def _can_be_capped(self, name: str) -> bool:
        """Return whether the whole table has all values of the rows, as models ignore others, and there are few."""
        codes, width = self.table.sensitive_column(name)
        overall = self.table.overall[name]
        if overall.counts.size != width or width * max(map(len, self.table.domains)) > MAX_COUNTS:
            return False
        return bool((overall.counts[codes[self.table.weights > 0]] > 0).all())

    @cached_property
    def floor(self) -> Node:
        """The lowest level of each attribute at which it alone does not suppress too much."""
        return tuple(
            next((level for level in range(low, high) if self._is_possible(attribute, level)), high)
            for attribute, (low, high) in enumerate(zip(self.bottom, self.top, strict=True))
        )

    def _is_possible(self, attribute: int, level: int) -> bool:
        """Return whether an attribute at a level does not suppress too much by itself."""
        by_size = isinstance(self.demand.needed, KAnonymity) and not self.demand.model.disjoint
        if by_size and not self.caps and self.table.units is None:
            sizes = np.bincount(self.numbered[attribute][level], self.counts[attribute])
            return self.demand.allows(int(sizes[sizes < self.demand.model.smallest].sum()))
        return self._parts(self._all, attribute, level) is not None

    def below(self, levels: Node) -> int:
        """Return the number of nodes that begin with these levels, in the order of prefixes, and may be solutions."""
        return self._below[len(levels)]

    @cached_property
    def _below(self) -> list[int]:
        """The nodes that begin with the levels of the first attributes, for each number of these."""
        widths = [self.top[a] - self.floor[a] + 1 for a in self.order]
        return [prod(widths[first:]) for first in range(len(widths) + 1)]

    def prefix(self, levels: Node) -> Prefix | None:
        """Group the rows by the first levels; return None if these alone suppress too much."""
        if levels in self._known:
            self._known.move_to_end(levels)
            return self._known[levels]
        if levels:
            before = self.prefix(levels[:-1])
            made = None if before is None else self._refine(before, levels[-1])
        else:
            made = self.root
        self._known[levels] = made
        self._held[0] += made.bytes if made else 200
        while self._held[0] > KEPT_BYTES:
            _, oldest = self._known.popitem(last=False)
            self._held[0] -= oldest.bytes if oldest else 200
        return made

    @cached_property
    def root(self) -> Prefix:
        """The empty prefix: the rows that differ at the lowest levels."""
        return self._merged(self._all, (), Parts(self._all.rows, self._all.starts, np.ones(1, np.bool_), 0))

    @cached_property
    def _all(self) -> Prefix:
        """Return all rows as one class."""
        rows = np.arange(len(self.table.weights), dtype=np.int32)
        return Prefix((), rows, self.table.weights, self.table.population, np.array([0, rows.size], np.int32), 0)

    @cached_property
    def _held(self) -> list[int]:
        return [0]

    def forget(self) -> None:
        """Free the memory of the groupings."""
        self._known.clear()
        self._held[0] = 0

    def _refine(self, before: Prefix, level: int) -> Prefix | None:
        """Group the rows by one more attribute; return None if that suppresses too much."""
        parts = self._parts(before, self.order[len(before.levels)], level)
        return None if parts is None else self._merged(before, (*before.levels, level), parts)

    def _parts(self, before: Prefix, attribute: int, level: int) -> Parts | None:
        """Split the classes of a prefix by an attribute at a level; return None if that suppresses too much."""
        numbers = self.numbered[attribute][level]
        places, starts = split(before.starts, before.rows, self.columns[attribute], numbers, int(numbers.max()) + 1)
        classes = self.classes(before, places, starts)
        good = self.demand.needed.satisfied(classes)
        for caps, secret in self.caps:
            good &= releasable(
                places, starts, before.rows, before.weights, self.demand.model.smallest, secret, *caps.arrays
            )
        failed = int(classes.rows[~good].sum())
        if not self.demand.allows(before.gone + failed) or not self.demand.nobody_told(classes):
            return None
        if self.leave_out and not self.demand.model.disjoint:
            return Parts(places, starts, good, failed)
        return Parts(places, starts, np.ones_like(good), 0)

    def _merged(self, before: Prefix, levels: Node, parts: Parts) -> Prefix:
        """Return the rows of good classes, those that are equal in all later attributes merged."""
        tails, count = self.suffixes[len(levels)]
        rows, starts, went = merge(parts.places, parts.starts, parts.good, before.rows, tails, count)
        weights = group_weights(before.weights, went, rows.size)
        people = None if before.people is None else group_weights(before.people, went, rows.size)
        return Prefix(levels, rows, weights, people, starts, before.gone + parts.failed)

    def classes(self, grouped: Prefix, places: Ints, starts: Ints) -> Classes:
        """Return the classes of a prefix's rows, or of these in another order."""

        def class_of() -> Ints:
            return np.repeat(np.arange(starts.size - 1, dtype=np.int32), np.diff(starts))

        def column(name: str) -> tuple[Ints, int]:
            codes, width = self.table.sensitive_column(name)
            return codes[grouped.rows[places]], width

        if self.table.units is not None:
            return classes_of_people(
                class_of(),
                self.table.units[grouped.rows[places]],
                weights=grouped.weights[places],
                classes=starts.size - 1,
                column=column,
                overall=self.table.overall,
            )

        def counts(name: str) -> Counts:
            codes, values = column(name)
            weights = grouped.weights[places]
            return Counts.of(codes, class_of(), weights=weights, classes=starts.size - 1, values=values)

        people = None if grouped.people is None else add_up(grouped.people, places, starts)
        return Classes(add_up(grouped.weights, places, starts), self.table.overall, counts, people)
