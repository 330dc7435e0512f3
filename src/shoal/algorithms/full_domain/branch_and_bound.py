"""Branch and bound over the prefixes of a lattice.

A branch is a prefix: the levels of the first attributes. Grouped by these alone, with the others at the top, it already
suppresses rows that are suppressed at every node of the branch, and each level of one more attribute suppresses others;
a lower bound of what all that costs is the bound of the branch. The branch with the lowest bound is followed down to a
node, the others wait, and the search ends when none of them can be better than the best node found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import permutations
from math import inf
from operator import le
from weakref import WeakKeyDictionary

import numpy as np

from shoal.algorithms.full_domain.lattice import Judged, Lattice
from shoal.algorithms.full_domain.objective import Objective
from shoal.algorithms.full_domain.prefixes import Node, Prefix
from shoal.algorithms.full_domain.tabu import Tabu
from shoal.kernels.arrays import Floats, Ints, Longs
from shoal.kernels.compilations import clock
from shoal.kernels.lattice import look_ahead, look_ahead_at_values, lowest_level, spend
from shoal.system.interrupts import deferred

LARGE_LATTICE = 100_000  # nodes, above which a descent finds a good node before the search
MAX_WAITING = 1 << 20  # branches; further ones are searched immediately, depth first
SLACK = 1e-10  # of a bound, for rounding errors
SAME = 1e-12  # costs that differ by less are equal: the smaller vector of levels is taken


@dataclass
class Search:
    """A branch and bound over the prefixes of a lattice."""

    lattice: Lattice
    objective: Objective
    progress: Callable[[float], None]
    seconds: float
    best: Judged | None = None
    cost: float = inf
    bound: float = 0.0  # no open node costs less
    closed: int = 0
    stopped: str = ""
    _start: float = field(default_factory=clock)
    _pressed: Callable[[], bool] = lambda: False
    #: for each prefix the lowest level of each attribute that is possible without suppression, counted from the floor
    _lowest: WeakKeyDictionary[Prefix, list[int]] = field(default_factory=WeakKeyDictionary)

    def run(self) -> None:
        """Search until no branch can be better, the time is over, or Ctrl-C; the best node found is kept."""
        waiting: list[tuple[float, Node]] = []
        following: list[tuple[float, Node]] = []
        self.closed = self.lattice.nodes - self.lattice.below(())
        with deferred() as self._pressed:
            try:
                self._judge(self.lattice.top)
                self._follow((), waiting, waiting)
                heapify(waiting)
                self.bound = min(waiting, default=(inf, ()))[0]
                self._find_a_start()
                while waiting and not self.stopped:
                    following.append(heappop(waiting))
                    while following and not self.stopped:
                        self.bound = min(following[-1][0], *(bound for bound, _ in [*following, *waiting[:1]]))
                        self._look_at(following.pop(), waiting, following)
            except KeyboardInterrupt:
                if self.best is None:
                    raise
                self.stopped = "interrupted"
        if not self.stopped:
            self.bound = self.cost

    def _look_at(
        self, branch: tuple[float, Node], waiting: list[tuple[float, Node]], following: list[tuple[float, Node]]
    ) -> None:
        """Close a branch that is a node or cannot be better, or follow it."""
        bound, levels = branch
        if self._over():
            self.stopped = "time limit"
        elif bound > self._limit():
            self.closed += self.lattice.below(levels)
        elif len(levels) == len(self.lattice.order):
            self.closed += 1
            if self._judge(self.lattice.node(levels)):
                self._descend()
        else:
            self._follow(levels, waiting, following)

    def _follow(self, levels: Node, waiting: list[tuple[float, Node]], following: list[tuple[float, Node]]) -> None:
        """Continue with the best child of a branch, and let the others wait."""
        prefix = self.lattice.prefix(levels)
        branches = [] if prefix is None else self._branches(prefix)
        good = sorted((branch for branch in branches if branch[0] <= self._limit()), reverse=True)
        self.closed += self.lattice.below(levels) - sum(self.lattice.below(below) for _, below in good)
        for branch in good[:-1]:
            if len(waiting) < MAX_WAITING:
                heappush(waiting, branch)
            else:
                following.append(branch)
        following += good[-1:]

    def _branches(self, prefix: Prefix) -> list[tuple[float, Node]]:
        """Return the children of a prefix with their bounds, without those that suppress too many rows."""
        lattice = self.lattice
        make = self._bounds if lattice.max_suppressed else self._bounds_without_suppression
        bounds, suppressed = make(prefix, lattice.order[len(prefix.levels) :])
        bounds = np.maximum(bounds, self.objective.floor(prefix, suppressed))
        lowest = lattice.floor[lattice.order[len(prefix.levels)]]
        return [(bound, (*prefix.levels, lowest + i)) for i, bound in enumerate(bounds.tolist()) if bound < inf]

    def _bounds(self, prefix: Prefix, rest: list[int]) -> tuple[Floats, Longs]:
        """Return the bound of each level of the next attribute, and the rows that it suppresses at least."""
        lattice, objective, rows = self.lattice, self.objective, self.lattice.rows
        settled, gaps = self._settled(prefix)
        shares, suppressed, extras = [], [], []
        for attribute in rest:
            levels = np.arange(lattice.floor[attribute], lattice.top[attribute] + 1)
            gone, own, extra, spread = self._look_ahead(prefix, attribute, gaps, last=len(rest) == 1)
            gone += prefix.gone
            own += prefix.gone * objective.hidden[attribute]
            share = objective.share(attribute, levels, own / rows, spread)
            share[(gone > lattice.max_suppressed) | (gone >= rows)] = inf
            shares.append(share)
            suppressed.append(gone)
            extras.append(np.where(share < inf, extra / rows, inf))
        extra = np.maximum(extras[0], max((float(other.min()) for other in extras[1:]), default=0.0))
        others = [settled, *(float(share.min()) for share in shares[1:])]
        return np.array([objective.total([share, *others]) for share in (shares[0] + extra).tolist()]), suppressed[0]

    def _bounds_without_suppression(self, prefix: Prefix, rest: list[int]) -> tuple[Floats, Longs]:
        """Return the same if no row may be suppressed, so that a level costs the same wherever it is possible."""
        lattice, smallest, lowest = self.lattice, self.lattice.model.smallest, self._lowest_before(prefix)
        shares = []
        for attribute in rest:
            shown, least = self._levels[attribute]
            column, level = lattice.columns[attribute], lowest[attribute]
            level = lowest_level(prefix.starts, prefix.rows, column, prefix.weights, shown, smallest, level)
            shares.append([inf] * level + least[level:])
            lowest[attribute] = level
        self._lowest[prefix] = lowest
        settled = [self._least[a][level] for a, level in zip(lattice.order, prefix.levels, strict=False)]
        settled += map(min, shares[1:])
        bounds = [self.objective.total([share, *settled]) for share in shares[0]]
        return np.array(bounds), np.zeros(len(bounds), np.int64)

    def _lowest_before(self, prefix: Prefix) -> list[int]:
        """Return for each attribute the lowest level that is possible without the last attribute of the prefix."""
        before, none = self.lattice.prefix(prefix.levels[:-1]), [0] * len(self.lattice.order)
        return none if before is None else [*self._lowest.get(before, none)]

    def _look_ahead(
        self, prefix: Prefix, attribute: int, gaps: Floats, *, last: bool
    ) -> tuple[Longs, Floats, Floats, Floats]:
        """Return what each level of an attribute suppresses, costs, adds to the gaps, and the entropy it suppresses."""
        lattice, objective = self.lattice, self.objective
        low, high = lattice.floor[attribute], lattice.top[attribute] + 1
        work = (
            prefix.starts,
            prefix.rows,
            lattice.columns[attribute],
            prefix.weights,
            gaps,
            lattice.numbered[attribute][low:high],
            objective.cells[attribute][low:high],
            objective.hidden[attribute],
            lattice.model.smallest,
            lattice.max_suppressed - prefix.gone,
        )
        if objective.entropy or not lattice.caps:
            gone, own, extra, spread = look_ahead(*work, objective.entropy)
        else:
            gone, own, extra, spread = np.zeros(high - low, np.int64), *np.zeros((3, high - low))
        for caps, secret in lattice.caps:
            by_values = look_ahead_at_values(*work, secret, *caps.arrays, last)
            gone, own, extra = map(np.maximum, (gone, own, extra), by_values)
        return gone, own, extra, spread

    def _settled(self, prefix: Prefix) -> tuple[float, Floats]:
        """Return the least that the levels of a prefix cost, and how much more each row would cost suppressed."""
        lattice, objective = self.lattice, self.objective
        shares, gaps = [0.0], np.zeros(prefix.rows.size)
        for attribute, level in zip(lattice.order, prefix.levels, strict=False):
            cells, hidden = objective.cells[attribute][level], objective.hidden[attribute]
            own = spend(prefix.rows, lattice.columns[attribute], prefix.weights, cells, hidden, gaps)
            mean = np.array([(own + prefix.gone * hidden) / lattice.rows])
            shares.append(float(objective.share(attribute, np.array([level]), mean, np.zeros(1))[0]))
        return objective.total(shares), gaps if objective.linear else np.zeros_like(gaps)

    def _find_a_start(self) -> None:
        """Find a good node of a large lattice, with which more branches can be closed."""
        lattice, table = self.lattice, self.lattice.table
        by_size = all(part.by_size_alone for part in lattice.model.parts)
        rows_alone = table.units is None and table.population is None
        if lattice.nodes <= LARGE_LATTICE or not (by_size and rows_alone and self.objective.cells_only):
            self._descend()
            return
        search = Tabu(lattice, self.objective, lambda: self._over(0.5))
        try:
            search.run()
        finally:  # also at Ctrl-C
            if search.best is not None:
                self._judge(search.best)

    def _descend(self) -> None:
        """Descend from the best node, one attribute finer, or one finer and one coarser, while that is better."""
        start = None
        while self.lattice.nodes > LARGE_LATTICE and self.best and self.best.node != start and not self._over(0.5):
            start = self.best.node
            self._try([_moved(start, {a: -1}) for a in range(len(start))])
            if self.best.node == start:
                pairs = list(permutations(range(len(start)), 2))
                self._try([_moved(start, {a: -down, b: up}) for a, b in pairs for down in (1, 2) for up in (1, 2)])

    def _try(self, nodes: list[Node]) -> None:
        """Judge the nodes that could be better, those with the least to lose first."""
        lattice = self.lattice
        inside = [node for node in nodes if all(map(le, lattice.floor, node)) and all(map(le, node, lattice.top))]
        costs = {
            node: self.objective.total(shares[level] for shares, level in zip(self._least, node, strict=True))
            for node in inside
        }
        for node in sorted(inside, key=lambda node: (costs[node], node)):
            if costs[node] > self._limit() or self._over(0.5):
                break
            self._judge(node)

    @cached_property
    def _levels(self) -> list[tuple[Ints, list[float]]]:
        """For each attribute what its values show at the levels that may be solutions, and what these levels cost."""
        limits = list(zip(self.lattice.floor, self.lattice.top, strict=True))
        numbered = [lines[low : high + 1] for lines, (low, high) in zip(self.lattice.numbered, limits, strict=True)]
        costs = [own[low : high + 1] for own, (low, high) in zip(self._least, limits, strict=True)]
        return list(zip(numbered, costs, strict=True))

    @cached_property
    def _least(self) -> list[list[float]]:
        """Return for each attribute what each level costs if nothing is suppressed."""
        lattice, objective = self.lattice, self.objective
        least = []
        for attribute, counts in enumerate(lattice.counts):
            own = (objective.cells[attribute] * counts).sum(axis=1) / lattice.rows
            least.append(objective.share(attribute, np.arange(own.size), own, np.zeros(own.size)).tolist())
        return least

    def _judge(self, node: Node) -> bool:
        """Make a node the best if it is better than the best so far; return whether it is."""
        judged = self.lattice.judge(node)
        if judged is None:
            return False
        cost = self.objective.cost(judged)
        near = SAME * max(1.0, abs(cost))
        better = cost < self.cost - near or (cost <= self.cost + near and self._first(judged))
        if better:
            self.best, self.cost = judged, cost
        return better

    def _first(self, judged: Judged) -> bool:
        """Return whether a node comes before the best one, which costs the same."""
        if self.best is None:
            return True
        for own, other in zip(self.objective.ties(judged), self.objective.ties(self.best), strict=True):
            if abs(own - other) > SAME:
                return own < other
        return judged.node < self.best.node

    def _limit(self) -> float:
        """Return the bound above which a branch contains nothing better."""
        return self.cost + SLACK * max(1.0, abs(self.cost)) if self.best else inf

    def _over(self, share: float = 1.0) -> bool:
        """Return whether a share of the time is over."""
        if self._pressed():
            raise KeyboardInterrupt
        passed = min(1.0, (clock() - self._start) / self.seconds)
        self.progress(max(self.closed / self.lattice.nodes, passed))
        return clock() - self._start > share * self.seconds


def _moved(node: Node, moves: dict[int, int]) -> Node:
    return tuple(level + moves.get(attribute, 0) for attribute, level in enumerate(node))
