"""δ-presence: it stays uncertain whether a person of the population is in the table.

M. E. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases (2007),
doi:10.1145/1247480.1247554.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.errors import InputError
from shoal.models.exact import at_most, exact, fraction
from shoal.models.model import PrivacyModel
from shoal.models.population import people_of


@dataclass(frozen=True, eq=False)
class DeltaPresence(PrivacyModel):
    """`low` ≤ rows of a class / people of the `population` that fit what it shows ≤ `high`."""

    low: float
    high: float
    population: Any

    monotone: ClassVar[bool] = True
    uses_sensitive: ClassVar[bool] = False
    disjoint: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if fraction("low", self.low, at_most="1") > fraction("high", self.high, at_most="1"):
            raise InputError(f"low = {self.low} is above high = {self.high}: give the smaller first.")

    @property
    def trivial(self) -> bool:
        """Whether any share is allowed."""
        return self.low == 0 and self.high == 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """low · people ≤ rows ≤ high · people."""
        people = people_of(classes)
        low, high = exact(self.low), exact(self.high)
        enough = np.ones(len(classes), np.bool_)
        if low:
            enough = at_most(people, np.maximum(classes.sizes, 1), 1 / low) & (classes.sizes > 0)
        return enough & at_most(classes.sizes, np.maximum(people, 1), high) & (people > 0)

    def reach(self, whole: Classes) -> str:
        """The share of the population that is in the table."""
        return f"{whole.sizes[0]} of {people_of(whole)[0]} people are in the table"

    def __str__(self) -> str:
        return f"({self.low}, {self.high})-presence"
