"""solve(): the equivalence classes of the distinct rows, found all together or in blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa

from shoal.data.coding import Coding
from shoal.data.encoding import Guide
from shoal.data.table import Table
from shoal.engines.block_size import block_size
from shoal.engines.lookup import Lookup
from shoal.engines.streams.blocks import solve_in_blocks
from shoal.engines.streams.count import Counted
from shoal.engines.streams.memory import BASE_BYTES, rows_that_fit
from shoal.errors import InputError
from shoal.release.answer import WholeAnswer, coding_of
from shoal.release.blocks import Answer
from shoal.release.request import Request
from shoal.release.solve import Tell


@dataclass(frozen=True, eq=False)
class Answered:
    """The algorithm's answer, the class of each distinct row, and the labels of the classes and of suppressed rows."""

    answer: Answer
    lookup: Lookup
    labels: Mapping[str, list[str]]
    tops: Mapping[str, str]


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
