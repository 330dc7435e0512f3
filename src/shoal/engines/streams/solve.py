"""solve(): the equivalence classes of the distinct rows, found all together or in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.coding import Coding
from shoal.data.encoding import Guide
from shoal.data.table import Table
from shoal.engines.distinct_rows import block_size
from shoal.engines.lookup import Lookup
from shoal.engines.people import PeopleTable
from shoal.engines.streams.count import Counted
from shoal.engines.streams.memory import BASE_BYTES, memory_for_people, rows_that_fit
from shoal.engines.streams.people import PeopleRows
from shoal.engines.streams.person_numbers import PersonNumbers
from shoal.errors import InputError
from shoal.release.answer import WholeAnswer, coding_of
from shoal.release.arguments import algorithm_of
from shoal.release.blocks import (
    Answer,
    Blocks,
    BlocksAnswer,
    Cost,
    answer_block,
    block_algorithm,
    cost_of_a_cut,
    with_tight_ranges,
)
from shoal.release.coarse_cuts import Count, Cuts, find_cuts
from shoal.release.request import Request
from shoal.release.solve import Tell

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]
Part = tuple[IntArray, Counts]  # the codes of distinct rows, and their weights


@dataclass(frozen=True, eq=False)
class Answered:
    """The algorithm's answer, the class of each distinct row, and the labels of the classes and of suppressed rows.

    people  the numbers of the people, which the lookup takes after the codes, if equal rows can be in different classes
    """

    answer: Answer
    lookup: Lookup
    labels: Mapping[str, list[str]]
    tops: Mapping[str, str]
    people: PersonNumbers | None = None


def solve(
    counted: Counted,
    request: Request,
    *,
    schema: pa.Schema,
    memory: int,
    block_rows: int | None,
    reports: list[Path],
    folder: Path,
    tell: Tell,
) -> Answered:
    """Solve the distinct rows, in blocks if they are too many for the memory or the algorithm."""
    if counted.people is not None:
        return solve_people(counted, counted.people, request, schema=schema, memory=memory, tell=tell)
    max_rows = _max_rows(request, counted, memory, block_rows)
    if len(counted.distinct) > max_rows:
        _check_for_blocks(reports, memory, len(counted.distinct))
        blocks, lookup, labels = solve_in_blocks(request, counted, max_rows, folder, tell)
        return Answered(blocks, lookup, labels, dict.fromkeys(blocks.coding.quasi, request.style.top))
    answer = WholeAnswer.of(partial(_encode, counted, request), request, tell)
    counted.distinct.clear()
    codes, ids = answer.classes_of_rows
    lookup = Lookup(lambda: [(codes, ids)], len(codes))
    return Answered(answer, lookup, answer.changed_labels(schema), answer.labelling.tops)


def solve_people(
    counted: Counted, people: PeopleRows, request: Request, *, schema: pa.Schema, memory: int, tell: Tell
) -> Answered:
    """Solve the distinct rows of each person all together."""
    needed = memory_for_people(len(people), len(request.names))
    if needed > memory:
        raise InputError(
            f"The {len(people):,} different rows of people are solved all together, which needs a memory of "
            f"{needed / 10**9:.1f}GB: give as much, or release the table with shoal.anonymize()."
        )
    found: list[PeopleTable] = []

    def encode(guides: Mapping[str, Guide]) -> tuple[Table, Coding]:
        coding = coding_of(request, counted.values, guides)
        places, _ = counted.distinct.all()
        complete = counted.complete(places)
        found[:] = [people.table(coding, coding.of_places(places[complete]), complete)]
        return found[0].table, coding

    answer = WholeAnswer.of(encode, request, tell)
    counted.distinct.clear()
    people.clear()
    tops, labels = answer.labelling.tops, answer.changed_labels(schema)
    classes = found[0].classes_of_rows(answer.labelling.ids)
    if classes is not None:
        rows = found[0].rows
        return Answered(answer, Lookup(lambda: [(rows, classes)], len(rows)), labels, tops)
    codes, ids = answer.classes_of_rows
    codes = np.column_stack([codes, people.named(found[0].units)])
    return Answered(answer, Lookup(lambda: [(codes, ids)], len(codes)), labels, tops, people.numbers)


def _encode(counted: Counted, request: Request, guides: Mapping[str, Guide]) -> tuple[Table, Coding]:
    """Encode the distinct complete rows."""
    coding = coding_of(request, counted.values, guides)
    places, weights = counted.distinct.all()
    complete = counted.complete(places)
    if not complete.all():
        places, weights = places[complete], weights[complete]
    return coding.table(coding.of_places(places), weights), coding


def _max_rows(request: Request, counted: Counted, memory: int, block_rows: int | None) -> int:
    """Return how many distinct rows are solved together, given the number of distinct sensitive values."""
    size = block_size(request, block_rows)
    values = sum(len(column.values) for column in counted.values[len(request.roles.quasi) :])
    fit = rows_that_fit(memory, len(request.names), values)
    if not fit:
        raise InputError(
            f"The {values:,} different sensitive values need more than the memory of {memory:,} bytes: give more."
        )
    return min(fit, size or fit)


def _check_for_blocks(reports: list[Path], memory: int, rows: int) -> None:
    """Refuse reports that cannot be made about blocks, and more distinct rows than a lookup can hold."""
    if any(path.suffix.lower() != ".json" for path in reports):
        raise InputError(
            f"The {rows:,} different rows are too many to be solved together, so only a .json report can be made: "
            f"name one, or give more memory."
        )
    if Lookup.size(rows) > memory - BASE_BYTES:
        raise InputError(f"The {rows:,} different rows need more than the memory of {memory:,} bytes: give more.")


def solve_in_blocks(
    request: Request, counted: Counted, max_rows: int, folder: Path, tell: Tell
) -> tuple[BlocksAnswer, Lookup, dict[str, list[str]]]:
    """Cut the table into blocks of at most `max_rows` distinct rows, and solve each block.

    Return the answer, the class of every distinct row, and the labels of the classes.
    """
    request = with_tight_ranges(request)
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
