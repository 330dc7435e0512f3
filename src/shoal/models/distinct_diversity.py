"""Distinct ℓ-diversity: every class has at least ℓ different sensitive values.

A. Machanavajjhala et al., ℓ-diversity: privacy beyond k-anonymity (2007), doi:10.1145/1217299.1217302.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.data.classes import Classes
from shoal.kernels.arrays import Flags, Longs
from shoal.models.form import Form, Parameter
from shoal.models.model import whole_number
from shoal.models.sensitive import SensitiveModel

L = Parameter("l", 2, 20, 1, 2, "different sensitive values in each class, at least")


@dataclass(frozen=True)
class DistinctDiversity(SensitiveModel):
    """Every class has at least `l` different values of the sensitive attribute (None: of each of them)."""

    l: int  # noqa: E741
    sensitive: str | None = None

    name = "distinct-l"
    label = "distinct l = {l}"
    promise = "Every class has at least {l:,} different values of {columns}."
    forms = (
        Form(
            "distinct l>={l}",
            "Different answers (distinct ℓ-diversity)",
            "|{s : s occurs in E}| ≥ ℓ",
            (L,),
            aliases=("l>={l}",),
            option="l",
        ),
    )
    by_values = True
    parameter = "l"
    at_least = True
    monotone = True
    monotone_with_suppression = True
    weakest = (("l", 1),)

    def __post_init__(self) -> None:
        object.__setattr__(self, "l", whole_number("l", self.l))

    @property
    def smallest(self) -> int:
        """ℓ different values need ℓ rows."""
        return self.l

    def holds(self, classes: Classes, name: str) -> Flags:
        """Different values ≥ ℓ."""
        return classes.distinct(name) >= self.l

    def measured(self, classes: Classes, name: str) -> Longs:
        """The number of different values in each class."""
        return classes.distinct(name)

    def reach(self, whole: Classes) -> str:
        """Say how many different values there are."""
        return different_values(self, whole, "l", self.l)


def different_values(model: SensitiveModel, whole: Classes, parameter: str, wanted: int) -> str:
    """Say how many different values each column has that has too few of them, or each of them if none has."""
    counts = {name: int(whole.distinct(name)[0]) for name in model.attributes(whole)}
    return "; ".join(
        f"column {name!r} has {count} different value{'s' * (count != 1)}, so {parameter} can be at most {count}"
        for name, count in counts.items()
        if count < wanted or min(counts.values()) >= wanted
    )
