"""RealDiversity: what the ℓ-diversities of a real number ℓ have in common."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar

from shoal.models.exact import exact, fraction
from shoal.models.sensitive import SensitiveModel


@dataclass(frozen=True)
class RealDiversity(SensitiveModel):
    """A model that needs at least ⌈l⌉ different values in every class; l is a real number from 1."""

    l: float  # noqa: E741
    sensitive: str | None = None

    parameter: ClassVar[str] = "l"
    at_least: ClassVar[bool] = True
    monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        fraction("l", self.l, at_least="1")

    @property
    def smallest(self) -> int:
        """⌈ℓ⌉ different values need as many rows."""
        return ceil(exact(self.l))

    @property
    def trivial(self) -> bool:
        """Whether l is 1."""
        return self.l == 1
