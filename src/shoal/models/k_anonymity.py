"""k-anonymity: every class has at least k rows.

P. Samarati, L. Sweeney (1998); L. Sweeney, k-anonymity: a model for protecting privacy (2002),
doi:10.1142/S0218488502001648.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.data.classes import ROWS, Classes, Noun
from shoal.kernels.arrays import Flags
from shoal.models.form import Form, Parameter
from shoal.models.model import PrivacyModel, whole_number

K = Parameter("k", 2, 200, 1, 5, "rows that look the same, at least")


@dataclass(frozen=True)
class KAnonymity(PrivacyModel):
    """Every class has at least `k` rows.

    >>> import numpy as np
    >>> KAnonymity(3).satisfied(Classes(np.array([2, 3])))
    array([False,  True])
    """

    k: int

    name = "k-anonymity"
    label = "k = {k}"
    forms = (Form("k>={k}", "Group size (k-anonymity)", "|E| ≥ k for every class E", (K,), option="k"),)
    monotone = True
    monotone_with_suppression = True
    uses_sensitive = False
    by_size_alone = True
    weakest = (("k", 1),)

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k))

    @property
    def smallest(self) -> int:
        """k."""
        return self.k

    def satisfied(self, classes: Classes) -> Flags:
        """Size ≥ k."""
        return classes.sizes >= self.k

    def reach(self, whole: Classes) -> str:
        """Say how many rows or people there are."""
        size = int(whole.sizes[0])
        return f"the table has {size} {whole.noun.one if size == 1 else whole.noun.many}, so k can be at most {size}"

    def reached(self, classes: Classes) -> dict[str, Any]:
        """Return the size of the smallest class."""
        return {"k": int(classes.sizes.min())}

    def words(self, noun: Noun = ROWS) -> str:
        """Say what the model promises."""
        others = "1 other" if self.k == 2 else f"{self.k - 1:,} others"
        if noun == ROWS:
            return f"Every class has at least {self.k:,} rows: each row looks like at least {others}."
        return f"Every class has rows of at least {self.k:,} people: each person looks like at least {others}."
