"""Task: what the algorithm is asked, if several rows can be about one person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from shoal.algorithms import ALGORITHMS, Algorithm
from shoal.algorithms.algorithm import describe
from shoal.algorithms.full_domain.lattice import Explored
from shoal.data.budget import budget_of
from shoal.data.persons import Persons, varying
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.models import PrivacyModel
from shoal.models.people import LimitedContribution, OfPeople


@dataclass(frozen=True, eq=False)
class Task:
    """The table and the model for the algorithm, and how its answer is one for all rows.

    whole    the table of all rows
    persons  one row for each person, if all of their rows have the same quasi-identifiers
    varying  the quasi-identifiers that change from row to row, with the number of people for whom they do
    """

    table: Table
    model: PrivacyModel
    whole: Table
    persons: Persons | None = None
    varying: Mapping[str, int] | None = None

    @classmethod
    def of(cls, table: Table, model: PrivacyModel) -> Task:
        """Ask about people if the table knows whose rows they are: about one row for each, if that is enough."""
        if table.units is None:
            return cls(table, model, table)
        changing = varying(table, table.units)
        if changing or any(isinstance(part, LimitedContribution) for part in model.parts):
            return cls(table, model, table, varying=changing)
        persons = Persons.of_rows(table, table.units)
        return cls(persons.table, OfPeople(model, persons.sets, table.overall), table, persons, {})

    def check(self, algorithm: Algorithm) -> None:
        """Refuse an algorithm that cannot count people in rows that differ."""
        if self.persons is None and self.table.units is not None and not getattr(algorithm, "counts_people", False):
            others = ", ".join(name for name, kind in ALGORITHMS.items() if kind().counts_people)
            changing = ", ".join(self.varying or ())
            why = f"quasi-identifiers of a person change from row to row ({changing})"
            raise InputError(
                f"{describe(algorithm)} cannot count people if {why if changing else 'strict is asked for'}: choose "
                f"from {others}."
            )

    def most_suppressed(self, limit: float | int, budget: int) -> int:
        """Return how many rows of the algorithm's table may be suppressed."""
        return budget if self.persons is None else budget_of(limit, self.table.rows)

    def fits(self, recoding: Recoding, budget: int) -> bool:
        """Say whether an answer suppresses at most as many rows as allowed."""
        ids = recoding.ids
        return ids.shape != self.whole.weights.shape or int(self.whole.weights[ids < 0].sum()) <= budget

    def of_rows(self, recoding: Recoding) -> Recoding:
        """Return the answer for people as one for all rows."""
        if self.persons is None or recoding.ids.shape != self.table.weights.shape:
            return recoding
        of = self.persons.of
        ids = recoding.ids[of]
        changes = {"ids": ids, "sizes": self.whole.sizes(ids)}
        if isinstance(recoding, Explored):
            lattice = recoding.lattice
            return replace(recoding, **changes, lattice=replace(lattice, place=lattice.place[of]))  # type: ignore[arg-type]
        return replace(recoding, **changes)  # type: ignore[arg-type]
