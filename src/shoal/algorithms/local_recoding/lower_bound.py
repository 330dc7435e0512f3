"""A lower bound of the loss of any release of a table whose classes have at least a given number of rows.

The proof is a price list. Each row has a share, and in no box of at least that many rows can a class cost less than the
shares of its rows; so the sum of all shares is at most the cost of any release. This is the dual of the linear program
that picks classes to cover each row once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil, floor, log10
from typing import Any

import numpy as np

from shoal.algorithms.algorithm import Progress, nobody
from shoal.algorithms.cost_arrays import LARGEST
from shoal.algorithms.local_recoding.attribute_parts import columns_of, parts_of
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.kernels.arrays import Longs
from shoal.kernels.compilations import clock
from shoal.kernels.groups import group_weights
from shoal.kernels.local_recoding.lower_bound import Rows, lower_shares
from shoal.kernels.local_recoding.row_clusters import Measure

WORK = 1 << 27  # rows that may be examined for the base, in all attributes or in both halves of them
ROUND_WORK = 1 << 29  # rows that may be examined in all rounds together
WORK_PER_SECOND = 5 * 10**7  # of rows that can be examined for the base at least
LEAST_WORK = 1 << 23  # rows that are examined for it however little time is left
MAX_TOGETHER = 16  # attributes whose combinations may be examined: with more, it hardly ever ends in time
NEAR = 0.1  # of the bound, up to which a release is called good
ROUNDING = 1e-9  # costs without a common fraction are rounded to 30 bits


def least_loss(
    table: Table,
    measure: Measure,
    smallest: int,
    *,
    rounds: int,
    progress: Progress = nobody,
    deadline: float | None = None,
) -> int:
    """Return a lower bound of what all cells of a release cost if its classes have at least `smallest` rows.

    Suppressed rows count as the top, or more. Without rounds a row costs as much as the cheapest box of enough rows
    that contains it; rounds raise this by considering the rows of each box together. With a deadline of the
    clock, fewer rows are examined for the base, and no round begins that would not end before it if it took twice as
    long as what came before.
    """
    own, work = table.without_population(), WORK
    if deadline is not None:
        work = min(WORK, max(LEAST_WORK, int(WORK_PER_SECOND * (deadline - clock()))))
    return _least(own, measure, range(len(own.quasi)), smallest, rounds, work, progress, deadline)


def _least(
    table: Table,
    measure: Measure,
    attributes: Sequence[int],
    smallest: int,
    rounds: int,
    work: int,
    progress: Progress,
    deadline: float | None = None,
) -> int:
    """Return the bound for some attributes; if they take too much work, the sum of the bounds for each half of them."""
    if len(attributes) <= MAX_TOGETHER:
        shares = shares_of(table, measure, attributes, smallest, rounds, work, progress, deadline)
        if shares is not None:
            return _sum(shares, table.weights)
    halves = attributes[::2], attributes[1::2]
    return sum(_least(table, measure, half, smallest, 0, work // 2, progress) for half in halves)


def shares_of(
    table: Table,
    measure: Measure,
    attributes: Sequence[int],
    smallest: int,
    rounds: int,
    work: int,
    progress: Progress,
    deadline: float | None = None,
) -> Longs | None:
    """Return the share of each row in some attributes; None if they take too much work."""
    columns = columns_of(table, measure, attributes)
    sizes = [column.size for column in columns]
    ids, firsts = group_rows([column.codes for column in columns], sizes, len(table.weights))
    weights = group_weights(table.weights, ids, firsts.size)
    codes = np.stack([column.codes[firsts] for column in columns])
    least = np.stack([column.least[own] for column, own in zip(columns, codes, strict=True)])
    rest = np.concatenate([np.cumsum(least[::-1], axis=0)[::-1], np.zeros((1, firsts.size), np.int64)])
    parts, top = parts_of(columns), sum(column.top for column in columns)
    counted = np.minimum(weights, smallest)  # more equal rows change nothing, and sums stay small

    def lowered(shares: Longs, among: int, work: int) -> int:
        """Lower the shares; return the work that it took, −1 if it would take too much."""
        return int(lower_shares(parts, Rows(codes, counted, rest, shares), smallest, among, work))

    shares, began = np.full(firsts.size, top, np.int64), clock()
    if lowered(shares, 1, work if len(columns) > 1 else LARGEST) < 0:
        return None
    best, left = shares, ROUND_WORK
    for number in range(rounds if 2 * smallest * top < LARGEST else 0):
        now = clock()
        if deadline is not None and now + 2 * (now - began) > deadline:
            break
        began = now
        progress(number / rounds)
        shares = np.minimum(top, shares + (shares >> max(0, number - 1)))
        used = lowered(shares, smallest, left)
        if used < 0:
            break
        best = max(best, shares, key=lambda some: _sum(some, weights))
        left -= used
        if used > left:  # a round takes at least as much as the one before
            break
    return best[ids]


def _sum(shares: Longs, weights: Longs) -> int:
    """Return the sum of the shares of all rows, which may exceed 64 bits."""
    return sum(share * weight for share, weight in zip(shares.tolist(), weights.tolist(), strict=True))


@dataclass(frozen=True)
class Certificate:
    """The loss of a release beside a lower bound of the loss of any release, both as a mean per cell."""

    loss: float
    bound: float
    objective: str = "loss"
    interrupted: bool = False  # whether the search for the release was ended before its time
    repeatable: bool = True  # whether another run of as many rounds gives the same release; by the clock it need not
    rounds: int | None = None  # of the search

    @property
    def cut_off(self) -> bool:
        """Whether the search was interrupted and gives the same release again in as many rounds."""
        return self.interrupted and self.repeatable

    @property
    def gap(self) -> float | None:
        """How far the loss is above the bound, as a share of the bound; None if only the bound is 0."""
        if self.loss <= self.bound * (1 + ROUNDING):
            return 0.0
        return self.loss / self.bound - 1 if self.bound else None

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as a report contains it."""
        return asdict(self) | {"gap": self.gap, "sentence": self.sentence()}

    def sentence(self) -> str:
        """Say what the bound means for the release; only a near one says that the release is good.

        >>> Certificate(loss=0.0392, bound=0.0368).sentence()
        'This is at most 7 % above the best possible.'
        >>> Certificate(loss=0.0627, bound=0.0368).sentence()
        'No release of this table with these rules can lose less than 0.036 (a lower bound that may be out of reach).'
        """
        if self.gap is None:
            return "How far this is from the best possible is not known."
        if not self.gap:
            return "This is the best possible."
        if self.gap <= NEAR:
            return f"This is at most {ceil(100 * self.gap)} % above the best possible."
        return (
            f"No release of this table with these rules can lose less than {_rounded_down(self.bound)} "
            f"(a lower bound that may be out of reach)."
        )


def _rounded_down(figure: float) -> str:
    """Return a figure above 0 with two digits, rounded down."""
    digits = 1 - floor(log10(figure))
    return f"{floor(figure * 10**digits) / 10**digits:.{max(0, digits)}f}"
