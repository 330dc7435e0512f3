"""Sequential clustering: J. Goldberger, T. Tassa, Efficient anonymizations with enhanced utility (2010).

Transactions on Data Privacy 3(2), 149–175, algorithms 1 to 3; it has no DOI. The rows start in random clusters of αk.
One after another, rows move to the cluster where the cost of the table falls most, and a row alone always moves;
clusters of more than ωk rows are split at random; this repeats while rows move. Then the closest clusters below k rows
are united. For frequency ℓ-diversity the clusters are dealt by sensitive value, and both clusters must be ℓ-diverse
after a move. Departures: αk is rounded down, at least 1; passes also end when few rows move, as splitting and moving
can go on forever; a pass follows a split even if no row moved before it; no split follows the last pass, since nothing
would repair the halves; clusters that are not ℓ-diverse in the end join the closest, as for any other model; on request
rows of the same sensitive value change places afterwards, which leaves every cluster as diverse as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor
from typing import NamedTuple, get_args

import numpy as np

from shoal.algorithms.algorithm import Algorithm, Progress, check_seed, nobody
from shoal.algorithms.joining import check_groupable, joined
from shoal.algorithms.judge import judge_of
from shoal.algorithms.local_recoding.exchange import improved
from shoal.algorithms.row_moves import PAIRS_PER_CALL, MeasureName, diversity_of, measure_of, moves
from shoal.data.parameters import take_plain_numbers
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.clustering import sequential as kernel
from shoal.kernels.clustering.sequential import LARGEST_INT, Known, Partners
from shoal.kernels.local_recoding.row_clusters import Groups, groups_of, unite
from shoal.models import PrivacyModel
from shoal.models.exact import fraction


class Start(NamedTuple):
    """The result of one random start: the cost, the cluster of each row, and how many rows each pass moved."""

    cost: int
    ids: Ints
    moved: tuple[int, ...]


@dataclass(frozen=True)
class SequentialClustering(Algorithm):
    """Move the rows, one after another, to the cluster where they cost least.

    measure   what a cluster costs: "loss", LM, "certainty_penalty", NCP, or "entropy", the bits of the paper's MI.
    alpha     the clusters start with alpha·k rows.
    omega     clusters of more than omega·k rows are split.
    starts    number of random starts, of which the best is kept.
    stop      the passes end when fewer than this share of the rows has moved; 0: when none has.
    passes    the most passes.
    exchange  let rows change places with rows of the same sensitive values in the end, too.
    """

    measure: MeasureName = "loss"
    alpha: float = 0.5
    omega: float = 1.5
    starts: int = 1
    stop: float = 0.01
    passes: int = 30
    seed: int = 0
    exchange: bool = False

    name = "sequential"
    title = "sequential clustering"
    summary = "moves rows until nothing improves"

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        if self.measure not in list(get_args(MeasureName)):
            choices = ", ".join(get_args(MeasureName))
            raise InputError(f"SequentialClustering's measure is one of {choices}, not {self.measure!r}.")
        fraction("SequentialClustering's alpha", self.alpha, at_most="1")
        fraction("SequentialClustering's omega", self.omega, at_least="1")
        fraction("SequentialClustering's stop", self.stop, at_most="1")
        for name in ("starts", "passes"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise InputError(f"SequentialClustering's {name} is a whole number from 1, not {number!r}.")
        if not isinstance(self.exchange, bool):
            raise InputError(f"SequentialClustering's exchange is True or False, not {self.exchange!r}.")
        check_seed("SequentialClustering", self.seed)

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress = nobody
    ) -> Recoding:
        """Let each cluster of the best start show its minimal generalization; nothing is suppressed."""
        return Recoding.of_groups(table, self.partition(table, model, progress=progress).ids)

    def partition(self, table: Table, model: PrivacyModel, *, progress: Progress = nobody) -> Start:
        """Return the best start, with clusters that fail the model joined."""
        check_groupable("SequentialClustering", model)
        run = _Run(self, table, model)
        judge = judge_of(table, model) if self.exchange else None

        def start(number: int) -> Start:
            def tell(share: float) -> None:
                progress((number + share) / self.starts)

            groups, moved = run.clusters(tell)
            ids = joined(table, np.unique(groups.home, return_inverse=True)[1].astype(np.int32), model)
            if judge is not None:
                ids = improved(table, ids, judge, run.measure, seed=self.seed)
            tell(1)
            return Start(run.cost(ids), ids, tuple(moved))

        return min((start(number) for number in range(self.starts)), key=lambda result: result.cost)


class _Run:
    """The algorithms of the paper on one table."""

    def __init__(self, chosen: SequentialClustering, table: Table, model: PrivacyModel) -> None:
        self.rows, self.k, self.passes = len(table.weights), model.smallest, chosen.passes
        self.begin = max(1, floor(fraction("alpha", chosen.alpha) * self.k))
        self.most = floor(fraction("omega", chosen.omega) * self.k)
        self.few = fraction("stop", chosen.stop) * self.rows
        self.codes = np.ascontiguousarray(table.codes)
        self.bulk = np.ones(self.rows, np.int64)
        self.measure = measure_of(table, chosen.measure)
        self.diversity = diversity_of(table, model)
        self.random = np.random.RandomState(chosen.seed)

    def clusters(self, tell: Progress) -> tuple[Groups, list[int]]:
        """Algorithms 1 and 2: return the clusters of one start, and how many rows each pass moved."""
        count = max(1, self.rows // self.begin)
        groups = self.groups_of(self.dealt(np.arange(self.rows), count), np.zeros(count, np.int64))
        memory = Known(np.full(self.rows, -1, np.int64), np.full(self.rows, -1, np.int64))
        moved: list[int] = []
        while True:
            # The number of passes is not known in advance, but later ones are quicker.
            time = len(moved) * self.rows
            state = self.measure, self.diversity, groups, memory, self.codes
            moved.append(moves(*state, time, 0, lambda share: tell(1 - 0.7 ** (len(moved) + share))))
            if moved[-1] < self.few or len(moved) == self.passes:
                break
            splits, groups = self.split(groups, time + self.rows)
            if moved[-1] == 0 and splits == 0:
                break
        self.unify(groups, lambda: tell(1 - 0.7 ** (len(moved) + 1)))
        return groups, moved

    def dealt(self, rows: Longs, clusters: int) -> Ints:
        """Algorithm 3: deal the rows to clusters in random order, one sensitive value after another."""
        order = self.random.permutation(rows.size)
        for values in self.diversity.values[rows].T[::-1]:
            order = order[np.argsort(values[order], kind="stable")]
        ids = np.empty(rows.size, np.int32)
        ids[order] = np.arange(rows.size) % clusters
        return ids

    def split(self, groups: Groups, time: int) -> tuple[int, Groups]:
        """Remove the empty clusters and split the large ones, unless a half would not be diverse."""
        full = groups.size > 0
        ids = (np.cumsum(full) - 1).astype(np.int32)[groups.home]
        changed = groups.changed[full].tolist()
        order = np.argsort(ids, kind="stable")
        ends = np.cumsum(groups.size[full])
        for large in np.flatnonzero(groups.size[full] > self.most).tolist():
            rows = order[ends[large] - groups.size[full][large] : ends[large]]
            half = self.dealt(rows, 2) == 1
            if self.diverse(rows[half]) and self.diverse(rows[~half]):
                ids[rows[half]] = len(changed)
                changed[large] = time
                changed.append(time)
        return len(changed) - ends.size, self.groups_of(ids, np.array(changed, np.int64))

    def diverse(self, rows: Longs) -> bool:
        """Return whether no sensitive value has too many of the rows."""
        limits = self.diversity.most[:, rows.size].tolist()
        return all(
            np.bincount(values).max() <= most
            for values, most in zip(self.diversity.values[rows].T, limits, strict=True)
        )

    def unify(self, groups: Groups, tell: Callable[[], None]) -> None:
        """Unite the two closest small clusters until at most one is left, which joins the closest cluster."""
        clusters = groups.size.size
        step = max(1, PAIRS_PER_CALL // clusters)
        partners = Partners(np.full(clusters, -1, np.int64), np.zeros(clusters, np.int64))
        for begin in range(0, clusters, step):
            end = min(begin + step, clusters)
            kernel.find_partners(self.measure, self.diversity, groups, partners, self.k, begin, end)
            tell()
        step = max(1, step // 8)
        while kernel.unify_small(self.measure, self.diversity, groups, partners, self.codes, self.k, step) == step:
            tell()
        every = np.arange(clusters)
        for small in np.flatnonzero((groups.size > 0) & (groups.size < self.k)).tolist():
            closest, _ = kernel.nearest(self.measure, self.diversity, groups, small, every, LARGEST_INT, LARGEST_INT)
            if closest >= 0:
                unite(self.measure, groups, self.codes, closest, small)

    def groups_of(self, ids: Ints, changed: Longs) -> Groups:
        """Return the clusters of a grouping."""
        groups: Groups = groups_of(self.measure, self.codes, self.bulk, ids, changed)
        return groups

    def cost(self, ids: Ints) -> int:
        """Return the cost of all rows of a grouping."""
        groups = self.groups_of(ids, np.zeros(int(ids.max(initial=0)) + 1, np.int64))
        return int((groups.size * groups.total).sum())
