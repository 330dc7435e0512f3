"""Ruin and recreate: G. Schrimpf et al., Record breaking optimization results using the ruin and recreate principle.

Journal of Computational Physics 159 (2000), 139–171, doi:10.1006/jcph.1999.6413. A few neighbouring classes are
dissolved (ruin) and their rows form new classes by growing from random rows and moving (recreate); cheaper results are
kept and, at first, also slightly dearer ones. Neighbours are found in the order of the rows by their values, first by
one attribute, then by the next, with the attributes in another random order in each round, mostly those with few values
first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.algorithm import Progress
from shoal.algorithms.judge import Judge
from shoal.algorithms.local_recoding.verdict import verdict_of
from shoal.data.rows import order_by
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compilations import clock
from shoal.kernels.local_recoding.pair_costs import CODES_AT, COUNTED, KIND, Costs
from shoal.kernels.local_recoding.row_clusters import Measure, groups_of
from shoal.kernels.local_recoding.ruin_and_recreate import (
    BUSY,
    HOME,
    MAX_ROWS_IN_PAIRS,
    Proposal,
    Search,
    accept,
    recreate,
)
from shoal.kernels.local_recoding.verdicts import Conditions
from shoal.models import PrivacyModel
from shoal.system.interrupts import deferred

MAX_ROUNDS = 100  # orders of the rows
LONGEST_ROUND = 10**9  # cells, where the clock is looked at after each round
SORTING = 1000  # cells per row that are worth a new order
VERDICT = 50_000  # cells that could be examined in the time that passing on and judging a proposal takes
CELLS_PER_CALL = 5 * 10**7  # before Ctrl-C is answered
MAX_PROPOSALS = 64  # that are judged together; at most one class in as many is part of one
NO_RULES = np.zeros((0, 4), np.int64)
PARTS = 10**6  # that a probability is a number of
COOL = 16  # at the start, a result that costs more by this part of the dearest cell is still accepted


@dataclass(frozen=True)
class Pace:
    """How long a search goes on: a number of rounds, or some seconds, and the cells that a round examines."""

    rounds: int
    work: int
    seconds: float | None = None

    @classmethod
    def by_work(cls, shape: tuple[int, ...], smallest: int, each: int, most: int) -> Pace:
        """Return the pace for some cells per row and at most in total, in rounds of four small classes or more."""
        rows, columns = shape
        work = min(each * rows, most)
        rounds = max(
            1, min(MAX_ROUNDS, work // max(1, SORTING * rows, min(4 * smallest, MAX_ROWS_IN_PAIRS) ** 2 * columns))
        )
        return cls(rounds, max(1, work // rounds))

    @classmethod
    def by_clock(cls, rows: int, seconds: float) -> Pace:
        """Return the pace for some seconds; the first round shows how much can be done in them."""
        return cls(0, max(10**7, SORTING * rows), seconds)

    def shares(self) -> Iterator[float]:
        """Yield the share of the work that is done, before each round."""
        if self.seconds is None:
            yield from (number / self.rounds for number in range(self.rounds))
            return
        start = clock()
        while (passed := clock() - start) < self.seconds:
            yield passed / self.seconds

    def next_work(self, done: int, share: float) -> int:
        """Return the cells that the next round examines, if so many were in a share of the seconds.

        There are about MAX_ROUNDS rounds of equal work, too, unless they were too short or too long.
        """
        if self.seconds is None or share == 0:
            return self.work
        total = int(done / share)
        return max(self.work, min(total // MAX_ROUNDS, total - done, LONGEST_ROUND))


@dataclass
class Rounds:
    """The rounds of a whole search: how many were done, how many may be done, and whether Ctrl-C ended it."""

    most: int | None = None
    done: int = 0
    stopped: bool = False

    @property
    def over(self) -> bool:
        """Whether no more may be done."""
        return self.stopped or (self.most is not None and self.done >= self.most)


@dataclass(eq=False)
class Recreation:
    """The classes of a table while they form anew, round by round; `best` has the best so far, which cost `least`."""

    costs: Costs
    conditions: Conditions
    cells: Ints  # the codes of the rows, and the values that conditions count
    attributes: int
    values: Longs  # how many different ones each attribute has
    smallest: int
    search: Search
    random: np.random.RandomState
    dearest: int  # what a cell costs at most
    cost: int
    best: Ints
    least: int
    judge: Judge | None = None  # of models without a compiled verdict
    pressed: Callable[[], bool] = lambda: False
    cut_short: bool = False  # whether Ctrl-C ended the last round early

    @classmethod
    def of(
        cls, table: Table, model: PrivacyModel, measure: Measure, ids: Ints, seed: int, judge: Judge | None = None
    ) -> Recreation:
        """Start with classes that satisfy the model."""
        verdict = verdict_of(table, model) if judge is None else None
        conditions, values = verdict or (Conditions(NO_RULES, NO_RULES[0:0, 0]), np.zeros((len(ids), 0), np.int32))
        codes = np.ascontiguousarray(table.codes)
        classes = int(ids.max(initial=-1)) + 1
        count = max(classes, min(len(ids), table.rows // model.smallest))
        groups = groups_of(measure, codes, table.weights, ids, np.zeros(count, np.int64))
        random = np.random.RandomState(seed)
        sizes = [int(column.max(initial=-1)) + 1 for column in values.T]
        nothing = np.zeros(count, np.int64)
        search = Search(
            rows=np.stack([groups.home, groups.after, table.weights], axis=1),
            clusters=np.stack([groups.head, groups.number, groups.size, groups.total, nothing], axis=1),
            order=np.zeros((2, len(ids)), np.int64),
            spare=np.concatenate([np.arange(classes, count), np.zeros(classes, np.int64), [count - classes]]),
            random=np.array([random.randint(1, 2**31)], np.uint64),
            rank_of=np.full(int(measure.space.size.sum()) + sum(sizes), -1, np.int32),
        )
        space, price = measure.space, measure.price
        return cls(
            costs=costs_of(measure, sizes),
            conditions=conditions,
            cells=np.concatenate([codes, values], axis=1),
            attributes=codes.shape[1],
            values=np.array([np.count_nonzero(np.bincount(column)) for column in codes.T], np.int64),
            smallest=model.smallest,
            search=search,
            random=random,
            dearest=int(price[-1] * measure.factor.max() if price.size else space.full.max()),
            cost=(cost := int((groups.size * groups.total).sum())),
            best=ids,
            least=cost,
            judge=judge,
        )

    def improve(self, pace: Pace, tell: Progress, rounds: Rounds) -> None:
        """Improve the classes, cooling down on the way, until the rounds of the whole search are over."""
        with deferred() as pressed:
            done = 0
            for share in pace.shares():
                rounds.stopped |= pressed()
                if rounds.over or self.settled:
                    break
                tell(share)
                self.pressed = pressed
                work = pace.next_work(done, share)
                self.round(int(self.dearest * (1 - share)) // COOL, work)
                rounds.done += not self.cut_short
                done += work
            rounds.stopped |= pressed()

    @property
    def settled(self) -> bool:
        """Whether nothing can be better: nothing is lost, or there are too few rows for two classes."""
        return self.least == 0 or len(self.search.clusters) < 2

    def round(self, heat: int, work: int) -> None:
        """Do one round of work with the rows in another order; a round that Ctrl-C ends early is discarded."""
        codes = self.cells[:, : self.attributes]
        order = order_by(codes, drawn(self.values, self.random))
        self.search.order[0] = order
        self.search.order[1, order] = np.arange(order.size)
        # Numbers of one type, as numba compiles a function for every type.
        smallest, warm = np.array([self.smallest, heat])
        if self.judge is None:
            self._unjudged(smallest, warm, work)
        else:
            self._judged(self.judge, smallest, warm, work)
        if self.cost < self.least and not self.cut_short:
            self.least = self.cost
            self.best = np.unique(self.search.rows[:, HOME], return_inverse=True)[1].astype(np.int32)

    def _unjudged(self, smallest: int, heat: int, work: int) -> None:
        """Work in slices, so that Ctrl-C is answered in between; the result is the same."""
        state = self.costs, self.conditions, self.search, self.cells
        while work > 0 and not self._stops():
            done = recreate(*state, smallest, heat, min(work, CELLS_PER_CALL), False)
            self.cost -= int(done.saved)
            work -= int(done.work)

    def _stops(self) -> bool:
        self.cut_short |= self.pressed()
        return self.cut_short

    def _judged(self, judge: Judge, smallest: int, heat: int, work: int) -> None:
        """Do the same with a model whose judge decides on proposals, several in one call."""
        state, busy = (self.costs, self.conditions, self.search, self.cells), self.search.clusters[:, BUSY]
        while work > 0 and not self._stops():
            proposals: list[Proposal] = []
            while work > 0 and len(proposals) <= min(MAX_PROPOSALS, len(busy) // MAX_PROPOSALS):
                proposal = recreate(*state, smallest, heat, min(work, CELLS_PER_CALL), True)
                work -= int(proposal.work)
                if not len(proposal.made) and work > 0:
                    if self._stops():
                        return
                    continue
                work -= VERDICT
                if len(proposal.made):
                    busy[proposal.gone] = 1
                    proposals.append(proposal)
            busy[:] = 0
            if proposals:
                self._accept(judge, proposals)

    def _accept(self, judge: Judge, proposals: list[Proposal]) -> None:
        """Accept the proposals whose classes satisfy the model."""
        ends = np.cumsum([0, *(len(proposal.made) for proposal in proposals)])
        rows = np.concatenate([proposal.rows for proposal in proposals])
        home = np.concatenate([proposal.home + end for proposal, end in zip(proposals, ends, strict=False)])
        good = judge.of(rows).satisfied_by(home.astype(np.int32), int(ends[-1]))
        for proposal, fine in zip(proposals, np.logical_and.reduceat(good, ends[:-1]), strict=True):
            if fine:
                accept(self.search, proposal)
                self.cost -= int(proposal.saved)


def drawn(values: Longs, random: np.random.RandomState) -> Longs:
    """Draw an order of attributes: each comes next with a probability inversely proportional to its number of values.

    So rows that are close agree in the first attributes often, and have close values in those that have many.
    """
    left, order = list(range(values.size)), []
    while left:
        ends = np.cumsum(PARTS // np.maximum(1, values[left]) + 1)
        order.append(left.pop(int(np.searchsorted(ends, random.randint(ends[-1]), side="right"))))
    return np.array(order, np.int64)


def costs_of(measure: Measure, counted: Sequence[int]) -> Costs:
    """Return what cells cost as few arrays, with columns of so many values that are only counted."""
    space, attributes = measure.space, len(measure.space.kind)
    codes = int(space.size.sum())
    own = np.repeat(np.arange(attributes), space.size)
    node_of = np.repeat(np.arange(attributes), np.diff([*space.nodes_at, space.parent.size]))
    attribute = np.zeros((attributes + len(counted), 6), np.int64)
    attribute[:attributes] = np.stack(
        [space.kind, space.codes_at[:attributes], space.full, space.step, space.missing, measure.factor], axis=1
    )
    attribute[attributes:, KIND] = COUNTED
    attribute[attributes:, CODES_AT] = codes + np.cumsum([0, *counted])[:-1]
    before = measure.before if measure.before.size else np.zeros(codes, np.int64)
    leaf = space.leaf_node + space.nodes_at[own]
    parent = space.parent + space.nodes_at[node_of]
    return Costs(
        attribute,
        np.stack([leaf, space.position, measure.weight, before], axis=1).astype(np.int64),
        np.stack([parent, space.high, space.cost], axis=1).astype(np.int64),
        measure.price,
    )
