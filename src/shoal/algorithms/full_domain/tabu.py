"""Tabu search for a good node of a large lattice: F. Glover, Tabu search, part I (1989), doi:10.1287/ijoc.1.3.190.

Each step goes to the best node one level up or down of one attribute, except to levels that were left a few steps ago,
even if it is worse than the last one. Nodes that suppress too many rows are allowed at a price, which rises while the
search is among them and falls while it is not. It looks at a given amount of work, whatever the clock says, and only
proposes: the node that it finds is judged like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import numpy as np

from shoal.algorithms.full_domain.lattice import Lattice
from shoal.algorithms.full_domain.objective import Objective
from shoal.algorithms.full_domain.prefixes import Node, Prefix
from shoal.kernels.arrays import Floats, Ints, Longs
from shoal.kernels.lattice import small_classes

MAX_NODES = 6000  # to look at
MAX_SHARE = 1 / 2000  # of all nodes
MAX_WORK = 200_000_000  # rows times nodes
MIN_NODES = 600  # to look at, however many rows there are: about one way down from the top
STEPS = 60  # from one start
STARTS = 30
TENURES = (3, 5, 8)  # steps for which a level is tabu, up to twice as many


@dataclass(eq=False)
class Tabu:
    """A search among the nodes of a lattice, for classes that are judged by their size and cells that add up."""

    lattice: Lattice
    objective: Objective
    over: Callable[[], bool]  # whether to stop
    best: Node | None = None
    cost: float = inf
    _known: dict[Node, tuple[float, int]] = field(default_factory=dict)

    def run(self) -> Node | None:
        """Search from the top, then from random nodes and near the best one; return the best node."""
        random = np.random.RandomState(0)
        low, high = np.array(self.lattice.floor), np.array(self.lattice.top)
        for start in range(STARTS):
            node = high
            if start >= len(TENURES) and start % 2 and self.best:
                node = np.clip(np.array(self.best) + random.randint(-1, 2, low.size, np.int64), low, high)
            elif start >= len(TENURES):
                node = random.randint(low, high + 1, dtype=np.int64)
            self._walk(tuple(node.tolist()), TENURES[start % len(TENURES)], random)
            if self._enough():
                break
        return self.best

    def _walk(self, node: Node, tenure: int, random: np.random.RandomState) -> None:
        """Go from node to node, away from levels that were left a few steps ago."""
        limit, rows = self.lattice.max_suppressed, self.lattice.rows
        price = 1.0
        tabu: dict[tuple[int, int], int] = {}  # until which step an attribute does not go back to a level
        for step in range(STEPS):
            if self._enough():
                return
            here = _Place(self, node)
            before, options = self.cost, []
            for attribute, other in self._neighbours(node):
                cost, gone = self._look_at(here, attribute, other)
                free = tabu.get((attribute, other[attribute]), -1) < step or (gone <= limit and cost < before)
                if free:
                    options.append((cost + price * max(0, gone - limit) / rows, other, attribute, gone))
            if not options:
                return
            _, other, attribute, gone = min(options)
            tabu[attribute, node[attribute]] = step + tenure + int(random.randint(tenure, dtype=np.int64))
            node = other
            price = min(20.0, price * 1.15) if gone > limit else max(0.05, price / 1.15)

    def _neighbours(self, node: Node) -> Iterator[tuple[int, Node]]:
        """Yield the nodes one level up or down of one attribute, with the attribute."""
        for attribute, level in enumerate(node):
            for other in (level - 1, level + 1):
                if self.lattice.floor[attribute] <= other <= self.lattice.top[attribute]:
                    yield attribute, (*node[:attribute], other, *node[attribute + 1 :])

    def _look_at(self, here: _Place, attribute: int, node: Node) -> tuple[float, int]:
        """Return what a node beside this place costs, and how many rows it suppresses."""
        if node not in self._known:
            cost, gone = here.beside(attribute, node[attribute])
            self._known[node] = cost, gone
            if gone <= self.lattice.max_suppressed and gone < self.lattice.rows and cost < self.cost:
                self.best, self.cost = node, cost
        return self._known[node]

    def _enough(self) -> bool:
        return len(self._known) >= self.nodes or self.over()

    @cached_property
    def nodes(self) -> int:
        """How many nodes to look at."""
        by_rows = MAX_WORK // max(1, self.rows.weights.size)
        return max(MIN_NODES, min(MAX_NODES, by_rows, int(self.lattice.nodes * MAX_SHARE)))

    @cached_property
    def rows(self) -> Prefix:
        """The rows that differ at the lowest levels."""
        return self.lattice.root

    @cached_property
    def columns(self) -> list[Ints]:
        """The codes of these rows, for each attribute."""
        return [codes[self.rows.rows] for codes in self.lattice.columns]

    @cached_property
    def keys(self) -> list[Longs]:
        """For each attribute a random number for what each value shows at each level: levels × values."""
        random = np.random.RandomState(0)
        limits = np.iinfo(np.int64)
        return [
            np.stack([random.randint(limits.min, limits.max, line.size, np.int64)[line] for line in shown])
            for shown in self.lattice.numbered
        ]

    @cached_property
    def gaps(self) -> list[Floats]:
        """For each attribute how much more each value costs suppressed than at each level: levels × values."""
        return [hidden - cells for hidden, cells in zip(self.objective.hidden, self.objective.cells, strict=True)]

    @cached_property
    def least(self) -> list[Floats]:
        """For each attribute what its levels cost if nothing is suppressed."""
        return [
            (cells * np.bincount(codes, self.rows.weights, cells.shape[1])).sum(axis=1)
            for cells, codes in zip(self.objective.cells, self.columns, strict=True)
        ]

    @cached_property
    def room(self) -> tuple[Longs, Ints]:
        """Room for the hash table of the classes."""
        rows = self.rows.weights.size
        return np.empty((2, 2 << rows.bit_length()), np.int64), np.empty(rows, np.int32)


class _Place:
    """The node where a search is: the key and the gap of each row."""

    def __init__(self, search: Tabu, node: Node) -> None:
        self.search, self.node = search, node

    @cached_property
    def _rows(self) -> tuple[Longs, Floats]:
        search = self.search
        keys, gaps = np.zeros(search.rows.weights.size, np.int64), np.zeros(search.rows.weights.size)
        for column, key, gap, level in zip(search.columns, search.keys, search.gaps, self.node, strict=True):
            keys += key[level][column]
            gaps += gap[level][column]
        return keys, gaps

    def beside(self, attribute: int, level: int) -> tuple[float, int]:
        """Return the cost of this node with another level of an attribute, and the rows that it suppresses."""
        search, own = self.search, self.node[attribute]
        gone, extra = small_classes(
            *self._rows,
            search.columns[attribute],
            search.keys[attribute][level] - search.keys[attribute][own],
            search.gaps[attribute][level] - search.gaps[attribute][own],
            search.rows.weights,
            search.lattice.model.smallest,
            *search.room,
        )
        levels = (*self.node[:attribute], level, *self.node[attribute + 1 :])
        whole = sum(float(least[at]) for least, at in zip(search.least, levels, strict=True))
        return (whole + extra) / search.lattice.rows, gone
