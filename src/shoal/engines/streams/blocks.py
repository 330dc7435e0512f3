"""Blocks of a table with too many distinct rows for the memory, kept in files while the algorithm solves them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.coding import Coding
from shoal.engines.lookup import Lookup
from shoal.engines.streams.count import Counted
from shoal.release.answer import coding_of
from shoal.release.arguments import algorithm_of
from shoal.release.blocks import Blocks, BlocksAnswer, Cost, answer_block, block_algorithm, cost_of_a_cut
from shoal.release.coarse_cuts import Count, Cuts, find_cuts
from shoal.release.request import Request
from shoal.release.solve import Tell

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]
Part = tuple[IntArray, Counts]  # the codes of distinct rows, and their weights


def solve_in_blocks(
    request: Request, counted: Counted, max_rows: int, folder: Path, tell: Tell
) -> tuple[BlocksAnswer, Lookup, dict[str, list[str]]]:
    """Cut the table into blocks of at most `max_rows` distinct rows, and solve each block.

    Return the answer, the class of every distinct row, and the labels of the classes.
    """
    algorithm = block_algorithm(algorithm_of(request.algorithm))
    coding = coding_of(request, counted.values, request.guides)
    tell("cutting into blocks", 0)
    cuts = find_cuts(coding, request.model, max_rows, lambda count: _sum_over_parts(counted, coding, count))
    blocks = _BlockFiles(folder, len(coding.names), len(cuts))
    blocks.distribute(_parts(counted, coding), cuts)
    counted.distinct.clear()
    costs: list[Cost] = []
    labels: dict[str, list[str]] = {name: [] for name in coding.quasi}
    cut_cost = None
    for number in range(len(cuts)):

        def tell_block(stage: str, share: float, number: int = number) -> None:
            tell(f"block {number + 1} of {len(cuts)}: {stage}", (number + max(0.0, share)) / len(cuts))

        codes, weights = blocks.load(number)
        answer = answer_block(request, coding, algorithm, codes, weights, tell_block)
        if number == 0:
            cut_cost = cost_of_a_cut(request, coding, algorithm, codes, weights, answer.cost, tell_block)
        first_id = np.int32(len(next(iter(labels.values()))))
        blocks.save(number, answer.codes, np.where(answer.ids < 0, -1, answer.ids + first_id).astype(np.int32))
        costs.append(answer.cost)
        for name, block_labels in answer.labels.items():
            labels[name] += block_labels
    summary = Blocks(len(cuts), cuts.depth, blocks.rows, cut_cost)
    answers = BlocksAnswer(request, coding, algorithm, tuple(costs), summary)
    return answers, Lookup(blocks.answers, blocks.rows), labels


def _parts(counted: Counted, coding: Coding) -> Iterator[Part]:
    """Iterate over the distinct complete rows."""
    for places, weights in counted.distinct.parts():
        complete = counted.complete(places)
        yield coding.of_places(places[complete]), weights[complete]


def _sum_over_parts(counted: Counted, coding: Coding, count: Count) -> list[Counts]:
    """Add up the counts of all parts."""
    totals: list[Counts] = []
    for codes, weights in _parts(counted, coding):
        counts = count(codes, weights)
        totals = [a + b for a, b in zip(totals, counts, strict=True)] if totals else counts
    return totals


class _BlockFiles:
    """The rows of each block in files: codes with weights at first, codes with classes once they are solved."""

    def __init__(self, folder: Path, columns: int, count: int) -> None:
        self._folder, self._columns, self._count = folder, columns, count
        self.rows = 0

    def distribute(self, parts: Iterator[Part], cuts: Cuts) -> None:
        """Append each row to the file of its block."""
        for codes, weights in parts:
            self.rows += len(codes)
            blocks = cuts.blocks(codes)
            for number in np.unique(blocks).tolist():
                inside = blocks == number
                self._append(f"{number}.codes", codes[inside])
                self._append(f"{number}.counts", weights[inside])

    def _append(self, name: str, array: NDArray[Any]) -> None:
        with (self._folder / name).open("ab") as file:
            array.tofile(file)

    def load(self, number: int) -> Part:
        """Read the rows of a block with their weights."""
        return self._codes(number), np.fromfile(self._folder / f"{number}.counts", np.int64)

    def _codes(self, number: int) -> IntArray:
        return np.fromfile(self._folder / f"{number}.codes", np.int32).reshape(-1, self._columns)

    def save(self, number: int, codes: IntArray, ids: IntArray) -> None:
        """Replace the rows of a block by the answer."""
        codes.tofile(self._folder / f"{number}.codes")
        ids.tofile(self._folder / f"{number}.ids")

    def answers(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Iterate over the codes of all distinct rows with their classes."""
        for number in range(self._count):
            yield self._codes(number), np.fromfile(self._folder / f"{number}.ids", np.int32)
