"""Blocks: a table with too many distinct rows is cut into blocks, which the algorithm recodes one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms import Algorithm, Auto
from shoal.algorithms.auto import Choice
from shoal.data.classes import Classes
from shoal.data.coding import Coding
from shoal.data.recoding import distinct
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.metrics import METRICS, loss_by_attribute
from shoal.release.answer import WholeAnswer, sensitive_values
from shoal.release.arguments import algorithm_of, check_feasible, check_recoding, meanings
from shoal.release.coarse_cuts import find_cuts
from shoal.release.figures import Report, parameters_of, versions
from shoal.release.labelling import class_labels, one_per_label
from shoal.release.promise import Promise
from shoal.release.request import Request
from shoal.release.review.classes import weak_classes
from shoal.release.review.finding import Finding
from shoal.release.review.labels import weak_labels
from shoal.release.review.review import Review
from shoal.release.solve import Tell, recode, was_interrupted

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Cost:
    """The information loss of a block."""

    rows: int
    metrics: Mapping[str, float]
    loss_by_attribute: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class BlockAnswer:
    """The codes of the distinct rows of a block, the class of each, the labels of each class, and their cost."""

    codes: IntArray
    ids: IntArray
    labels: Mapping[str, list[str]]
    cost: Cost


@dataclass(frozen=True)
class Blocks:
    """The number of blocks, the depth of the tree of cuts, and the loss that one more cut would add."""

    count: int
    depth: int
    different_rows: int
    cost_of_a_cut: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry for a report; each level of cuts is assumed to cost half as much as the next finer one."""
        extra_loss = None if self.cost_of_a_cut is None else max(0.0, self.cost_of_a_cut)
        return {
            "blocks": self.count,
            "different_rows": self.different_rows,
            "loss_of_one_more_cut": extra_loss,
            "estimated_loss_of_cutting": None if extra_loss is None else extra_loss * (1 - 0.5**self.depth),
        }


def with_tight_ranges(request: Request, remedy: str = "give more memory") -> Request:
    """Return the request with tight ranges; refuse others if asked for, as blocks do not know each other's cells."""
    if request.ranges != "tight" and not request.ranges_by_default:
        raise InputError(
            f"{request.ranges.capitalize()} ranges need all distinct rows together, but there are too many for one "
            f"block: {remedy}, or choose tight ranges."
        )
    return replace(request, ranges="tight")


def block_algorithm(algorithm: Algorithm, *, remedy: str = "give more memory") -> Algorithm:
    """Return the algorithm that works block by block in place of the one that was asked for."""
    found = getattr(algorithm, "for_blocks", None)
    if found is None:
        raise InputError(
            f"{algorithm.name} generalizes a column to one level, which cannot be found block by block: "
            f"{remedy}, or choose auto, local or mondrian."
        )
    return cast(Algorithm, found)


def answer_block(
    request: Request, coding: Coding, algorithm: Algorithm, codes: IntArray, weights: Counts, tell: Tell
) -> BlockAnswer:
    """Let the algorithm recode the distinct rows of a block."""
    model, style = request.model, request.style
    table = coding.table(codes, weights)
    check_feasible(table, model)
    recoding = recode(table, model, algorithm, max_suppressed=0, tell=tell)
    if was_interrupted(recoding):
        raise KeyboardInterrupt  # otherwise the user would have to interrupt each block
    check_recoding(recoding, table, 0)
    labels, ids = one_per_label(class_labels(table, recoding, style), recoding.ids, {})
    small = distinct(table, recoding)
    metrics = {name: METRICS[name](*small) for name in (*_means(), "distortion")}
    return BlockAnswer(
        np.concatenate([table.codes, table.sensitive_codes], axis=1),
        ids,
        labels,
        Cost(table.rows, metrics, loss_by_attribute(*small)),
    )


def cost_of_a_cut(
    request: Request, coding: Coding, algorithm: Algorithm, codes: IntArray, weights: Counts, whole: Cost, tell: Tell
) -> float | None:
    """Measure how much loss one more cut of a block adds; return None if the model does not allow the cut."""
    try:
        cuts = find_cuts(coding, request.model, len(codes) - 1, lambda count: count(codes, weights))
    except InputError:
        return None
    side_of = cuts.blocks(codes)
    costs = [
        answer_block(request, coding, algorithm, codes[side_of == side], weights[side_of == side], tell).cost
        for side in range(len(cuts))
    ]
    return _mean("loss", costs) - whole.metrics["loss"]


@dataclass(frozen=True, eq=False)
class BlocksAnswer:
    """The answer for a table that was solved block by block; no row is suppressed."""

    request: Request
    coding: Coding
    algorithm: Algorithm
    costs: tuple[Cost, ...]
    blocks: Blocks
    labelling: None = None

    @property
    def rows(self) -> int:
        """The number of rows in the table."""
        return sum(cost.rows for cost in self.costs)

    def promise(self) -> Promise:
        """State what must hold for the release."""
        return Promise.of(
            self.request,
            tops={},
            budget=0,
            rows=self.rows,
            hierarchies=meanings(self._domains),
            whole=sensitive_values(self.coding),
        )

    def weak_points(self, classes: Classes) -> list[Finding]:
        """List the weak points of a release, given the classes read back from it."""
        return [*weak_classes(self.request, self._domains, classes), *weak_labels(self._domains, self.request.style)]

    def report(
        self, classes: Classes, *, data: dict[str, Any], dropped: int, warned: Sequence[str], review: Review
    ) -> Report:
        """Report on a release, given the classes read back from it."""
        request, costs, sizes = self.request, list(self.costs), classes.sizes
        rows = int(sizes.sum())
        asked, why = algorithm_of(request.algorithm), "the distinct rows do not fit into memory together"
        choice = Choice(self.algorithm, f"auto picked {self.algorithm.name}: {why}.")
        return Report(
            versions=versions(),
            input=data,
            parameters=parameters_of(request, str(self.algorithm), sorted(request.guides), 0),
            rows=rows,
            suppressed_rows=0,
            dropped_rows=dropped,
            classes=len(classes),
            k=int(sizes.min()),
            metrics={
                "average_class_size": rows / len(classes),
                "discernibility": sum(size * size for size in sizes.tolist()),
                "distortion": sum(cost.metrics["distortion"] for cost in costs),
                **{name: _mean(name, costs) for name in _means()},
            },
            loss_by_attribute={
                name: fsum(cost.loss_by_attribute[name] * cost.rows for cost in costs) / rows
                for name in request.roles.quasi
            },
            distinct_sensitive={name: int(classes.distinct(name).min()) for name in request.roles.sensitive},
            warnings=list(warned),
            review=review.to_dict(),
            statements=list(request.statements),
            choice=asked.with_effort(choice).reason if isinstance(asked, Auto) else None,
            blocks=self.blocks.to_dict(),
        )

    @property
    def _domains(self) -> Table:
        """A table with the same domains and a single row that carries the weight of all rows."""
        return self.coding.table(np.zeros((1, len(self.coding.names)), np.int32), np.array([self.rows]))


Answer = WholeAnswer | BlocksAnswer  # what relabelling, verification and reports need to know


def _means() -> list[str]:
    """Return the measures that are means over the rows of all blocks."""
    return [name for name, metric in METRICS.items() if metric.mean_over_rows and not metric.needs_sensitive]


def _mean(name: str, costs: list[Cost]) -> float:
    return fsum(cost.metrics[name] * cost.rows for cost in costs) / sum(cost.rows for cost in costs)
