"""(α,k)-anonymity: at least k rows per class, and no sensitive value in more than the share α of them.

R. Wong, J. Li, A. Fu, K. Wang (2006), doi:10.1145/1150402.1150499.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from shoal.data.classes import ROWS, Classes, Noun, Overall
from shoal.kernels.arrays import Flags, Floats
from shoal.models.caps import Caps
from shoal.models.exact import at_most, exact, fraction
from shoal.models.form import Form, Parameter
from shoal.models.k_anonymity import KAnonymity
from shoal.models.model import whole_number
from shoal.models.sensitive import SensitiveModel


@dataclass(frozen=True)
class AlphaK(SensitiveModel):
    """Every class has at least `k` rows and every share q ≤ `alpha`."""

    alpha: float
    k: int
    sensitive: str | None = None

    name = "alpha-k"
    label = "({alpha}, {k})-anonymity"
    forms = (
        Form(
            "alpha<={alpha}",
            "Limited share of one answer ((α, k)-anonymity)",
            "max p(s) ≤ α",
            (Parameter("alpha", 0.05, 1, 0.01, 0.5, "share of one value, at most", limit=1),),
            fixed={"k": 1},
        ),
    )
    parameter = "alpha"
    monotone = True
    weakest = (("alpha", 1), ("k", 1))

    def __post_init__(self) -> None:
        fraction("alpha", self.alpha, at_most="1", positive=True)
        object.__setattr__(self, "k", whole_number("k", self.k))

    @property
    def smallest(self) -> int:
        """k, or as many rows as a share of α needs."""
        return max(self.k, ceil(1 / exact(self.alpha)))

    def holds(self, classes: Classes, name: str) -> Flags:
        """Size ≥ k and every count ≤ α · size."""
        shares = at_most(classes.counts(name).most, classes.sizes, exact(self.alpha))
        return (classes.sizes >= self.k) & shares

    def caps(self, name: str, overall: Overall) -> Caps:
        """No value has more of the rows than α."""
        return Caps.of_values(name, np.full(overall.counts.size, float(exact(self.alpha))), 1.0)

    def measured(self, classes: Classes, name: str) -> Floats:
        """The share of the most frequent value in each class."""
        return np.asarray(classes.counts(name).most / classes.sizes)

    def reach(self, whole: Classes) -> str:
        """Say how many rows there are, and the share of the most frequent value."""
        return f"the table has {whole.sizes[0]} {whole.noun.many}; " + super().reach(whole)

    def reached(self, classes: Classes) -> dict[str, Any]:
        """Return the size of the smallest class and the largest share of a value."""
        return KAnonymity(self.k).reached(classes) | super().reached(classes)

    def words(self, noun: Noun = ROWS) -> str:
        """Say what the model promises."""
        share = f"more than {float(self.alpha):.4g} of the {noun.many}"
        limit = f"In no class does one value of {self.column_words} have {share}."
        return limit if self.k == 1 else f"Every class has at least {self.k:,} {noun.many}. {limit}"
