"""PrivacyModel: what every class of a release must satisfy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.errors import InputError


class PrivacyModel(ABC):
    """A condition on classes; models are combined with `&`.

    `monotone`: classes that satisfy it still do when they are joined. `monotone_with_suppression`: rows may
    be left out on the way. `uses_sensitive`: it looks at sensitive attributes. `per_class`: it can be asked about
    some classes without the others. `disjoint`: it needs classes of which only one can fit a person.
    """

    monotone: ClassVar[bool] = False
    monotone_with_suppression: ClassVar[bool] = False
    uses_sensitive: ClassVar[bool] = True
    per_class: ClassVar[bool] = True
    disjoint: ClassVar[bool] = False

    @property
    def smallest(self) -> int:
        """No class with fewer rows can satisfy the model."""
        return 1

    @property
    def trivial(self) -> bool:
        """Whether every class satisfies the model, so that it protects nobody."""
        return False

    @property
    def parts(self) -> tuple[PrivacyModel, ...]:
        """The models that this one is combined of."""
        return (self,)

    @property
    def populations(self) -> list[Any]:
        """The population tables that it asks about."""
        return [part.population for part in self.parts if hasattr(part, "population")]

    @abstractmethod
    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """For each class, whether it satisfies the model."""

    @abstractmethod
    def reach(self, whole: Classes) -> str:
        """What the table as one class reaches: the most that can be asked of it."""

    def __and__(self, other: PrivacyModel) -> PrivacyModel:
        if not isinstance(other, PrivacyModel):
            return NotImplemented
        return AllOf((*self.parts, *other.parts))


@dataclass(frozen=True)
class AllOf(PrivacyModel):
    """Several models at once, as `KAnonymity(5) & DistinctDiversity(2)`."""

    models: tuple[PrivacyModel, ...]

    @property
    def monotone(self) -> bool:  # type: ignore[override]
        """Whether all of them are."""
        return all(model.monotone for model in self.models)

    @property
    def monotone_with_suppression(self) -> bool:  # type: ignore[override]
        """Whether all of them are."""
        return all(model.monotone_with_suppression for model in self.models)

    @property
    def uses_sensitive(self) -> bool:  # type: ignore[override]
        """Whether one of them does."""
        return any(model.uses_sensitive for model in self.models)

    @property
    def disjoint(self) -> bool:  # type: ignore[override]
        """Whether one of them does."""
        return any(model.disjoint for model in self.models)

    @property
    def per_class(self) -> bool:  # type: ignore[override]
        """Whether all of them are."""
        return all(model.per_class for model in self.models)

    @property
    def smallest(self) -> int:
        """The largest of their smallest classes."""
        return max(model.smallest for model in self.models)

    @property
    def trivial(self) -> bool:
        """Whether all of them are."""
        return all(model.trivial for model in self.models)

    @property
    def parts(self) -> tuple[PrivacyModel, ...]:
        """The models themselves."""
        return self.models

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """For each class, whether it satisfies all of them."""
        satisfied = np.ones(len(classes), np.bool_)
        for model in self.models:
            satisfied &= model.satisfied(classes)
        return satisfied

    def reach(self, whole: Classes) -> str:
        """What the table reaches under those of them that it fails."""
        failed = [model for model in self.models if not model.satisfied(whole).all()]
        return "; ".join(model.reach(whole) for model in failed or self.models)

    def __str__(self) -> str:
        return " and ".join(str(model) for model in self.models)


def whole_number(name: str, value: object) -> None:
    """Refuse a parameter that is not a whole number from 1; 1 itself is for tests of a table, not for a release."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputError(f"{name} must be a whole number of at least 2, not {value!r}.")
    if value < 1:
        raise InputError(f"{name} = {value} is too small: choose a whole number of at least 2.")
