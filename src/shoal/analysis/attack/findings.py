"""Findings: what an attacker learns by linking people to the rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.attack.linking import Rows, Secrets, Trees, covers_of, link
from shoal.data.column import Column
from shoal.data.rows import histogram
from shoal.data.style import Style


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
    """What the attacker finds in one table; `sizes` counts people by their number of candidate rows, if any.

    The averages are over the people who have candidates; they are 0 if nobody has.
    """

    rows: int
    people: int
    linked: int
    unmatched: int
    smallest: int
    average: float
    sizes: dict[int, int]
    learned: dict[str, Learned]


def findings_of(
    people: Rows, columns: Mapping[str, Column], sensitive: Mapping[str, Column], trees: Trees, style: Style
) -> Findings:
    """Link the people to the rows of a table and summarize the result."""
    rows = Rows.of(list(columns.values()))
    secrets = [Secrets.of(column, rows) for column in sensitive.values()]
    links = link(people, rows, covers_of(columns, rows, trees, style), secrets)
    matched = links.sizes > 0
    sizes, weights = links.sizes[matched], people.weights[matched]
    people_by_size = histogram(sizes, weights)
    return Findings(
        rows=int(rows.weights.sum()),
        people=int(people.weights.sum()),
        linked=int(weights[sizes == 1].sum()),
        unmatched=int(people.weights[~matched].sum()),
        smallest=min(people_by_size, default=0),
        average=_mean(sizes, weights),
        sizes=people_by_size,
        learned={
            name: _learned(sizes, most[matched], gains[matched], weights)
            for name, most, gains in zip(sensitive, links.most, links.gains, strict=True)
        },
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
