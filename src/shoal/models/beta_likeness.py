"""β-likeness: in no class is a sensitive value much more likely than in the whole table.

J. Cao, P. Karras, Publishing microdata with a robust privacy guarantee (2012), doi:10.14778/2350229.2350255.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.errors import InputError
from shoal.models.exact import MARGIN, at_most, exact, fraction, products, sign_beside_log, times
from shoal.models.model import PrivacyModel
from shoal.models.sensitive import attributes, each, known_counts, reached


@dataclass(frozen=True)
class BetaLikeness(PrivacyModel):
    """(q − p) / p ≤ `beta` for every value more frequent in a class than in the table; enhanced: ≤ min(beta, −ln p)."""

    beta: float
    enhanced: bool = False
    sensitive: str | None = None

    monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.enhanced, bool):
            raise InputError(f"enhanced is True or False, not {self.enhanced!r}.")
        if fraction("beta", self.beta) == 0:
            raise InputError("beta = 0 cannot be satisfied but by the whole table: choose a number above 0.")

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """c N ≤ (1 + β) C n for every value, with c, C its counts and n, N the sizes of class and table."""
        return each(self._like(classes, name) for name in attributes(self.sensitive, classes))

    def _like(self, classes: Classes, name: str) -> NDArray[np.bool_]:
        counted, overall = known_counts(classes, name)
        bound, rows, counts = 1 + exact(self.beta), overall.rows, overall.counts
        gained, expected = times(counted.counts, rows), products(counts[counted.values], counted.spread(classes.sizes))
        close = at_most(gained, expected, bound)
        if self.enhanced:
            limit = -np.log(counts[counted.values] / rows)
            gain = np.asarray(gained / np.maximum(1, expected) - 1, np.float64)
            likely = (gained <= expected) | (gain <= limit)
            for at in np.flatnonzero((gained > expected) & (np.abs(gain - limit) < MARGIN)).tolist():
                near = Fraction(int(gained[at]), int(expected[at])) - 1
                likely[at] = sign_beside_log(rows, int(counts[counted.values[at]]), near) >= 0
            close &= likely
        return ~counted.gathered(np.logical_or, ~close)

    def reach(self, whole: Classes) -> str:
        """The whole table satisfies every β."""
        return reached("beta", whole, attributes(self.sensitive, whole), beta, most=False)

    def __str__(self) -> str:
        kind = "enhanced" if self.enhanced else "basic"
        return f"{kind} beta = {self.beta}" + (f" of {self.sensitive!r}" if self.sensitive else "")


def beta(classes: Classes, name: str) -> NDArray[np.float64]:
    """The largest gain (q − p) / p of a value in each class."""
    counted, overall = known_counts(classes, name)
    shares = counted.counts / counted.spread(classes.sizes)
    expected = overall.counts[counted.values] / overall.rows
    return np.asarray(np.maximum(counted.gathered(np.maximum, shares / expected - 1), 0.0))
