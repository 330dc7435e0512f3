"""Models of people: each person is one row of a table, with the set of their sensitive values in place of a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from shoal.data.classes import ByPerson, Classes, Counts, Overall
from shoal.data.persons import ValueSets
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.models.k_anonymity import KAnonymity
from shoal.models.model import PrivacyModel


def for_people(model: PrivacyModel) -> PrivacyModel:
    """Return a model that asks for as many people as it needs rows, since one person can have ℓ different values."""
    asked = max((part.k for part in model.parts if isinstance(part, KAnonymity)), default=1)
    needed = max((part.smallest for part in model.parts if part.by_values), default=1)
    return model & KAnonymity(needed) if needed > asked else model


@dataclass(frozen=True, eq=False)
class OfPeople(PrivacyModel):
    """A model of people, asked about a table with one row for each of them.

    sets     the values behind each code, by sensitive attribute of which some people have several
    overall  the attributes in the whole table, by value
    """

    model: PrivacyModel
    sets: Mapping[str, ValueSets]
    overall: Mapping[str, Overall] = field(repr=False)

    @property
    def monotone(self) -> bool:  # type: ignore[override]
        """Whether the model is."""
        return self.model.monotone

    @property
    def monotone_with_suppression(self) -> bool:  # type: ignore[override]
        """Whether the model is."""
        return self.model.monotone_with_suppression

    @property
    def by_size_alone(self) -> bool:  # type: ignore[override]
        """Whether the model is satisfied by its size alone."""
        return self.model.by_size_alone

    @property
    def uses_sensitive(self) -> bool:  # type: ignore[override]
        """Whether the model does."""
        return self.model.uses_sensitive

    @property
    def per_class(self) -> bool:  # type: ignore[override]
        """Whether the model is."""
        return self.model.per_class

    @property
    def smallest(self) -> int:
        """The fewest people of a class."""
        return self.model.smallest

    @property
    def trivial(self) -> bool:
        """Whether the model is."""
        return self.model.trivial

    @property
    def share_limit(self) -> Fraction | None:
        """That of the model, unless a person can have several values."""
        return None if self.sets else self.model.share_limit

    @property
    def parts(self) -> tuple[PrivacyModel, ...]:
        """The models that it combines, each asked about people."""
        return tuple(OfPeople(part, self.sets, self.overall) for part in self.model.parts)

    def attributes(self, classes: Classes) -> tuple[str, ...]:
        """Return the sensitive attributes that the model looks at."""
        return self.model.attributes(classes)

    def satisfied(self, classes: Classes) -> Flags:
        """Return for each class of people whether it satisfies the model."""
        return self.model.satisfied(self._by_value(classes))

    def reach(self, whole: Classes) -> str:
        """Say what all people as one class reach."""
        return self.model.reach(self._by_value(whole))

    def _by_value(self, classes: Classes) -> Classes:
        """Count the people who have each value, instead of those who have each set of values."""

        def expanded(name: str) -> tuple[Longs, Ints, Longs, Longs]:
            """Return for each value of each set that a class has: class, value, people, and values of the set."""
            held, sets = classes.counts(name), self.sets[name]
            places, entries = sets.entries(held.values)
            own = held.spread(np.arange(len(classes)))
            return own[places], entries, held.counts[places], sets.sizes[held.values][places]

        def counts(name: str) -> Counts:
            if name not in self.sets:
                return classes.counts(name)
            own, values, people, _ = expanded(name)
            return self._counts(name, own, values, people, len(classes))

        def shares(name: str) -> tuple[Counts, int]:
            if name not in self.sets:
                return classes.counts(name), 1
            own, values, people, sizes = expanded(name)
            one = self.sets[name].one(int(classes.sizes.sum()))
            return self._counts(name, own, values, people * (one // sizes), len(classes)), one

        by_person = ByPerson(classes.sizes, lambda: np.ones(len(classes), np.int64), shares)
        return Classes(classes.sizes, self.overall, counts, by_person=by_person)

    def _counts(self, name: str, ids: Longs, values: Ints, weights: Longs, classes: int) -> Counts:
        width = self.overall[name].counts.size
        return Counts.of(values, ids.astype(np.int32), weights=weights, classes=classes, values=width)

    def __str__(self) -> str:
        return str(self.model)


@dataclass(frozen=True)
class LimitedContribution(PrivacyModel):
    """Every class has at least `k` times as many rows as any person has in it, so that no row is anybody's with more
    than 1 / k.

    Joining classes keeps it, as what a person has in both is at most the sum of the most in each.
    """

    k: int

    name = "limited-contribution"
    label = "at most 1/{k} of a class by one person"
    promise = "Nobody has more than one row in {k:,} of a class."
    monotone = True
    uses_sensitive = False
    weakest = (("k", 1),)

    @property
    def smallest(self) -> int:
        """k people with a row each."""
        return self.k

    def satisfied(self, classes: Classes) -> Flags:
        """Rows ≥ k × the most rows of one person."""
        if classes.by_person is None:
            return classes.sizes >= self.k
        return classes.rows >= self.k * classes.by_person.most()

    def reach(self, whole: Classes) -> str:
        """Say what share of all rows one person has."""
        most = 1 if whole.by_person is None else int(whole.by_person.most()[0])
        rows = int(whole.rows[0])
        return f"one person has {most:,} of the {rows:,} rows, so k can be at most {rows // most}"
