"""Local recoding: each class is made as coarse as its own rows need, so that equal values may show different labels.

The boxes of the generalization lattice are looked at from the cheapest to the dearest. A box that holds enough of the
rows that are left releases them as a class; as rows only ever leave, no box has to be looked at twice. What is left
over joins the class where it costs least. Then rows move out of classes that can spare them to cheaper ones. Numbers
and orders without a tree are halved again and again for the boxes; every class shows the least that covers its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isqrt
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms.algorithm import Progress, check_seed
from shoal.algorithms.mondrian import Mondrian
from shoal.algorithms.sequential_clustering import AT_ONCE, SequentialClustering
from shoal.boxes import lattice, steps_of
from shoal.errors import InputError
from shoal.grouping import check_groupable, joined
from shoal.kernels.boxes import next_boxes
from shoal.kernels.row_clusters import groups_of
from shoal.kernels.sequential import Known, move_rows
from shoal.metrics import loss_sum
from shoal.models import FrequencyDiversity, KAnonymity, PrivacyModel
from shoal.moving import diversity_of, measure_of
from shoal.recoding import Recoding
from shoal.table import Table

Effort = Literal["fast", "balanced"]
IntArray = NDArray[np.int32]
WINDOWS = 100  # steps from the cheapest box to the dearest
NODES = 20_000  # of the lattice that are looked at
FEW = 500  # rows left over that each look for a class of their own
PAIRS = 5 * 10**9  # of a row and a class, in one pass of moves


@dataclass(frozen=True)
class LocalRecoding:
    """Release the rows box by box, from the cheapest box on, then let them move.

    effort  "fast": that alone; "balanced": also Mondrian's partitions and sequential clustering, each followed by
            moves, and the best of the three; tables too large for sequential clustering go without it.
    seed    of the sequential clustering.
    """

    effort: Effort = "fast"
    seed: int = 0

    name: ClassVar[str] = "local"
    needs_hierarchies: ClassVar[bool] = False
    suppresses: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.effort not in get_args(Effort):
            raise InputError(f"LocalRecoding's effort is {' or '.join(get_args(Effort))}, not {self.effort!r}.")
        check_seed("LocalRecoding", self.seed)

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Recoding:
        """Let each class show its minimal generalization; suppresses nothing."""
        check_groupable("LocalRecoding", model)
        tell = progress or (lambda share: None)
        part = 1.0 if self.effort == "fast" else 0.3
        small, place = table.distinct(sensitive=model.uses_sensitive)
        ids = self.released(small, model, lambda share: tell(0.8 * part * share))[place]
        ids = joined(table, np.unique(ids, return_inverse=True)[1].astype(np.int32), model)
        found = [moved(table, ids, model)]
        tell(part)
        if self.effort != "fast":
            found.append(moved(table, Mondrian().recode(table, model).ids, model))
            if 4 * len(ids) ** 2 // model.smallest <= PAIRS:
                clustering = SequentialClustering(alpha=0.25, seed=self.seed)
                ids = clustering.partition(table, model, progress=lambda share: tell(part + (1 - part) * share)).ids
                found.append(moved(table, ids, model))
        return min((Recoding.of_groups(table, ids) for ids in found), key=lambda recoding: loss_sum(table, recoding))

    def released(self, table: Table, model: PrivacyModel, tell: Callable[[float], None]) -> IntArray:
        """The box that each row is released in, from the cheapest box on; rows left over have boxes of their own."""
        steps, heights, full = steps_of(table)
        nodes, ends = lattice(steps, heights, table, NODES)
        codes = np.ascontiguousarray(table.codes)
        ids = np.full(len(table.weights), -1, np.int32)
        left, count = np.arange(len(table.weights)), 0
        costs = limits(full * len(table.quasi))
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


def moved(table: Table, ids: IntArray, model: PrivacyModel) -> IntArray:
    """The classes after rows have moved to cheaper ones, as long as any does and its own class stays large enough."""
    classes = int(ids.max(initial=0)) + 1
    plain = all(isinstance(part, KAnonymity | FrequencyDiversity) for part in model.parts)
    if not plain or len(ids) * classes > PAIRS or classes == 1:
        return ids
    measure, diversity = measure_of(table, "loss"), diversity_of(table, model)
    codes = np.ascontiguousarray(table.codes)
    groups = groups_of(measure, codes, ids, classes, np.zeros(classes, np.int64))
    known = Known(np.full(len(ids), -1, np.int64), np.full(len(ids), -1, np.int64))
    step = max(1, AT_ONCE // classes)
    for time in range(0, 10 * len(ids), len(ids)):
        moves = 0
        for begin in range(0, len(ids), step):
            end = min(begin + step, len(ids))
            moves += move_rows(measure, diversity, groups, known, codes, begin, end, time, model.smallest)
        if not moves:
            break
    return np.unique(groups.home, return_inverse=True)[1].astype(np.int32)
