"""δ-presence: it stays uncertain whether a person of the population is in the table.

M. E. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases (2007),
doi:10.1145/1247480.1247554.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.data.classes import Classes
from shoal.errors import InputError
from shoal.kernels.arrays import Flags
from shoal.models.exact import at_most, exact, fraction
from shoal.models.form import Form, Parameter
from shoal.models.model import PrivacyModel
from shoal.models.population import people_of
from shoal.models.sensitive import rounded


@dataclass(frozen=True, eq=False)
class DeltaPresence(PrivacyModel):
    """`low` ≤ rows of a class / people of the `population` who fit its labels ≤ `high`."""

    low: float
    high: float
    population: Any

    name = "delta-presence"
    label = "({low}, {high})-presence"
    promise = (
        "Of the people of the population whom a class fits, a share between {low:g} and {high:g} is in the table: "
        "whether somebody is in it stays uncertain."
    )
    forms = (
        Form(
            "presence({low}, {high})",
            "Presence stays uncertain (δ-presence)",
            "δ_min ≤ |E| / |{people of the population who fit E}| ≤ δ_max for every class E",
            (
                Parameter("low", 0, 1, 0.01, 0, "share of the people who fit, at least", limit=1),
                Parameter("high", 0, 1, 0.01, 0.5, "share of the people who fit, at most", limit=1),
            ),
        ),
    )
    monotone = True
    uses_sensitive = False
    uses_population = True
    disjoint = True
    weakest = (("low", 0), ("high", 1))

    def __post_init__(self) -> None:
        if fraction("low", self.low, at_most="1") > fraction("high", self.high, at_most="1"):
            raise InputError(f"low = {self.low} is above high = {self.high}: give the smaller first.")

    @property
    def hides_absence(self) -> bool:
        """Whether every class must have some of the people who fit it."""
        return bool(self.low)

    def satisfied(self, classes: Classes) -> Flags:
        """low · people ≤ rows ≤ high · people."""
        people = people_of(classes)
        low, high = exact(self.low), exact(self.high)
        enough = np.ones(len(classes), np.bool_)
        if low:
            enough = at_most(people, np.maximum(classes.sizes, 1), 1 / low) & (classes.sizes > 0)
        return enough & at_most(classes.sizes, np.maximum(people, 1), high) & (people > 0)

    def reach(self, whole: Classes) -> str:
        """Say what share of the population is in the table."""
        return f"{whole.sizes[0]} of {people_of(whole)[0]} people are in the table"

    def reached(self, classes: Classes) -> dict[str, Any]:
        """Return the least and the greatest share of the people who fit a class."""
        shares = classes.sizes / np.maximum(1, people_of(classes))
        return {"low": rounded(float(shares.min())), "high": rounded(float(shares.max()))}
