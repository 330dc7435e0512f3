"""Lattice: the full-domain generalizations of a table, each a number of steps up for every quasi-identifier.

A node is a tuple of levels. Rows that show the same at a node also do at every node above it, so what a node's first
levels already suppress with the other attributes at the top is suppressed at every node that begins with them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import fsum, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.domain import TreeDomain
from shoal.errors import InfeasibleError, InputError
from shoal.hierarchy import Hierarchy
from shoal.kernels.groups import group_histogram, group_weights
from shoal.kernels.lattice import add_up, merge, split
from shoal.metrics.non_uniform_entropy import bits_of_all
from shoal.models import KAnonymity, PrivacyModel
from shoal.models.model import AllOf
from shoal.models.population import people_of
from shoal.recoding import Recoding
from shoal.table import Classes, Table, group_rows

Node = tuple[int, ...]
IntArray = NDArray[np.int32]
Weights = NDArray[np.int64]

KEPT_BYTES = 1 << 28  # of grouped rows, to go on from
KEPT_NODES = 1_000_000  # of the nodes that were judged, for the account of the search


@dataclass(frozen=True, eq=False)
class Prefix:
    """The rows with the first attributes generalized and the others raw, those that are equal put together."""

    levels: Node
    rows: IntArray  # one row of the table for each
    weights: Weights
    people: Weights | None
    starts: IntArray  # of the classes by the first attributes alone; the rows stand class by class
    gone: int  # rows left out, as they are suppressed at every node that begins so

    @property
    def bytes(self) -> int:
        """About what it takes in memory."""
        return 200 + self.rows.nbytes + self.weights.nbytes * (1 if self.people is None else 2) + self.starts.nbytes


class Parts(NamedTuple):
    """The classes of a prefix split by one more attribute."""

    places: IntArray  # of the rows, class by class
    starts: IntArray
    good: NDArray[np.bool_]  # the classes to go on with
    failed: int  # rows in the others


@dataclass(frozen=True, eq=False)
class Judged:
    """A node that satisfies the model: one row of each class, the classes' sizes, and how many rows it suppresses."""

    node: Node
    rows: IntArray
    sizes: Weights
    suppressed: int


@dataclass(frozen=True, eq=False)
class Explored(Recoding):
    """The release of a node, with the account of the search that chose it.

    `value` is that of the `objective`; no node that satisfies the model has a better one than `bound`, where one is
    proven. `closed` nodes were looked at or ruled out. `stopped` says what ended the search too early, if anything.
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
class Lattice:
    """The nodes over the distinct rows of a table, and the verdict of a model on each."""

    table: Table
    place: IntArray  # of each row of the whole table among the distinct rows
    model: PrivacyModel
    max_suppressed: int
    bottom: Node
    top: Node
    leave_out: bool = True  # rows that are suppressed at every node that begins with a prefix
    judged: list[Node] = field(default_factory=list)
    _known: OrderedDict[Node, Prefix | None] = field(default_factory=OrderedDict)

    @classmethod
    def of(
        cls,
        table: Table,
        model: PrivacyModel,
        max_suppressed: int = 0,
        *,
        levels: Mapping[str, tuple[int, int]] | None = None,
        leave_out: bool = True,
    ) -> Lattice:
        """The lattice of a table, over rows that are told apart by what the model looks at."""
        bare = [name for name, d in zip(table.quasi, table.domains, strict=True) if not isinstance(d, TreeDomain)]
        if bare:
            raise InputError(f"Column {bare[0]!r} needs a hierarchy: full-domain generalization goes up in one.")
        heights = {name: domain.hierarchy.height for name, domain in zip(table.quasi, _trees(table), strict=True)}
        limits = [_limits(name, height, levels or {}) for name, height in heights.items()]
        rows, place = table.distinct(sensitive=model.uses_sensitive)
        bottom, top = tuple(low for low, _ in limits), tuple(high for _, high in limits)
        return cls(rows, place, model, max_suppressed, bottom, top, leave_out)

    @cached_property
    def trees(self) -> list[Hierarchy]:
        """The hierarchy of each quasi-identifier."""
        return [domain.hierarchy for domain in _trees(self.table)]

    @cached_property
    def rows(self) -> int:
        """The number of rows of the whole table."""
        return self.table.rows

    @cached_property
    def nodes(self) -> int:
        """How many there are."""
        return prod(high - low + 1 for low, high in zip(self.bottom, self.top, strict=True))

    @cached_property
    def order(self) -> list[int]:
        """The attributes in the order of prefixes: those that tell the most rows apart first."""
        bits = bits_of_all(self.table)
        return sorted(range(len(self.trees)), key=lambda j: -bits[j])

    @cached_property
    def shown(self) -> list[IntArray]:
        """For each attribute, the tree node that each value shows at each level: levels × values."""
        return [
            np.stack([tree.ancestors(tree.leaf_nodes, steps) for steps in range(tree.height + 1)])
            for tree in self.trees
        ]

    @cached_property
    def numbered(self) -> list[IntArray]:
        """As `shown`, with the nodes of each level numbered from 0."""
        return [np.stack([np.unique(row, return_inverse=True)[1] for row in s]).astype(np.int32) for s in self.shown]

    @cached_property
    def columns(self) -> list[IntArray]:
        """The codes of each attribute."""
        return list(np.ascontiguousarray(self.table.codes.T))

    @cached_property
    def suffixes(self) -> list[tuple[IntArray, int]]:
        """For each number of first attributes, the rows numbered by all that is after them, and how many numbers."""
        rows = len(self.table.weights)
        tail, firsts = group_rows(
            list(np.ascontiguousarray(self.table.sensitive_codes.T)),
            [len(domain) for domain in self.table.sensitive_domains],
            rows,
        )
        tails = [(tail, max(1, firsts.size))]
        for attribute in reversed(self.order):
            lowest = self.numbered[attribute][self.floor[attribute]]
            widths = [int(lowest.max()) + 1, tails[-1][1]]
            tail, firsts = group_rows([lowest[self.columns[attribute]], tails[-1][0]], widths, rows)
            tails.append((tail, max(1, firsts.size)))
        return tails[::-1]

    @cached_property
    def floor(self) -> Node:
        """The lowest level of each attribute at which it does not suppress too much by itself."""
        return tuple(
            next((level for level in range(low, high) if self._possible(attribute, level)), high)
            for attribute, (low, high) in enumerate(zip(self.bottom, self.top, strict=True))
        )

    def _possible(self, attribute: int, level: int) -> bool:
        """Whether an attribute at a level, with all others at the top, does not suppress too much."""
        return self._parts(self._all, attribute, level) is not None

    @cached_property
    def needed(self) -> PrivacyModel:
        """The part of the model that a class cannot fail at a node and its rows satisfy at a node below."""
        parts: list[PrivacyModel] = [KAnonymity(self.model.smallest)]
        if self.max_suppressed:
            parts += [part for part in self.model.parts if part.monotone_with_suppression and part.per_class]
        else:
            parts += [part for part in self.model.parts if part.monotone]
        return AllOf(tuple(parts))

    @property
    def monotone(self) -> bool:
        """Whether every node above one that satisfies the model does, too."""
        return self.model.monotone_with_suppression if self.max_suppressed else self.model.monotone

    def below(self, levels: Node) -> int:
        """The number of nodes that begin with these levels, in the order of prefixes, and may be solutions."""
        return prod(self.top[a] - self.floor[a] + 1 for a in self.order[len(levels) :])

    def level(self, height: int) -> Iterator[Node]:
        """The nodes of one height, without those whose first levels alone suppress too much."""
        yield from self._level((), height)

    def _level(self, levels: Node, left: int) -> Iterator[Node]:
        if self.prefix(levels) is None:
            return
        rest = self.order[len(levels) :]
        if not rest:
            yield self.node(levels)
            return
        least = left - sum(self.top[a] for a in rest[1:])
        most = left - sum(self.floor[a] for a in rest[1:])
        for steps in range(max(self.floor[rest[0]], least), min(self.top[rest[0]], most) + 1):
            yield from self._level((*levels, steps), left - steps)

    def node(self, levels: Node) -> Node:
        """The node of a whole prefix."""
        return tuple(steps for _, steps in sorted(zip(self.order, levels, strict=True)))

    def prefix(self, levels: Node) -> Prefix | None:
        """The rows grouped by the first levels, or None where these alone suppress too much."""
        if levels in self._known:
            self._known.move_to_end(levels)
            return self._known[levels]
        if levels:
            before = self.prefix(levels[:-1])
            made = None if before is None else self._refine(before, levels[-1])
        else:
            made = self._merged(self._all, (), Parts(self._all.rows, self._all.starts, np.ones(1, np.bool_), 0))
        self._known[levels] = made
        self._held[0] += made.bytes if made else 200
        while self._held[0] > KEPT_BYTES:
            _, oldest = self._known.popitem(last=False)
            self._held[0] -= oldest.bytes if oldest else 200
        return made

    @cached_property
    def _all(self) -> Prefix:
        """All rows in one class."""
        rows = np.arange(len(self.table.weights), dtype=np.int32)
        return Prefix((), rows, self.table.weights, self.table.population, np.array([0, rows.size], np.int32), 0)

    @cached_property
    def _held(self) -> list[int]:
        return [0]

    def forget(self) -> None:
        """Give back the memory of what was grouped."""
        self._known.clear()
        self._held[0] = 0

    def _refine(self, before: Prefix, level: int) -> Prefix | None:
        """The rows grouped by one more attribute, or None where that suppresses too much."""
        parts = self._parts(before, self.order[len(before.levels)], level)
        return None if parts is None else self._merged(before, (*before.levels, level), parts)

    def _parts(self, before: Prefix, attribute: int, level: int) -> Parts | None:
        """The classes of a prefix split by an attribute at a level, or None where that suppresses too much."""
        numbers = self.numbered[attribute][level]
        places, starts = split(before.starts, before.rows, self.columns[attribute], numbers, int(numbers.max()) + 1)
        classes = self._classes(before, places, starts)
        good = self.needed.satisfied(classes)
        failed = int(classes.sizes[~good].sum())
        if not self._allowed(before.gone + failed) or not self._nobody_told(classes):
            return None
        if self.leave_out and not self.model.disjoint:
            return Parts(places, starts, good, failed)
        return Parts(places, starts, np.ones_like(good), 0)

    def _merged(self, before: Prefix, levels: Node, parts: Parts) -> Prefix:
        """The rows of good classes, those that are equal in what is after the levels put together."""
        tails, count = self.suffixes[len(levels)]
        rows, starts, went = merge(parts.places, parts.starts, parts.good, before.rows, tails, count)
        weights = group_weights(before.weights, went, rows.size)
        people = None if before.people is None else group_weights(before.people, went, rows.size)
        return Prefix(levels, rows, weights, people, starts, before.gone + parts.failed)

    def _classes(self, grouped: Prefix, places: IntArray, starts: IntArray) -> Classes:
        """The classes of a prefix's rows, or of these in another order."""

        def histogram(name: str) -> NDArray[np.int64]:
            place = self.table.sensitive.index(name)
            codes = self.table.sensitive_codes[grouped.rows[places], place]
            ids = np.repeat(np.arange(starts.size - 1, dtype=np.int32), np.diff(starts))
            width = len(self.table.sensitive_domains[place])
            return group_histogram(codes, grouped.weights[places], ids, starts.size - 1, width)

        people = None if grouped.people is None else add_up(grouped.people, places, starts)
        return Classes(add_up(grouped.weights, places, starts), self.table.overall, histogram, people)

    def judge(self, node: Node) -> Judged | None:
        """The verdict on a node: None where more rows than allowed are in classes that fail the model."""
        if len(self.judged) < KEPT_NODES:
            self.judged.append(node)
        possible = all(low <= level for low, level in zip(self.floor, node, strict=True))
        grouped = self.prefix(tuple(node[attribute] for attribute in self.order)) if possible else None
        if grouped is None:
            return None
        classes = self._classes(grouped, np.arange(grouped.rows.size, dtype=np.int32), grouped.starts)
        good = self._good(classes)
        suppressed = self.rows - int(classes.sizes[good].sum())
        if not self._allowed(suppressed):
            return None
        return Judged(node, grouped.rows[grouped.starts[:-1][good]], classes.sizes[good], suppressed)

    def _allowed(self, suppressed: int) -> bool:
        return suppressed <= self.max_suppressed and suppressed < self.rows

    def _good(self, classes: Classes) -> NDArray[np.bool_]:
        """For each class whether it may be released; a condition on all classes looks at those that others allow."""
        good = classes.sizes > 0
        if not self._nobody_told(classes):
            return np.zeros_like(good)
        for part in self.model.parts:
            if part.per_class:
                good &= part.satisfied(classes)
        for part in self.model.parts:
            if not part.per_class:
                good[good] = part.satisfied(classes.some(good))
        return good

    def _nobody_told(self, classes: Classes) -> bool:
        """Whether no people without a row learn more from their absence than a model of presence allows."""
        if not self.model.disjoint:
            return True
        absent = (classes.sizes == 0) & (people_of(classes) > 0)
        return all(part.satisfied(classes)[absent].all() for part in self.model.parts if part.disjoint)

    def losses(self, judged: Judged) -> list[float]:
        """LM of each attribute at a judged node: the mean over its cells, suppressed ones 1."""
        means = []
        for tree, shown, level, codes in zip(self.trees, self.shown, judged.node, self.columns, strict=True):
            rows = np.bincount(shown[level][codes[judged.rows]], judged.sizes, len(tree.labels))
            cells = (rows * tree.loss)[rows > 0]
            means.append(fsum([judged.suppressed, *cells.tolist()]) / self.rows)
        return means

    def loss(self, judged: Judged) -> Fraction:
        """LM of a judged node: the mean over all cells, without rounding."""
        cells = Fraction(0)
        for tree, shown, level, codes in zip(self.trees, self.shown, judged.node, self.columns, strict=True):
            covered = (tree.highs - tree.lows)[shown[level][codes[judged.rows]]]
            others = len(tree.leaf_nodes) - 1
            cells += judged.suppressed + (Fraction(int(covered @ judged.sizes), others) if others else 0)
        return cells / (self.rows * len(self.trees))

    def infeasible(self) -> InfeasibleError:
        """What is raised where no node satisfies the model."""
        reach = self.model.reach(self.table.whole())
        return InfeasibleError(f"No full-domain generalization satisfies {self.model}: {reach}.", achievable=reach)

    def regroup(self, node: Node) -> Recoding:
        """The distinct rows at a node, grouped from scratch; classes that fail the model are suppressed."""
        shown = [self.shown[j][level][self.columns[j]] for j, level in enumerate(node)]
        ids, firsts = group_rows(shown, [len(tree.labels) for tree in self.trees], len(self.table.weights))
        classes = self.table.classes(ids)
        good = self._good(classes) & (classes.sizes > 0)
        number = np.where(good, np.cumsum(good) - 1, -1).astype(np.int32)
        return Recoding(number[ids], classes.sizes[good], tuple(column[firsts[good]] for column in shown))

    def recoding(self, node: Node, **account: Any) -> Explored:
        """The release of a node: every class shows the node's labels, even where fewer steps would do."""
        small = self.regroup(node)
        return Explored(small.ids[self.place], small.sizes, small.shown, self, node, **account)


def _trees(table: Table) -> list[TreeDomain]:
    return [domain for domain in table.domains if isinstance(domain, TreeDomain)]


def _limits(name: str, height: int, levels: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    low, high = levels.get(name, (0, height))
    if low > height:
        raise InputError(f"Column {name!r} has levels 0 to {height}: {low} is above its hierarchy.")
    return low, min(high, height)
