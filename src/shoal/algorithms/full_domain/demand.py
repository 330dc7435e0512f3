"""Demand: what is asked of the classes of a node, a model with a limit of suppressed rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.models import KAnonymity, PrivacyModel
from shoal.models.model import AllOf
from shoal.models.population import people_of


@dataclass(frozen=True, eq=False)
class Demand:
    """A model of which at most `max_suppressed` of so many rows may be left out, and never all."""

    model: PrivacyModel
    max_suppressed: int
    rows: int

    @property
    def monotone(self) -> bool:
        """Whether every node above one that satisfies the demand does, too."""
        if self.model.disjoint:
            return False  # in ragged trees classes may cover one another at a node and not below it
        return self.model.monotone_with_suppression if self.max_suppressed else self.model.monotone

    @cached_property
    def needed(self) -> PrivacyModel:
        """The part of the model that a class cannot fail at a node and its rows satisfy at a node below."""
        parts: list[PrivacyModel] = [KAnonymity(self.model.smallest)]
        if self.max_suppressed:
            parts += [part for part in self.model.parts if part.monotone_with_suppression and part.per_class]
        else:
            parts += [part for part in self.model.parts if part.monotone]
        return AllOf(tuple(parts))

    def allows(self, suppressed: int) -> bool:
        """Whether so many rows may be suppressed."""
        return suppressed <= self.max_suppressed and suppressed < self.rows

    def good(self, classes: Classes) -> NDArray[np.bool_]:
        """For each class whether it may be released; a condition on all classes looks at those that others allow."""
        good = classes.sizes > 0
        if not self.nobody_told(classes):
            return np.zeros_like(good)
        for part in self.model.parts:
            if part.per_class:
                good &= part.satisfied(classes)
        for part in self.model.parts:
            if not part.per_class:
                good[good] = part.satisfied(classes.some(good))
        return good

    def nobody_told(self, classes: Classes) -> bool:
        """Whether no people without a row learn more from their absence than a model of presence allows."""
        if not self.model.disjoint:
            return True
        absent = (classes.sizes == 0) & (people_of(classes) > 0)
        return all(part.satisfied(classes)[absent].all() for part in self.model.parts if part.disjoint)
