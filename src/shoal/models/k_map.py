"""k-map: the labels of every class fit at least k people of a population that the table was drawn from.

L. Sweeney, Computational disclosure control (2001); K. El Emam, F. Dankar (2008), doi:10.1197/jamia.M2716.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.data.classes import Classes
from shoal.kernels.arrays import Flags
from shoal.models.form import Form, Parameter
from shoal.models.model import PrivacyModel, whole_number
from shoal.models.population import people_of


@dataclass(frozen=True, eq=False)
class KMap(PrivacyModel):
    """The labels of a class fit at least `k` people of the `population` (a table, or the path of one)."""

    k: int
    population: Any

    name = "k-map"
    label = "{k}-map"
    promise = "The labels of every class fit at least {k:,} people of the population."
    forms = (
        Form(
            "k-map>={k}",
            "Fits many people (k-map)",
            "|{people of the population who fit E}| ≥ k for every class E",
            (Parameter("k", 2, 200, 1, 5, "people of the population who fit a class, at least"),),
        ),
    )
    monotone = True
    monotone_with_suppression = True
    uses_sensitive = False
    uses_population = True
    weakest = (("k", 1),)

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k))

    @property
    def min_people(self) -> int:
        """k."""
        return self.k

    def satisfied(self, classes: Classes) -> Flags:
        """People ≥ k."""
        return people_of(classes) >= self.k

    def reach(self, whole: Classes) -> str:
        """Say how large the population is."""
        people = people_of(whole)[0]
        return f"the population has {people} people, so k can be at most {people}"

    def reached(self, classes: Classes) -> dict[str, Any]:
        """Return the fewest people whom a class fits."""
        return {"k": int(people_of(classes).min())}
