"""k-anonymity: every class has at least k rows.

P. Samarati, L. Sweeney (1998); L. Sweeney, k-anonymity: a model for protecting privacy (2002),
doi:10.1142/S0218488502001648.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.models.model import PrivacyModel, whole_number


@dataclass(frozen=True)
class KAnonymity(PrivacyModel):
    """Every class has at least `k` rows.

    >>> KAnonymity(3).satisfied(Classes(np.array([2, 3])))
    array([False,  True])
    """

    k: int

    monotone: ClassVar[bool] = True
    monotone_with_suppression: ClassVar[bool] = True
    uses_sensitive: ClassVar[bool] = False

    def __post_init__(self) -> None:
        whole_number("k", self.k)

    @property
    def smallest(self) -> int:
        """k."""
        return self.k

    @property
    def trivial(self) -> bool:
        """Whether k is 1."""
        return self.k == 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """Size ≥ k."""
        return classes.sizes >= self.k

    def reach(self, whole: Classes) -> str:
        """The number of rows."""
        rows = int(whole.sizes[0])
        return f"the table has {rows} row{'s' * (rows != 1)}, so k can be at most {rows}"

    def __str__(self) -> str:
        return f"k = {self.k}"
