"""Full-domain: the best node of the whole lattice, by branch and bound.

A branch is a prefix: the levels of the first attributes. Grouped by these alone, with the others at the top, it already
suppresses rows that are suppressed at every node of the branch, and each level of one more attribute suppresses others;
what all that costs at least is the bound of a branch. The branch of the lowest bound is followed down to a node, the
others wait their turn, and the search ends when none of them can be better than the best node found.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import permutations
from math import fsum, inf, isfinite
from numbers import Real
from operator import le
from typing import ClassVar

import numpy as np

from shoal.algorithms.algorithm import Progress
from shoal.errors import InfeasibleError, InputError
from shoal.kernels.lattice import look_ahead, spend
from shoal.lattice import Explored, Judged, Lattice, Node, Prefix
from shoal.models import PrivacyModel
from shoal.objectives import OBJECTIVES, WEIGHTED, Objective
from shoal.table import Table

LARGE = 100_000  # nodes, from which on a good node is looked for before the search
WAITING = 1 << 20  # branches that wait for their turn; more are gone through at once, depth first
SLACK = 1e-10  # of a bound, for what rounding may have added to it
SAME = 1e-12  # costs as near as this are equal: the smaller vector of levels is taken


@dataclass(frozen=True)
class FullDomain:
    """The node of the lowest cost among all that satisfy the model; ties to the smallest vector.

    objective   "loss", "loss_geometric", "non_uniform_entropy", "discernibility", "average_class_size", "precision"
                or "height" (of the lowest nodes that of the lowest loss).
    weights     of the attributes in the objective, 1 where not given: {"age": 3, "sex": 0.5}.
    levels      the level of an attribute, or the lowest and the highest: {"zip": 2, "age": (1, 3)}.
    time_limit  seconds after which the best node found so far is taken, with a bound on what is left; None: no limit.
    """

    objective: str = "loss"
    weights: Mapping[str, float] | None = None
    levels: Mapping[str, int | tuple[int, int]] | None = None
    time_limit: float | None = 60.0

    name: ClassVar[str] = "full-domain"
    needs_hierarchies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise InputError(f"FullDomain's objective is one of {', '.join(OBJECTIVES)}, not {self.objective!r}.")
        if self.weights and self.objective not in WEIGHTED:
            raise InputError(f"Weights are for the objectives {', '.join(WEIGHTED)}: {self.objective} has none.")
        for name, weight in (self.weights or {}).items():
            if isinstance(weight, bool) or not isinstance(weight, Real) or not (isfinite(weight) and weight >= 0):
                raise InputError(f"The weight of {name!r} must be a number of at least 0, not {weight!r}.")
        limit = self.time_limit
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, Real) or not limit > 0):
            raise InputError(f"FullDomain's time_limit is a number of seconds above 0, or None, not {limit!r}.")
        _ranges(self.levels)

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Explored:
        """Search the lattice, for `time_limit` seconds at most."""
        for name in (*(self.weights or {}), *(self.levels or {})):
            if name not in table.quasi:
                raise InputError(f"{name!r} is no quasi-identifier: choose from {', '.join(table.quasi)}.")
        entropy = self.objective == "non_uniform_entropy"
        lattice = Lattice.of(table, model, max_suppressed, levels=_ranges(self.levels), leave_out=not entropy)
        weights = [float((self.weights or {}).get(name, 1)) for name in table.quasi]
        total = fsum(weights)
        if total == 0:
            raise InputError("Every weight is 0: give at least one attribute a weight.")
        objective = OBJECTIVES[self.objective](lattice, [weight / total for weight in weights])
        search = Search(lattice, objective, progress, inf if self.time_limit is None else float(self.time_limit))
        search.run()
        if search.best is None:
            if search.stopped:
                raise InfeasibleError(
                    f"No node that satisfies {model} was found within {self.time_limit} seconds: give time_limit more.",
                    achievable=model.reach(table.whole()),
                )
            raise lattice.infeasible()
        return lattice.recoding(
            search.best.node,
            objective=self.objective,
            value=objective.value(search.cost),
            bound=objective.value(min(search.bound, search.cost)),
            closed=search.closed,
            stopped=search.stopped,
        )


@dataclass
class Search:
    """A branch and bound over the prefixes of a lattice."""

    lattice: Lattice
    objective: Objective
    progress: Progress | None
    seconds: float
    best: Judged | None = None
    cost: float = inf
    bound: float = 0.0  # no node that is not closed costs less
    closed: int = 0
    stopped: str = ""
    _start: float = field(default_factory=time.monotonic)

    def run(self) -> None:
        """Look at branches until none can be better, the time is over, or Ctrl-C; keeps the best node found."""
        self.closed = self.lattice.nodes - self.lattice.below(())
        waiting: list[tuple[float, Node]] = [(0.0, ())]
        branch = waiting[0]
        following: list[tuple[float, Node]] = []
        try:
            if self._judge(self.lattice.top):
                self._descend()
            while waiting and not self.stopped:
                following.append(heappop(waiting))
                while following and not self.stopped:
                    branch = following.pop()
                    if self._over():
                        self.stopped = "time limit"
                    elif branch[0] > self._limit():
                        self.closed += self.lattice.below(branch[1])
                    elif len(branch[1]) == len(self.lattice.order):
                        self.closed += 1
                        if self._judge(self.lattice.node(branch[1])):
                            self._descend()
                    else:
                        self._follow(branch[1], waiting, following)
        except KeyboardInterrupt:
            if self.best is None:
                raise
            self.stopped = "interrupted"
        left = [branch, *following, *waiting[:1]] if self.stopped else []
        self.bound = min((bound for bound, _ in left), default=self.cost)

    def _follow(self, levels: Node, waiting: list[tuple[float, Node]], following: list[tuple[float, Node]]) -> None:
        """Go on with the best of the branches of a branch, and let the others wait."""
        prefix = self.lattice.prefix(levels)
        branches = [] if prefix is None else self._branches(prefix)
        good = sorted((branch for branch in branches if branch[0] <= self._limit()), reverse=True)
        self.closed += self.lattice.below(levels) - sum(self.lattice.below(below) for _, below in good)
        for branch in good[:-1]:
            if len(waiting) < WAITING:
                heappush(waiting, branch)
            else:
                following.append(branch)
        following += good[-1:]

    def _branches(self, prefix: Prefix) -> list[tuple[float, Node]]:
        """The branches of a prefix with their bounds, without those that suppress too many rows."""
        lattice, objective = self.lattice, self.objective
        rows, rest = lattice.rows, lattice.order[len(prefix.levels) :]
        settled, gaps = self._settled(prefix)
        shares, suppressed, extras = [], [], []
        for attribute in rest:
            low, high = lattice.floor[attribute], lattice.top[attribute] + 1
            gone, own, extra, spread = look_ahead(
                prefix.starts,
                prefix.rows,
                lattice.columns[attribute],
                prefix.weights,
                gaps,
                lattice.numbered[attribute][low:high],
                objective.cells[attribute][low:high],
                objective.hidden[attribute],
                lattice.model.smallest,
                objective.entropy,
            )
            gone += prefix.gone
            own += prefix.gone * objective.hidden[attribute]
            share = objective.share(attribute, np.arange(low, high), own / rows, spread)
            share[(gone > lattice.max_suppressed) | (gone >= rows)] = inf
            shares.append(share)
            suppressed.append(gone)
            extras.append(extra / rows)
        bounds = settled + shares[0] + extras[0] + fsum(float(share.min()) for share in shares[1:])
        bounds = np.maximum(bounds, objective.floor(prefix, suppressed[0])).tolist()
        lowest = lattice.floor[rest[0]]
        return [(bound, (*prefix.levels, lowest + i)) for i, bound in enumerate(bounds) if bound < inf]

    def _settled(self, prefix: Prefix) -> tuple[float, np.ndarray]:
        """What the levels of a prefix cost at least, and what each of its rows would cost more if suppressed."""
        lattice, objective = self.lattice, self.objective
        shares, gaps = [0.0], np.zeros(prefix.rows.size)
        for attribute, level in zip(lattice.order, prefix.levels, strict=False):
            cells, hidden = objective.cells[attribute][level], objective.hidden[attribute]
            own = spend(prefix.rows, lattice.columns[attribute], prefix.weights, cells, hidden, gaps)
            mean = np.array([(own + prefix.gone * hidden) / lattice.rows])
            shares.append(float(objective.share(attribute, np.array([level]), mean, np.zeros(1))[0]))
        return fsum(shares), gaps if objective.linear else np.zeros_like(gaps)

    def _descend(self) -> None:
        """From the best node on, one attribute finer at a time, or one finer and one coarser, while that is better."""
        start = None
        while self.lattice.nodes > LARGE and self.best and self.best.node != start and not self._over():
            start = self.best.node
            self._try([_moved(start, {a: -1}) for a in range(len(start))])
            if self.best.node == start:
                pairs = list(permutations(range(len(start)), 2))
                self._try([_moved(start, {a: -down, b: up}) for a, b in pairs for down in (1, 2) for up in (1, 2)])

    def _try(self, nodes: list[Node]) -> None:
        """Judge the nodes that could be better, those with the least to lose first."""
        lattice = self.lattice
        inside = [node for node in nodes if all(map(le, lattice.floor, node)) and all(map(le, node, lattice.top))]
        costs = {node: fsum(shares[level] for shares, level in zip(self._least, node, strict=True)) for node in inside}
        for node in sorted(inside, key=lambda node: (costs[node], node)):
            if costs[node] > self._limit() or self._over():
                break
            self._judge(node)

    @cached_property
    def _least(self) -> list[list[float]]:
        """Of each attribute, what each level costs where nothing is suppressed."""
        lattice, objective = self.lattice, self.objective
        found = []
        for attribute, codes in enumerate(lattice.columns):
            values = np.bincount(codes, lattice.table.weights, len(lattice.trees[attribute].leaf_nodes))
            own = (objective.cells[attribute] * values).sum(axis=1) / lattice.rows
            found.append(objective.share(attribute, np.arange(own.size), own, np.zeros(own.size)).tolist())
        return found

    def _judge(self, node: Node) -> bool:
        """Whether a node is better than the best so far, which it then is."""
        judged = self.lattice.judge(node)
        if judged is None:
            return False
        cost = self.objective.cost(judged)
        near = SAME * max(1.0, abs(cost))
        smaller = self.best is not None and judged.node < self.best.node
        better = cost < self.cost - near or (cost <= self.cost + near and smaller)
        if better:
            self.best, self.cost = judged, cost
        return better

    def _limit(self) -> float:
        """The bound above which a branch holds nothing better."""
        return self.cost + SLACK * max(1.0, abs(self.cost)) if self.best else inf

    def _over(self) -> bool:
        if self.progress:
            self.progress(self._share())
        return time.monotonic() - self._start > self.seconds

    def _share(self) -> float:
        """How far the search is: the share of closed nodes, or of the time."""
        return max(self.closed / self.lattice.nodes, min(1.0, (time.monotonic() - self._start) / self.seconds))


def _moved(node: Node, moves: dict[int, int]) -> Node:
    return tuple(level + moves.get(attribute, 0) for attribute, level in enumerate(node))


def _ranges(levels: Mapping[str, int | tuple[int, int]] | None) -> dict[str, tuple[int, int]]:
    """The lowest and highest level of each attribute that has limits."""
    found = {}
    for name, given in (levels or {}).items():
        pair = (given, given) if isinstance(given, int) else tuple(given) if isinstance(given, tuple | list) else ()
        whole = all(isinstance(level, int) and not isinstance(level, bool) for level in pair)
        if len(pair) != 2 or not whole or not 0 <= pair[0] <= pair[1]:
            raise InputError(f"The levels of {name!r} are a whole number or a lowest and a highest one, not {given!r}.")
        found[name] = (pair[0], pair[1])
    return found
