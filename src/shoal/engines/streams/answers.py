"""What the different rows of a table are to show, found for all of them at once or block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms import Algorithm
from shoal.data.coding import Coding
from shoal.data.table import Classes
from shoal.engines.streams.count import Counted
from shoal.engines.streams.lookup import Lookup
from shoal.release.blocks import (
    Blocks,
    Cost,
    answer,
    block_algorithm,
    cautions_of,
    cost_of_a_cut,
    promise_of,
    report_by_blocks,
)
from shoal.release.cautions import Caution
from shoal.release.coarse_cuts import Count, Cuts, find_cuts
from shoal.release.plan import Outcome, Plan
from shoal.release.release import Report
from shoal.release.solve import Tell
from shoal.release.verification import Promise

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]
Part = tuple[IntArray, Counts]


@dataclass(frozen=True, eq=False)
class Answered:
    """All that the second pass and the report need; `outcome` is there where no blocks were needed."""

    coding: Coding
    algorithm: Algorithm
    lookup: Lookup | None  # None once it has been used
    labels: Mapping[str, list[str]]
    tops: Mapping[str, str]
    promise: Promise
    cautions: Callable[[Classes], list[Caution]]
    report: Callable[[Classes, dict[str, Any], list[Caution]], Report]
    outcome: Outcome | None


def all_at_once(plan: Plan, counted: Counted, tell: Tell) -> Answered:
    """Let the algorithm answer about all different rows."""

    def rows(coding: Coding) -> Part:
        places, weights = counted.distinct.all()
        whole = counted.whole(places)
        return (coding.of_places(places), weights) if whole.all() else (coding.of_places(places[whole]), weights[whole])

    outcome = plan.solve(counted.values, rows, tell)
    counted.distinct.forget()
    table = outcome.solved.table
    codes = np.concatenate([table.codes, table.sensitive_codes], axis=1)
    return Answered(
        outcome.coding,
        outcome.solved.algorithm,
        Lookup(lambda: [(codes, outcome.ids)], len(codes)),
        outcome.labels,
        outcome.tops,
        outcome.promise(),
        lambda classes: outcome.cautions(),
        lambda classes, data, cautions: outcome.report(data, dropped=counted.dropped, cautions=cautions),
        outcome,
    )


def block_by_block(plan: Plan, counted: Counted, limit: int, folder: Path, tell: Tell) -> Answered:
    """Cut the table into blocks of at most `limit` different rows, and let the algorithm answer about each."""
    algorithm = block_algorithm(plan.algorithm)
    coding = plan.coding(counted.values, plan.given)

    def parts() -> Iterator[Part]:
        for places, weights in counted.distinct.parts():
            whole = counted.whole(places)
            yield coding.of_places(places[whole]), weights[whole]

    def sweep(count: Count) -> list[Counts]:
        totals: list[Counts] = []
        for codes, weights in parts():
            found = count(codes, weights)
            totals = [a + b for a, b in zip(totals, found, strict=True)] if totals else found
        return totals

    tell("cutting into blocks", 0)
    cuts = find_cuts(coding, plan.request.model, limit, sweep)
    blocks = _Files(folder, len(coding.names))
    blocks.spread(parts(), cuts)
    counted.distinct.forget()
    costs: list[Cost] = []
    labels: dict[str, list[str]] = {name: [] for name in coding.quasi}
    more = None
    for number in range(len(cuts)):

        def working(stage: str, share: float, number: int = number) -> None:
            tell(f"block {number + 1} of {len(cuts)}: {stage}", (number + max(0.0, share)) / len(cuts))

        codes, weights = blocks.load(number)
        found = answer(plan, coding, algorithm, codes, weights, working)
        if number == 0:
            more = cost_of_a_cut(plan, coding, algorithm, codes, weights, found.cost, working)
        before = len(next(iter(labels.values())))
        blocks.put(number, found.codes, np.where(found.ids < 0, -1, found.ids + np.int32(before)).astype(np.int32))
        costs.append(found.cost)
        for name, shown in found.labels.items():
            labels[name] += shown
    told = Blocks(len(cuts), cuts.depth, blocks.rows, more)
    rows = sum(cost.rows for cost in costs)
    return Answered(
        coding,
        algorithm,
        Lookup(blocks.answers, blocks.rows),
        labels,
        dict.fromkeys(coding.quasi, plan.request.style.top),
        promise_of(plan, coding, rows),
        lambda classes: cautions_of(plan, coding, classes),
        lambda classes, data, cautions: report_by_blocks(
            plan, algorithm, classes, costs, told, data=data, dropped=counted.dropped, cautions=cautions
        ),
        None,
    )


class _Files:
    """The rows of each block in files: codes with weights, and then codes with classes."""

    def __init__(self, folder: Path, columns: int) -> None:
        self._folder, self._columns, self._count = folder, columns, 0
        self.rows = 0

    def spread(self, parts: Iterator[Part], cuts: Cuts) -> None:
        """Put each row into the file of its block."""
        self._count = len(cuts)
        for codes, weights in parts:
            self.rows += len(codes)
            place = cuts.blocks(codes)
            for number in np.unique(place).tolist():
                inside = place == number
                self._append(f"{number}.codes", codes[inside])
                self._append(f"{number}.counts", weights[inside])

    def _append(self, name: str, what: NDArray[Any]) -> None:
        with (self._folder / name).open("ab") as file:
            what.tofile(file)

    def load(self, number: int) -> Part:
        """The rows of a block with their weights."""
        return self._codes(number), np.fromfile(self._folder / f"{number}.counts", np.int64)

    def _codes(self, number: int) -> IntArray:
        return np.fromfile(self._folder / f"{number}.codes", np.int32).reshape(-1, self._columns)

    def put(self, number: int, codes: IntArray, ids: IntArray) -> None:
        """Keep the answer about a block in place of its rows."""
        codes.tofile(self._folder / f"{number}.codes")
        ids.tofile(self._folder / f"{number}.ids")

    def answers(self) -> Iterator[tuple[IntArray, IntArray]]:
        """The codes of all different rows with their classes."""
        for number in range(self._count):
            yield self._codes(number), np.fromfile(self._folder / f"{number}.ids", np.int32)
