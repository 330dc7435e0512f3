"""Blocks: what the algorithm answers about each of them, and what their answers come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import Any, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.algorithms import Algorithm
from shoal.data.coding import Coding
from shoal.data.recoding import distinct
from shoal.data.table import Classes, Table
from shoal.errors import InputError
from shoal.metrics import METRICS, loss_by_attribute
from shoal.release.arguments import check_feasible, check_recoding, meanings
from shoal.release.cautions import Caution, cautions_by_values
from shoal.release.coarse_cuts import find_cuts
from shoal.release.plan import Plan
from shoal.release.release import Report, class_labels, one_per_label, parameters_of, versions
from shoal.release.solve import Tell, recode, was_interrupted
from shoal.release.verification import Promise

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Cost:
    """What the classes of a block cost."""

    rows: int
    metrics: Mapping[str, float]
    loss_by_attribute: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Answer:
    """The different rows of a block by their codes, the class of each, what each class shows, and what that costs."""

    codes: IntArray
    ids: IntArray
    labels: Mapping[str, list[str]]
    cost: Cost


@dataclass(frozen=True)
class Blocks:
    """How many blocks there are, how many cuts lie above one at most, and what one more cut would cost of the loss."""

    count: int
    depth: int
    different_rows: int
    cost_of_a_cut: float | None

    def to_dict(self) -> dict[str, Any]:
        """As a report tells it; a level of cuts is taken to cost half of what the next finer one does."""
        more = None if self.cost_of_a_cut is None else max(0.0, self.cost_of_a_cut)
        return {
            "blocks": self.count,
            "different_rows": self.different_rows,
            "loss_of_one_more_cut": more,
            "estimated_loss_of_cutting": None if more is None else more * (1 - 0.5**self.depth),
        }


def block_algorithm(algorithm: Algorithm) -> Algorithm:
    """Return the algorithm that works block by block in place of the one that was asked for."""
    found = getattr(algorithm, "for_blocks", None)
    if found is None:
        raise InputError(
            f"{algorithm.name} shows every value of a column at one level, which cannot be found block by block: "
            f"give more memory, or choose auto, local or mondrian."
        )
    return cast(Algorithm, found)


def answer(plan: Plan, coding: Coding, algorithm: Algorithm, codes: IntArray, weights: Counts, tell: Tell) -> Answer:
    """What the algorithm answers about the different rows of a block."""
    model, style = plan.request.model, plan.request.style
    table = coding.table(codes, weights)
    check_feasible(table, model)
    recoding = recode(table, model, algorithm, max_suppressed=0, tell=tell)
    if was_interrupted(recoding):
        raise KeyboardInterrupt  # else every block would have to be interrupted by itself
    check_recoding(recoding, table, 0)
    labels, ids = one_per_label(class_labels(table, recoding, style), recoding.ids, {})
    small = distinct(table, recoding)
    return Answer(
        np.concatenate([table.codes, table.sensitive_codes], axis=1),
        ids,
        labels,
        Cost(
            table.rows, {name: METRICS[name](*small) for name in (*_means(), "distortion")}, loss_by_attribute(*small)
        ),
    )


def cost_of_a_cut(
    plan: Plan, coding: Coding, algorithm: Algorithm, codes: IntArray, weights: Counts, whole: Cost, tell: Tell
) -> float | None:
    """How much more a block loses when it is cut once more; None where the model does not allow that."""
    try:
        cuts = find_cuts(coding, plan.request.model, len(codes) - 1, lambda count: count(codes, weights))
    except InputError:
        return None
    place = cuts.blocks(codes)
    sides = [
        answer(plan, coding, algorithm, codes[place == side], weights[place == side], tell).cost
        for side in range(len(cuts))
    ]
    return _mean("loss", sides) - whole.metrics["loss"]


def promise_of(plan: Plan, coding: Coding, rows: int) -> Promise:
    """What a release by blocks promises; no row of it is suppressed."""
    asked, split = plan.request, len(coding.quasi)
    secret = list(enumerate(coding.sensitive, split))
    return Promise(
        roles=asked.roles,
        model=asked.model,
        tops={},
        max_suppressed=0,
        drop_missing=asked.drop_missing,
        rows=rows,
        whole={name: pa.chunked_array([coding.values[at]]) for at, name in secret},
        hierarchies=meanings(_domains(coding, rows)),
        style=asked.style,
        missing_values=asked.missing_values,
        whole_weights={name: coding.counts[at] for at, name in secret},
    )


def cautions_of(plan: Plan, coding: Coding, classes: Classes) -> list[Caution]:
    """The weak points of a release by blocks, whose classes were read back from it."""
    asked, rows = plan.request, int(classes.sizes.sum())
    return cautions_by_values(asked.roles, _domains(coding, rows), classes, asked.model, asked.style)


def report_by_blocks(
    plan: Plan,
    algorithm: Algorithm,
    classes: Classes,
    costs: Iterable[Cost],
    blocks: Blocks,
    *,
    data: dict[str, Any],
    dropped: int,
    cautions: Iterable[Caution],
) -> Report:
    """The report on a release by blocks, whose classes were read back from it."""
    asked, parts, sizes = plan.request, list(costs), classes.sizes
    rows = int(sizes.sum())
    lost = {name: fsum(part.loss_by_attribute[name] * part.rows for part in parts) / rows for name in asked.roles.quasi}
    picked = algorithm != plan.algorithm
    return Report(
        versions=versions(),
        input=data,
        parameters=parameters_of(asked, str(algorithm), sorted(plan.given), 0),
        rows=rows,
        suppressed_rows=0,
        dropped_rows=dropped,
        classes=len(classes),
        k=int(sizes.min()),
        metrics={
            "average_class_size": rows / len(classes),
            "discernibility": sum(size * size for size in sizes.tolist()),
            "distortion": sum(part.metrics["distortion"] for part in parts),
            **{name: _mean(name, parts) for name in _means()},
        },
        loss_by_attribute=lost,
        distinct_sensitive={name: int(classes.distinct(name).min()) for name in asked.roles.sensitive},
        warnings=[caution.sentence for caution in cautions],
        choice=f"auto picked {algorithm.name}: the different rows do not fit into memory at once." if picked else None,
        blocks=blocks.to_dict(),
    )


def _means() -> list[str]:
    """Return the measures that are means over the rows of all blocks."""
    return [name for name, metric in METRICS.items() if metric.mean_over_rows and not metric.needs_sensitive]


def _mean(name: str, costs: list[Cost]) -> float:
    return fsum(cost.metrics[name] * cost.rows for cost in costs) / sum(cost.rows for cost in costs)


def _domains(coding: Coding, rows: int) -> Table:
    """A table that has the domains, and one row that stands for all."""
    return coding.table(np.zeros((1, len(coding.names)), np.int32), np.array([rows]))
