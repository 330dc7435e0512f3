"""Local recoding: each class is made as coarse as its own rows need, so that equal values may show different labels.

The boxes of the generalization lattice are looked at from the cheapest to the dearest. A box that holds enough of the
rows that are left releases them as a class; as rows only ever leave, no box has to be looked at twice. What is left
over joins the class where it costs least. Numbers and orders without a tree are halved again and again for the boxes;
every class shows the least that covers its rows. Where it pays, Mondrian's partitions or sequential clustering take the
place of the boxes. Then neighbouring classes are dissolved and form anew, as long as there is time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite, isqrt
from numbers import Real
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms.algorithm import Progress, check_seed
from shoal.algorithms.mondrian import Mondrian
from shoal.algorithms.sequential_clustering import SequentialClustering
from shoal.boxes import lattice, steps_of
from shoal.errors import InputError
from shoal.grouping import check_groupable, joined
from shoal.kernels.boxes import next_boxes
from shoal.kernels.row_clusters import Measure
from shoal.models import FrequencyDiversity, KAnonymity, PrivacyModel
from shoal.moving import MeasureName, measure_of
from shoal.recoding import Recoding
from shoal.recreating import Pace, Recreation
from shoal.table import Table

Effort = Literal["fast", "balanced", "best"]
IntArray = NDArray[np.int32]
WINDOWS = 100  # steps from the cheapest box to the dearest
NODES = 20_000  # of the lattice that are looked at
FEW = 500  # rows left over that each look for a class of their own
WORK = {"fast": (3_000, 10**9), "balanced": (30_000, 3 * 10**9), "best": (600_000, 3 * 10**10)}
# pairs of rows that are looked at: for each row, and in all at most
PAIRS = 5 * 10**9  # of a row and a class that sequential clustering may look at
TOP = 1000  # the largest weight of an attribute, as a whole number


@dataclass(frozen=True)
class LocalRecoding:
    """Release the rows box by box, from the cheapest box on, then let neighbouring classes form anew.

    effort     "fast" (about a second for 30,000 rows), "balanced" (about ten), "best" (minutes), or a number of
               seconds, of which the result then depends on the machine.
    cells      "nodes": a column without a hierarchy shows its values or nothing; "free": ranges and sets, too.
    objective  what is to be least: "loss", LM; "certainty_penalty", NCP; "entropy", the bits of MI.
    weights    of the attributes in the objective, 1 where not given: {"age": 3, "sex": 0.5}.
    """

    effort: Effort | float = "balanced"
    cells: Literal["free", "nodes"] = "free"
    objective: MeasureName = "loss"
    weights: Mapping[str, float] | None = None
    seed: int = 0

    name: ClassVar[str] = "local"
    suppresses: ClassVar[bool] = False

    @property
    def needs_hierarchies(self) -> bool:
        """Whether columns without a hierarchy get one of all or nothing."""
        return self.cells == "nodes"

    def __post_init__(self) -> None:
        _check_effort(self.effort)
        if self.cells not in ("free", "nodes"):
            raise InputError(f"LocalRecoding's cells are free or nodes, not {self.cells!r}.")
        if self.objective not in get_args(MeasureName):
            known = ", ".join(get_args(MeasureName))
            raise InputError(f"LocalRecoding's objective is one of {known}, not {self.objective!r}.")
        for name, weight in (self.weights or {}).items():
            if isinstance(weight, bool) or not isinstance(weight, Real) or not (isfinite(weight) and weight >= 0):
                raise InputError(f"The weight of {name!r} must be a number of at least 0, not {weight!r}.")
        check_seed("LocalRecoding", self.seed)

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Recoding:
        """Let each class show its minimal generalization; suppresses nothing."""
        check_groupable("LocalRecoding", model)
        began, tell = time.monotonic(), progress or (lambda share, note="": None)
        measure = measure_of(table, self.objective, self.whole_weights(table))
        small, place = table.distinct(sensitive=model.uses_sensitive)
        ids = released(small, model, measure, lambda share: tell(share / 10))[place]
        ids = joined(table, np.unique(ids, return_inverse=True)[1].astype(np.int32), model)
        if not all(isinstance(part, KAnonymity | FrequencyDiversity) for part in model.parts):
            return Recoding.of_groups(table, ids)
        starts = [ids]
        if self.effort != "fast":
            starts.append(Mondrian().recode(table, model).ids)
        if self.effort == "best" and 4 * len(ids) ** 2 // model.smallest <= PAIRS:
            starts.append(SequentialClustering(alpha=0.25, seed=self.seed).partition(table, model).ids)
        tried = [Recreation.of(table, model, measure, ids, self.seed) for ids in starts]
        stopped = len(tried) > 1 and any(one.improve(self.trial(len(ids)), lambda share: tell(0.1)) for one in tried)
        best = min(tried, key=lambda one: one.least)
        if not stopped:
            loss = shown_loss(table, measure)
            best.improve(self.pace(len(ids), began), lambda share: tell(0.1 + 0.9 * share, loss(best.least)))
        return Recoding.of_groups(table, best.best)

    def pace(self, rows: int, began: float) -> Pace:
        """How long classes form anew."""
        if isinstance(self.effort, str):
            return Pace.by_work(rows, *WORK[self.effort])
        return Pace.by_clock(rows, self.effort - (time.monotonic() - began))

    def trial(self, rows: int) -> Pace:
        """How long the classes of one start form anew, before the best start is chosen."""
        if isinstance(self.effort, str):
            return Pace.by_work(rows, *WORK["fast"])
        return Pace.by_clock(rows, self.effort / 10)

    def whole_weights(self, table: Table) -> list[int] | None:
        """The weights of the attributes as whole numbers."""
        if not self.weights:
            return None
        for name in self.weights:
            if name not in table.quasi:
                raise InputError(f"{name!r} is no quasi-identifier: choose from {', '.join(table.quasi)}.")
        weights = [float(self.weights.get(name, 1)) for name in table.quasi]
        if max(weights) == 0:
            raise InputError("Every weight is 0: give at least one attribute a weight.")
        return [round(TOP * weight / max(weights)) for weight in weights]


def released(table: Table, model: PrivacyModel, measure: Measure, tell: Callable[[float], None]) -> IntArray:
    """The box that each row is released in, from the cheapest box on; rows left over have boxes of their own."""
    steps, heights = steps_of(table, measure)
    nodes, ends = lattice(steps, heights, table, NODES)
    codes = np.ascontiguousarray(table.codes)
    ids = np.full(len(table.weights), -1, np.int32)
    left, count = np.arange(len(table.weights)), 0
    costs = limits(int(ends.max()))
    for number, (above, upto) in enumerate(zip([-1, *costs], costs, strict=False)):
        node = -1
        while left.size:
            node, own = next_boxes(
                steps, nodes, ends, node + 1, codes, table.weights, left, above, upto, model.smallest
            )
            if node < 0:
                break
            own = _satisfying(table, left, own, model)
            ids[left[own >= 0]] = own[own >= 0] + count
            count += int(own.max(initial=-1)) + 1
            left = left[own < 0]
        tell((number + 1) / len(costs))
    ids[left] = count + (np.arange(left.size) if left.size <= FEW else 0)
    return ids


def limits(dearest: int) -> list[int]:
    """The ends of the windows of costs: i^1.5, as boxes are many where they are cheap, in whole numbers."""
    return [isqrt(dearest * dearest * number**3 // WINDOWS**3) for number in range(WINDOWS + 1)]


def _satisfying(table: Table, left: NDArray[np.int64], own: IntArray, model: PrivacyModel) -> IntArray:
    """The boxes without those that fail the model: −1."""
    if isinstance(model, KAnonymity):
        return own
    rows = left[own >= 0]
    part = replace(
        table, codes=table.codes[rows], sensitive_codes=table.sensitive_codes[rows], weights=table.weights[rows]
    )
    # What a class is compared with is the whole table.
    classes = part.classes(own[own >= 0])
    good = model.satisfied(replace(classes, sensitive=table.overall))
    return np.where(np.append(good, False)[own], own, np.int32(-1))


def shown_loss(table: Table, measure: Measure) -> Callable[[int], str]:
    """How a sum of costs is shown while the search goes on: as the mean of all cells, where they end at 1."""
    top = table.rows * int(measure.space.full.sum())
    return lambda cost: "" if measure.price.size else f"loss {cost / top:.4f}"


def _check_effort(effort: object) -> None:
    seconds = isinstance(effort, int | float) and not isinstance(effort, bool) and 0 < effort < inf
    if not seconds and effort not in get_args(Effort):
        known = ", ".join(get_args(Effort))
        raise InputError(f"LocalRecoding's effort is {known} or a number of seconds above 0, not {effort!r}.")
