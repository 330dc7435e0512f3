"""RealDiversity: what the ℓ-diversities of a real number ℓ have in common."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from shoal.models.exact import exact, fraction
from shoal.models.sensitive import SensitiveModel


@dataclass(frozen=True)
class RealDiversity(SensitiveModel):
    """A model that needs at least ⌈l⌉ different values in every class; l is a real number from 1."""

    l: float  # noqa: E741
    sensitive: str | None = None

    parameter = "l"
    at_least = True
    monotone = True
    weakest = (("l", 1),)

    def __post_init__(self) -> None:
        fraction("l", self.l, at_least="1")

    @property
    def smallest(self) -> int:
        """⌈ℓ⌉ different values need as many rows."""
        return ceil(exact(self.l))
