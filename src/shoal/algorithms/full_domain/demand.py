"""Demand: a model and a limit of suppressed rows, which the classes of a node must satisfy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data.classes import Classes
from shoal.kernels.arrays import Flags
from shoal.models import KAnonymity, PrivacyModel
from shoal.models.model import AllOf
from shoal.models.population import people_of


@dataclass(frozen=True, eq=False)
class Demand:
    """A model for a table of `rows` rows, of which at most `max_suppressed` may be suppressed, and never all."""

    model: PrivacyModel
    max_suppressed: int
    rows: int
    overlapping: bool = False  # whether one person can be in several classes

    @property
    def monotone(self) -> bool:
        """Whether every node above one that satisfies the demand satisfies it, too."""
        if self.model.disjoint:
            return False  # in ragged trees classes may cover one another at a node but not below it
        if self.overlapping:  # joining two classes of the same people can give each of them more values
            return self.model.monotone_with_suppression
        return self.model.monotone_with_suppression if self.max_suppressed else self.model.monotone

    @cached_property
    def needed(self) -> PrivacyModel:
        """The parts of the model that a class must satisfy if its rows satisfy them at a node below."""
        size = KAnonymity(self.model.smallest)
        if self.max_suppressed or self.overlapping:
            parts = [part for part in self.model.parts if part.monotone_with_suppression and part.per_class]
        else:
            parts = [part for part in self.model.parts if part.monotone]
        if not self.overlapping:  # rows and not people are counted, so that the size says all of these
            parts = [part for part in parts if not part.by_size_alone]
        return AllOf((size, *parts)) if parts else size

    def allows(self, suppressed: int) -> bool:
        """Return whether this many rows may be suppressed."""
        return suppressed <= self.max_suppressed and suppressed < self.rows

    def good(self, classes: Classes) -> Flags:
        """Return for each class whether it may be released; conditions on all classes see those that others allow."""
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
        """Return whether people without a row learn no more from their absence than a model of presence allows."""
        if not self.model.disjoint:
            return True
        absent = (classes.sizes == 0) & (people_of(classes) > 0)
        return all(part.satisfied(classes)[absent].all() for part in self.model.parts if part.disjoint)
