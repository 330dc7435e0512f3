"""Risk: how likely an attacker identifies the row of a person, as a prosecutor, a journalist or a marketer.

K. El Emam, Guide to the de-identification of personal health information (2013); F. Dankar, K. El Emam, A method for
evaluating marketer re-identification risk (2010), doi:10.1145/1754239.1754271. f and F are the sizes of a class in the
table and in the population.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.models.exact import at_most, fraction


@dataclass(frozen=True)
class Risk:
    """The re-identification risk of rows: the highest, the mean, and the rows above a threshold."""

    highest: float
    average: float
    rows_above: int
    share_above: float


def risk_of(sizes: NDArray[np.int64], among: NDArray[np.int64], threshold: float) -> Risk:
    """Summarize the risk 1 / `among` of each row, in classes of these sizes.

    The prosecutor knows that the person is in the table, so `among` is f; the journalist does not, so it is F. The
    mean, Σ f / `among` / n, is also the share of rows that a marketer identifies correctly by linking all of them.
    """
    rows = int(sizes.sum())
    above = ~at_most(np.ones_like(among), among, fraction("threshold", threshold, at_most="1"))
    rows_above = int(sizes[above].sum())
    return Risk(
        highest=1 / int(among.min()),
        average=float((sizes / among).sum()) / rows,
        rows_above=rows_above,
        share_above=rows_above / rows,
    )
