"""k-map: what a class shows fits at least k people of a population that the table was drawn from.

L. Sweeney, Computational disclosure control (2001); K. El Emam, F. Dankar (2008), doi:10.1197/jamia.M2716.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.models.model import PrivacyModel, whole_number
from shoal.models.population import people_of


@dataclass(frozen=True, eq=False)
class KMap(PrivacyModel):
    """At least `k` people of the `population` (a table, or the path of one) fit what a class shows."""

    k: int
    population: Any

    monotone: ClassVar[bool] = True
    monotone_with_suppression: ClassVar[bool] = True
    uses_sensitive: ClassVar[bool] = False

    def __post_init__(self) -> None:
        whole_number("k", self.k)

    @property
    def trivial(self) -> bool:
        """Whether k is 1."""
        return self.k == 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """People ≥ k."""
        return people_of(classes) >= self.k

    def reach(self, whole: Classes) -> str:
        """The size of the population."""
        return f"the population has {people_of(whole)[0]} people, so k can be at most {people_of(whole)[0]}"

    def __str__(self) -> str:
        return f"{self.k}-map"
