"""Recursive (c,ℓ)-diversity: the most frequent sensitive value does not appear too often, the rarest not too rarely.

A. Machanavajjhala et al., ℓ-diversity: privacy beyond k-anonymity (2007), doi:10.1145/1217299.1217302.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.errors import InputError
from shoal.models.exact import below, exact, fraction
from shoal.models.model import PrivacyModel, whole_number
from shoal.models.sensitive import attributes, each, reached


@dataclass(frozen=True)
class RecursiveDiversity(PrivacyModel):
    """r₁ < `c` (r_l + … + r_m), with the counts of the values in a class sorted downwards."""

    c: float
    l: int  # noqa: E741
    sensitive: str | None = None

    monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if fraction("c", self.c) == 0:
            raise InputError("c = 0 cannot be satisfied: choose a number above 0.")
        whole_number("l", self.l)

    @property
    def smallest(self) -> int:
        """ℓ different values need ℓ rows."""
        return self.l

    @property
    def trivial(self) -> bool:
        """Whether l is 1 and c above 1: r₁ < c (r₁ + … + r_m) always."""
        return self.l == 1 and self.c > 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """r₁ < c (r_ℓ + … + r_m), strictly."""
        bound = exact(self.c)
        return each(below(*_sides(classes, name, self.l), bound) for name in attributes(self.sensitive, classes))

    def reach(self, whole: Classes) -> str:
        """The c that the table stays above."""
        names = attributes(self.sensitive, whole)
        return reached("c", whole, names, lambda classes, name: recursive_c(classes, name, self.l), most=False)

    def __str__(self) -> str:
        return f"recursive ({self.c}, {self.l})-diversity" + (f" of {self.sensitive!r}" if self.sensitive else "")


def recursive_c(classes: Classes, name: str, l: int) -> NDArray[np.float64]:  # noqa: E741
    """r₁ / (r_ℓ + … + r_m) of each class: it satisfies every c above; infinite with fewer than ℓ values."""
    first, tail = _sides(classes, name, l)
    return np.where(tail > 0, first / np.maximum(tail, 1), np.inf)


def _sides(classes: Classes, name: str, l: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # noqa: E741
    counted = classes.counts(name)
    own = counted.spread(np.arange(len(classes)))
    down = counted.counts[np.lexsort((-counted.counts, own))]
    rank = np.arange(down.size) - counted.spread(counted.starts[:-1])
    return counted.most, counted.gathered(np.add, np.where(rank >= l - 1, down, 0))
