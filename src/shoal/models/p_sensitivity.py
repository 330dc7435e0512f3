"""p-sensitive k-anonymity: at least k rows per class and at least p different values of each sensitive attribute.

T. M. Truta, B. Vinay, Privacy protection: p-sensitive k-anonymity property (2006), doi:10.1109/ICDEW.2006.116.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.data.classes import Classes
from shoal.kernels.arrays import Flags, Longs
from shoal.models.distinct_diversity import different_values
from shoal.models.form import Form, Parameter
from shoal.models.k_anonymity import K, KAnonymity
from shoal.models.model import whole_number
from shoal.models.sensitive import SensitiveModel


@dataclass(frozen=True)
class PSensitivity(SensitiveModel):
    """Every class has at least `k` rows and `p` different values: k-anonymity and distinct diversity in one."""

    p: int
    k: int
    sensitive: str | None = None

    name = "p-sensitive-k"
    label = "{p}-sensitive {k}-anonymity"
    promise = "Every class has at least {k:,} {rows} and at least {p:,} different values of {columns}."
    forms = (
        Form(
            "p-sensitive({p}, {k})",
            "Group size and different answers (p-sensitive k-anonymity)",
            "|E| ≥ k and |{s : s occurs in E}| ≥ p",
            (Parameter("p", 2, 20, 1, 2, "different sensitive values in each class, at least"), K),
        ),
    )
    by_values = True
    parameter = "p"
    at_least = True
    monotone = True
    monotone_with_suppression = True
    weakest = (("p", 1), ("k", 1))

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", whole_number("p", self.p))
        object.__setattr__(self, "k", whole_number("k", self.k))

    @property
    def smallest(self) -> int:
        """The larger of k and p."""
        return max(self.k, self.p)

    def holds(self, classes: Classes, name: str) -> Flags:
        """Size ≥ k and different values ≥ p."""
        return (classes.sizes >= self.k) & (classes.distinct(name) >= self.p)

    def measured(self, classes: Classes, name: str) -> Longs:
        """The number of different values in each class."""
        return classes.distinct(name)

    def reach(self, whole: Classes) -> str:
        """Say how many rows there are, or how many different values, whichever is too few."""
        rows, values = KAnonymity(self.k).reach(whole), different_values(self, whole, "p", self.p)
        enough_rows = bool(whole.sizes[0] >= self.k)
        enough_values = all(whole.distinct(name)[0] >= self.p for name in self.attributes(whole))
        if enough_rows == enough_values:
            return f"{rows}; {values}"
        return values if enough_rows else rows

    def reached(self, classes: Classes) -> dict[str, Any]:
        """Return the size of the smallest class and the fewest different values."""
        return KAnonymity(self.k).reached(classes) | super().reached(classes)
