"""Re-identification risk: 1 / size of a class for each of its rows.

F. Dankar, K. El Emam, A method for evaluating marketer re-identification risk (2010), doi:10.1145/1754239.1754271.
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
from shoal.models.model import PrivacyModel


@dataclass(frozen=True)
class HighestRisk(PrivacyModel):
    """1 / size ≤ `risk` for every class: nobody can be named with a higher chance."""

    risk: float

    monotone: ClassVar[bool] = True
    monotone_with_suppression: ClassVar[bool] = True
    uses_sensitive: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _check(self.risk)

    @property
    def smallest(self) -> int:
        """1 / risk, rounded up."""
        return ceil(1 / exact(self.risk))

    @property
    def trivial(self) -> bool:
        """Whether the risk may be 1."""
        return self.risk == 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """1 / size ≤ risk."""
        return at_most(np.ones_like(classes.sizes), classes.sizes, exact(self.risk))

    def reach(self, whole: Classes) -> str:
        """1 / rows."""
        return f"the table has {whole.sizes[0]} rows, so the risk is at least 1/{whole.sizes[0]}"

    def __str__(self) -> str:
        return f"highest risk = {self.risk}"


@dataclass(frozen=True)
class AverageRisk(PrivacyModel):
    """Classes / rows ≤ `risk`: the mean over the rows of 1 / size; a condition on all classes at once."""

    risk: float

    monotone: ClassVar[bool] = True
    uses_sensitive: ClassVar[bool] = False
    per_class: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _check(self.risk)

    @property
    def trivial(self) -> bool:
        """Whether the risk may be 1."""
        return self.risk == 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """Classes / rows ≤ risk, the same for every class."""
        count, rows = np.array([np.count_nonzero(classes.sizes)]), np.array([classes.sizes.sum()])
        return np.repeat(at_most(count, rows, exact(self.risk)), len(classes))

    def reach(self, whole: Classes) -> str:
        """1 / rows."""
        return f"the table has {whole.sizes[0]} rows, so the risk is at least 1/{whole.sizes[0]}"

    def __str__(self) -> str:
        return f"average risk = {self.risk}"


def _check(risk: float) -> None:
    if fraction("risk", risk, at_most="1") == 0:
        raise InputError("risk = 0 cannot be satisfied: choose a number above 0.")
