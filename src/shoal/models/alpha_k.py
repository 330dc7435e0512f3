"""(α,k)-anonymity: at least k rows per class, and no sensitive value in more than the share α of them.

R. Wong, J. Li, A. Fu, K. Wang (2006), doi:10.1145/1150402.1150499.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.errors import InputError
from shoal.models.exact import at_most, exact, fraction
from shoal.models.model import PrivacyModel, whole_number
from shoal.models.sensitive import attributes, each, reached


@dataclass(frozen=True)
class AlphaK(PrivacyModel):
    """Every class has at least `k` rows and every share q ≤ `alpha`."""

    alpha: float
    k: int
    sensitive: str | None = None

    monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if fraction("alpha", self.alpha, at_most="1") == 0:
            raise InputError("alpha = 0 cannot be satisfied: choose a number above 0.")
        whole_number("k", self.k)

    @property
    def smallest(self) -> int:
        """k, or as many rows as a share of α needs."""
        return max(self.k, ceil(1 / exact(self.alpha)))

    @property
    def trivial(self) -> bool:
        """Whether alpha and k are 1."""
        return self.alpha == 1 and self.k == 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """Size ≥ k and every count ≤ α · size."""
        bound = exact(self.alpha)
        return (classes.sizes >= self.k) & each(
            at_most(classes.counts(name).most, classes.sizes, bound) for name in attributes(self.sensitive, classes)
        )

    def reach(self, whole: Classes) -> str:
        """The share of the most frequent value, and the rows."""
        names = attributes(self.sensitive, whole)
        return f"the table has {whole.sizes[0]} rows; " + reached("alpha", whole, names, alpha, most=False)

    def __str__(self) -> str:
        return f"({self.alpha}, {self.k})-anonymity" + (f" of {self.sensitive!r}" if self.sensitive else "")


def alpha(classes: Classes, name: str) -> NDArray[np.float64]:
    """The share of the most frequent value in each class."""
    return np.asarray(classes.counts(name).most / classes.sizes)
