"""Frequency ℓ-diversity: no sensitive value has more than 1/ℓ of the rows of a class.

J. Goldberger, T. Tassa, Efficient anonymizations with enhanced utility, Transactions on Data Privacy 3(2), 2010,
after R. Wong et al. (2006), doi:10.1145/1150402.1150499.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.models.exact import at_most, exact, fraction
from shoal.models.model import PrivacyModel
from shoal.models.sensitive import attributes, each, reached


@dataclass(frozen=True)
class FrequencyDiversity(PrivacyModel):
    """Every value has at most |class| / `l` of the rows of a class; l is a real number from 1."""

    l: float  # noqa: E741
    sensitive: str | None = None

    monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        fraction("l", self.l, at_least="1")

    @property
    def smallest(self) -> int:
        """One of ℓ rows may have the value."""
        return ceil(exact(self.l))

    @property
    def trivial(self) -> bool:
        """Whether l is 1."""
        return self.l == 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """Most frequent ≤ size / ℓ."""
        bound = 1 / exact(self.l)
        return each(
            at_most(classes.counts(name).most, classes.sizes, bound) for name in attributes(self.sensitive, classes)
        )

    def reach(self, whole: Classes) -> str:
        """Rows / rows of the most frequent value."""
        return reached("l", whole, attributes(self.sensitive, whole), frequency_l, most=True)

    def __str__(self) -> str:
        return f"frequency l = {self.l}" + (f" of {self.sensitive!r}" if self.sensitive else "")


def frequency_l(classes: Classes, name: str) -> NDArray[np.float64]:
    """The largest ℓ that each class satisfies."""
    return np.asarray(classes.sizes / classes.counts(name).most)
