"""Recursive (c,ℓ)-diversity: the most frequent sensitive value does not appear too often, the rarest not too rarely.

A. Machanavajjhala et al., ℓ-diversity: privacy beyond k-anonymity (2007), doi:10.1145/1217299.1217302.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.data.classes import Classes
from shoal.kernels.arrays import Flags, Floats, Longs
from shoal.models.distinct_diversity import L
from shoal.models.exact import below, exact, fraction
from shoal.models.form import Figure, Form, Parameter
from shoal.models.model import whole_number
from shoal.models.sensitive import SensitiveModel


@dataclass(frozen=True)
class RecursiveDiversity(SensitiveModel):
    """r₁ < `c` (r_l + … + r_m), with the counts of the values in a class in descending order."""

    c: float
    l: int  # noqa: E741
    sensitive: str | None = None

    name = "recursive-cl"
    label = "recursive ({c}, {l})-diversity"
    promise = (
        "In every class the most frequent value of {columns} is rarer than {c:g} times the values from the {l}th most"
        " frequent on together."
    )
    forms = (
        Form(
            "recursive({c}, {l})",
            "No answer stands out (recursive (c, ℓ)-diversity)",
            "r₁ < c · (r_ℓ + … + r_m), with r₁ ≥ r₂ ≥ … the rows of each value",
            (Parameter("c", 0.1, 20, 0.1, 4, "times as frequent, below"), L),
            figures=(
                Figure("recursive_c_2", "recursive c (l = 2)", {"c": 1, "l": 2}),
                Figure("recursive_c_3", "recursive c (l = 3)", {"c": 1, "l": 3}),
            ),
        ),
    )
    by_values = True
    parameter = "c"
    strict = True
    monotone = True

    def __post_init__(self) -> None:
        fraction("c", self.c, positive=True)
        object.__setattr__(self, "l", whole_number("l", self.l))

    @property
    def smallest(self) -> int:
        """ℓ different values need ℓ rows."""
        return self.l

    @property
    def trivial(self) -> bool:
        """Whether l is 1 and c above 1: r₁ < c (r₁ + … + r_m) always."""
        return self.l == 1 and self.c > 1

    def holds(self, classes: Classes, name: str) -> Flags:
        """r₁ < c (r_ℓ + … + r_m), strictly."""
        return below(*_sides(classes, name, self.l), exact(self.c))

    def measured(self, classes: Classes, name: str) -> Floats:
        """r₁ / (r_ℓ + … + r_m) of each class, which satisfies every c above; infinite with fewer than ℓ values."""
        first, tail = _sides(classes, name, self.l)
        return np.where(tail > 0, first / np.maximum(tail, 1), np.inf)


def _sides(classes: Classes, name: str, l: int) -> tuple[Longs, Longs]:  # noqa: E741
    """Return r₁ and r_ℓ + … + r_m of each class."""
    counted = classes.divided(name).counts(name)
    own = counted.spread(np.arange(len(classes)))
    down = counted.counts[np.lexsort((-counted.counts, own))]
    rank = np.arange(down.size) - counted.spread(counted.starts[:-1])
    return counted.most, counted.gathered(np.add, np.where(rank >= l - 1, down, 0))
