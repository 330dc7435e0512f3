"""p-sensitive k-anonymity: at least k rows per class and at least p different values of each sensitive attribute.

T. M. Truta, B. Vinay, Privacy protection: p-sensitive k-anonymity property (2006), doi:10.1109/ICDEW.2006.116.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.models.distinct_diversity import DistinctDiversity
from shoal.models.k_anonymity import KAnonymity
from shoal.models.model import PrivacyModel, whole_number


@dataclass(frozen=True)
class PSensitivity(PrivacyModel):
    """Every class has at least `k` rows and `p` different values: k-anonymity and distinct diversity at once."""

    p: int
    k: int
    sensitive: str | None = None

    monotone: ClassVar[bool] = True
    monotone_with_suppression: ClassVar[bool] = True

    def __post_init__(self) -> None:
        whole_number("p", self.p)
        whole_number("k", self.k)

    @property
    def _both(self) -> PrivacyModel:
        return KAnonymity(self.k) & DistinctDiversity(self.p, self.sensitive)

    @property
    def smallest(self) -> int:
        """The larger of k and p."""
        return self._both.smallest

    @property
    def trivial(self) -> bool:
        """Whether p and k are 1."""
        return self._both.trivial

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """Size ≥ k and different values ≥ p."""
        return self._both.satisfied(classes)

    def reach(self, whole: Classes) -> str:
        """The rows and the different values."""
        return self._both.reach(whole).replace("so l can", "so p can")

    def __str__(self) -> str:
        return f"{self.p}-sensitive {self.k}-anonymity" + (f" of {self.sensitive!r}" if self.sensitive else "")
