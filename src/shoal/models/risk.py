"""Re-identification risk: 1 / size of a class for each of its rows.

F. Dankar, K. El Emam, A method for evaluating marketer re-identification risk (2010), doi:10.1145/1754239.1754271.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from shoal.data.classes import Classes
from shoal.kernels.arrays import Flags
from shoal.models.exact import at_most, exact, fraction
from shoal.models.form import Form, Parameter
from shoal.models.model import PrivacyModel
from shoal.models.sensitive import rounded


@dataclass(frozen=True)
class Risk(PrivacyModel):
    """A limit to the risk that a row is traced to its person."""

    risk: float

    monotone = True
    uses_sensitive = False
    weakest = (("risk", 1),)

    def __post_init__(self) -> None:
        fraction("risk", self.risk, at_most="1", positive=True)

    @abstractmethod
    def measured(self, classes: Classes) -> float:
        """Return the risk of the classes."""

    def reach(self, whole: Classes) -> str:
        """Say how low the risk can be: 1 / rows."""
        return f"the table has {whole.sizes[0]} {whole.noun.many}, so the risk is at least 1/{whole.sizes[0]}"

    def reached(self, classes: Classes) -> dict[str, Any]:
        """Return the risk of the classes."""
        return {"risk": rounded(self.measured(classes))}


@dataclass(frozen=True)
class HighestRisk(Risk):
    """1 / size ≤ `risk` for every class: nobody can be identified with a higher probability."""

    name = "highest-risk"
    label = "highest risk = {risk}"
    promise = "Nobody is found with a probability above {risk:g} by the quasi-identifiers."
    forms = (
        Form(
            "risk<={risk}",
            "Highest risk",
            "1 / |E| ≤ risk for every class E",
            (Parameter("risk", 0.01, 0.5, 0.01, 0.2, "probability, at most", limit=1),),
            aliases=("highest risk<={risk}",),
        ),
    )
    monotone_with_suppression = True
    by_size_alone = True

    @property
    def smallest(self) -> int:
        """1 / risk, rounded up."""
        return ceil(1 / exact(self.risk))

    def satisfied(self, classes: Classes) -> Flags:
        """1 / size ≤ risk."""
        return at_most(np.ones_like(classes.sizes), classes.sizes, exact(self.risk))

    def measured(self, classes: Classes) -> float:
        """1 / size of the smallest class."""
        return 1 / int(classes.sizes.min())


@dataclass(frozen=True)
class AverageRisk(Risk):
    """Classes / rows ≤ `risk`: the mean over the rows of 1 / size; a condition on all classes together."""

    name = "average-risk"
    label = "average risk = {risk}"
    promise = "On average a person is found with a probability of at most {risk:g} by the quasi-identifiers."
    forms = (
        Form(
            "average risk<={risk}",
            "Average risk",
            "(number of classes) / (number of rows) ≤ risk",
            (Parameter("risk", 0.001, 0.5, 0.001, 0.05, "probability on average, at most", limit=1),),
        ),
    )
    per_class = False

    def satisfied(self, classes: Classes) -> Flags:
        """Classes / rows ≤ risk, the same for every class."""
        count, rows = np.array([np.count_nonzero(classes.sizes)]), np.array([classes.sizes.sum()])
        return np.repeat(at_most(count, rows, exact(self.risk)), len(classes))

    def measured(self, classes: Classes) -> float:
        """Classes / rows."""
        return len(classes) / int(classes.sizes.sum())
