"""LinkedRows: people or households who release the same set of rows, because their rows can be linked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms import Auto
from shoal.algorithms.algorithm import Progress, describe
from shoal.algorithms.auto import Choice
from shoal.algorithms.joining import check_per_class
from shoal.algorithms.people.bags import group_bags
from shoal.algorithms.people.joining import Group
from shoal.data.people import classes_of_people
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.data.unit import Unit
from shoal.errors import InputError
from shoal.kernels.arrays import Flags, Ints
from shoal.models import PrivacyModel
from shoal.release.arguments import algorithm_of
from shoal.release.request import Request

WHOSE = {"profiles": "people", "households": "households"}


@dataclass(frozen=True, eq=False)
class LinkedRows:
    """The rows of a table, whose they are, and what each group of people must satisfy."""

    table: Table
    model: PrivacyModel
    unit: Unit
    auto: Auto

    @classmethod
    def of(cls, table: Table, request: Request) -> LinkedRows:
        """Check that the request leaves the algorithm open, and that the model looks at one class at a time."""
        unit, algorithm = request.unit, algorithm_of(request.algorithm)
        if unit is None or not isinstance(algorithm, Auto):
            raise InputError(
                f"{describe(algorithm)} cannot match the rows of people, which the promise of "
                f"{unit.promise if unit else 'profiles'} needs: leave the algorithm out."
            )
        check_per_class("The matching of rows", request.model)
        return cls(table, request.model, unit, algorithm)

    @property
    def choice(self) -> Choice:
        """What auto picked, and why."""
        whose = WHOSE[self.unit.promise]
        choice = Choice(Auto(self.auto.seed), f"auto matches the rows of {whose}, since those of each can be linked.")
        return self.auto.with_effort(choice)

    @property
    def owners(self) -> Ints:
        """The number of the person or household of each row."""
        return np.arange(len(self.table.weights), dtype=np.int32) if self.table.owners is None else self.table.owners

    def recode(self, *, max_dropped: int, progress: Progress) -> Recoding:
        """Group people or households; the rows that are matched show what covers all of them."""
        by_size = all(part.by_size_alone for part in self.model.parts)
        moved = self._people_of_several()
        if moved and not by_size:
            raise InputError(
                f"{moved:,} of the people in {self.unit.column!r} are in several households of {self.unit.group!r}, "
                f"for whom {self.model} cannot be satisfied household by household: name one household for each, or "
                f"choose a model that counts people alone."
            )
        groups = group_bags(
            self.table,
            self.owners,
            k=self.model.smallest,
            max_dropped=max_dropped,
            holds=None if by_size and not moved else self.holds,
            seed=self.auto.seed,
            progress=progress,
        )
        return groups.recoding(self.table)

    def _people_of_several(self) -> int:
        """Count the people who are in several households."""
        if self.table.units is None or self.table.owners is None:
            return 0
        pairs = np.unique(np.column_stack([self.table.units, self.table.owners]), axis=0)
        return int(np.count_nonzero(np.bincount(pairs[:, 0]) > 1))

    def holds(self, groups: list[Group]) -> Flags:
        """Say of each group whether the model holds for its people, and for those of matched rows that show the same.

        A person may have several rows that show the same, and so more values there than in each of them.
        """
        rows = np.concatenate([own for own, _ in groups])
        group = np.repeat(np.arange(len(groups), dtype=np.int32), [own.size for own, _ in groups])
        slots = np.concatenate([own for _, own in groups])
        width = int(slots.max(initial=0)) + 1
        matched = np.unique(group.astype(np.int64) * width + slots, return_inverse=True)[1].astype(np.int32)
        verdict = self._satisfied(group, rows, len(groups))
        shown = Recoding.of_groups(self.table.some(rows), matched).ids
        # Another group that shows the same may still change.
        apart = group.astype(np.int64) * (int(shown.max()) + 1) + shown
        alike = np.unique(apart, return_inverse=True)[1].astype(np.int32)
        np.logical_and.at(verdict, group, self._satisfied(alike, rows, int(alike.max()) + 1)[alike])
        return verdict

    def _satisfied(self, ids: Ints, rows: np.ndarray[tuple[int], np.dtype[np.int64]], classes: int) -> Flags:
        table = self.table

        def column(name: str) -> tuple[Ints, int]:
            codes, width = table.sensitive_column(name)
            return codes[rows], width

        units = self.owners if table.units is None else table.units
        return self.model.satisfied(
            classes_of_people(
                ids,
                units[rows],
                weights=table.weights[rows],
                classes=classes,
                column=column,
                overall=table.overall,
            )
        )
