"""Blocks of a table with more different rows than fit into memory, kept in files while the algorithm answers them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.coding import Coding
from shoal.engines.streams.count import Counted
from shoal.engines.streams.lookup import Lookup
from shoal.release.answer import coding_of
from shoal.release.arguments import algorithm_of
from shoal.release.blocks import Blocks, BlocksAnswer, Cost, answer_block, block_algorithm, cost_of_a_cut
from shoal.release.coarse_cuts import Count, Cuts, find_cuts
from shoal.release.request import Request
from shoal.release.solve import Tell

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]
Part = tuple[IntArray, Counts]  # different rows by their codes, and their weights


def block_by_block(
    request: Request, counted: Counted, limit: int, folder: Path, tell: Tell
) -> tuple[BlocksAnswer, Lookup, dict[str, list[str]]]:
    """Cut the table into blocks of at most `limit` different rows, and let the algorithm answer each.

    Return the answer, the class of every different row, and the labels of each class.
    """
    algorithm = block_algorithm(algorithm_of(request.algorithm))
    coding = coding_of(request, counted.values, request.guides)
    tell("cutting into blocks", 0)
    cuts = find_cuts(coding, request.model, limit, lambda count: _swept(counted, coding, count))
    blocks = _BlockFiles(folder, len(coding.names))
    blocks.spread(_parts(counted, coding), cuts)
    counted.distinct.forget()
    costs: list[Cost] = []
    labels: dict[str, list[str]] = {name: [] for name in coding.quasi}
    more = None
    for number in range(len(cuts)):

        def working(stage: str, share: float, number: int = number) -> None:
            tell(f"block {number + 1} of {len(cuts)}: {stage}", (number + max(0.0, share)) / len(cuts))

        codes, weights = blocks.load(number)
        answer = answer_block(request, coding, algorithm, codes, weights, working)
        if number == 0:
            more = cost_of_a_cut(request, coding, algorithm, codes, weights, answer.cost, working)
        before = len(next(iter(labels.values())))
        blocks.put(number, answer.codes, np.where(answer.ids < 0, -1, answer.ids + np.int32(before)).astype(np.int32))
        costs.append(answer.cost)
        for name, shown in answer.labels.items():
            labels[name] += shown
    how = Blocks(len(cuts), cuts.depth, blocks.rows, more)
    whole = BlocksAnswer(request, coding, algorithm, tuple(costs), how)
    return whole, Lookup(blocks.answers, blocks.rows), labels


def _parts(counted: Counted, coding: Coding) -> Iterator[Part]:
    """Go through the different rows that miss no value."""
    for places, weights in counted.distinct.parts():
        whole = counted.whole(places)
        yield coding.of_places(places[whole]), weights[whole]


def _swept(counted: Counted, coding: Coding, count: Count) -> list[Counts]:
    """Add up what is counted in each part."""
    totals: list[Counts] = []
    for codes, weights in _parts(counted, coding):
        found = count(codes, weights)
        totals = [a + b for a, b in zip(totals, found, strict=True)] if totals else found
    return totals


class _BlockFiles:
    """The rows of each block in files: codes with weights at first, codes with classes once they are answered."""

    def __init__(self, folder: Path, columns: int) -> None:
        self._folder, self._columns, self._count = folder, columns, 0
        self.rows = 0

    def spread(self, parts: Iterator[Part], cuts: Cuts) -> None:
        """Append each row to the file of its block."""
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
        """Read the rows of a block with their weights."""
        return self._codes(number), np.fromfile(self._folder / f"{number}.counts", np.int64)

    def _codes(self, number: int) -> IntArray:
        return np.fromfile(self._folder / f"{number}.codes", np.int32).reshape(-1, self._columns)

    def put(self, number: int, codes: IntArray, ids: IntArray) -> None:
        """Replace the rows of a block by the answer about them."""
        codes.tofile(self._folder / f"{number}.codes")
        ids.tofile(self._folder / f"{number}.ids")

    def answers(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Go through the codes of all different rows with their classes."""
        for number in range(self._count):
            yield self._codes(number), np.fromfile(self._folder / f"{number}.ids", np.int32)
