"""Findings: what an attacker learns by linking people to the rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.attack.linking import Rows, Secrets, Trees, covers_of, link
from shoal.analysis.attack.people import Known, link_through_classes, link_to_people, link_to_rows
from shoal.data.classes import PEOPLE, ROWS
from shoal.data.column import Column
from shoal.data.rows import histogram
from shoal.data.style import Style
from shoal.kernels.arrays import Ints


@dataclass(frozen=True)
class Learned:
    """What the candidate rows reveal about one sensitive column.

    `certain` counts people whose candidates all have the same value; confidence is the share of the most frequent value
    among a person's candidates; gain is the most by which a value's share there exceeds its share in the whole table.
    """

    certain: int
    average_confidence: float
    highest_confidence: float
    average_gain: float
    highest_gain: float


@dataclass(frozen=True)
class Findings:
    """What the attacker finds in one table; `sizes` counts people by their number of candidates, if any.

    The candidates are rows or, if the table or the original says whose rows they are, people. Those with fewer than k
    are `linked`, by all rows that are known of a person together; `linked_by_one_row` counts those whom one of these
    rows alone links. The averages are over the people who have candidates; they are 0 if nobody has.
    """

    rows: int
    people: int
    linked: int
    unmatched: int
    smallest: int
    average: float
    sizes: dict[int, int]
    learned: dict[str, Learned]
    candidates: str = ROWS.many
    linked_by_one_row: int = 0


def findings_of(
    people: Rows | Known,
    columns: Mapping[str, Column],
    sensitive: Mapping[str, Column],
    trees: Trees,
    *,
    style: Style,
    k: int,
    owners: Ints | None = None,
    original: Known | None = None,
) -> Findings:
    """Link the people to the rows of a table, or to people if it is known whose rows they are, and sum up the result.

    k         with fewer candidates than this, a person is found
    owners    whose rows they are, if the table says so
    original  the rows of the original and whose they are, if it says so
    """
    rows = Rows.of(list(columns.values()))
    secrets = [Secrets.of(column, rows) for column in sensitive.values()]
    covers = covers_of(columns, rows, trees, style)
    if isinstance(people, Rows):
        links, numbers = link(people, rows, covers, secrets), people.weights
    else:
        numbers = np.ones(people.number, np.int64)
        if owners is not None:
            links = link_to_people(people, rows, covers, list(sensitive.values()), owners)
        elif original is not None:
            links = link_through_classes(people, rows, covers, secrets, original)
        else:
            links = link_to_rows(people, rows, covers, secrets)
    matched = links.sizes > 0
    by_one = links.sizes if links.by_one is None else links.by_one
    in_rows = isinstance(people, Rows) or (owners is None and original is None)
    sizes, weights = links.sizes[matched], numbers[matched]
    people_by_size = histogram(sizes, weights)
    return Findings(
        rows=int(rows.weights.sum()),
        people=int(numbers.sum()),
        linked=int(weights[sizes < k].sum()),
        unmatched=int(numbers[~matched].sum()),
        smallest=min(people_by_size, default=0),
        average=_mean(sizes, weights),
        sizes=people_by_size,
        learned={
            name: _learned(among[matched], most[matched], gains[matched], weights)
            for name, most, gains, among in zip(sensitive, links.most, links.gains, links.among, strict=True)
        },
        candidates=(ROWS if in_rows else PEOPLE).many,
        linked_by_one_row=int(weights[by_one[matched] < k].sum()),
    )


def _learned(
    sizes: NDArray[np.int64], most: NDArray[np.int64], gains: NDArray[np.float64], weights: NDArray[np.int64]
) -> Learned:
    confidence = most / sizes
    return Learned(
        certain=int(weights[most == sizes].sum()),
        average_confidence=_mean(confidence, weights),
        highest_confidence=float(confidence.max(initial=0.0)),
        average_gain=_mean(gains, weights),
        highest_gain=float(gains.max(initial=0.0)),
    )


def _mean(values: NDArray[Any], weights: NDArray[np.int64]) -> float:
    return float(values @ weights / weights.sum()) if weights.size else 0.0
