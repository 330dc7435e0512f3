"""Distinct ℓ-diversity: every class holds at least ℓ different sensitive values.

A. Machanavajjhala et al., ℓ-diversity: privacy beyond k-anonymity (2007), doi:10.1145/1217299.1217302.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.models.model import PrivacyModel, whole_number
from shoal.models.sensitive import attributes, each


@dataclass(frozen=True)
class DistinctDiversity(PrivacyModel):
    """Every class holds at least `l` different values of the sensitive attribute (None: of each of them)."""

    l: int  # noqa: E741
    sensitive: str | None = None

    monotone: ClassVar[bool] = True
    monotone_with_suppression: ClassVar[bool] = True

    def __post_init__(self) -> None:
        whole_number("l", self.l)

    @property
    def smallest(self) -> int:
        """ℓ different values need ℓ rows."""
        return self.l

    @property
    def trivial(self) -> bool:
        """Whether l is 1."""
        return self.l == 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """Different values ≥ ℓ."""
        return each(distinct_values(classes, name) >= self.l for name in attributes(self.sensitive, classes))

    def reach(self, whole: Classes) -> str:
        """The number of different values."""
        counts = {name: int(distinct_values(whole, name)[0]) for name in attributes(self.sensitive, whole)}
        return "; ".join(
            f"column {name!r} has {count} different value{'s' * (count != 1)}, so l can be at most {count}"
            for name, count in counts.items()
            if count < self.l or min(counts.values()) >= self.l
        )

    def __str__(self) -> str:
        return f"distinct l = {self.l}" + (f" of {self.sensitive!r}" if self.sensitive else "")


def distinct_values(classes: Classes, name: str) -> NDArray[np.int64]:
    """The number of different values of a sensitive attribute in each class."""
    return classes.distinct(name)
