"""People of an assessment: who has a row in which class, and how many share all that can be linked of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.classes import Classes
from shoal.data.grouping import Grouping
from shoal.data.rows import group_rows, histogram
from shoal.kernels.arrays import Ints, Longs
from shoal.models.sensitive import rounded
from shoal.release.risk import Risk, risk_of
from shoal.release.verification.people import profiles


@dataclass(frozen=True, eq=False)
class Members:
    """Each person of each class, once: the class, and the person."""

    classes: Classes
    inside: Ints
    people: Ints

    @classmethod
    def of(cls, grouping: Grouping) -> Members | None:
        """List the people of classes; None if rows are counted."""
        units = grouping.table.units
        if units is None:
            return None
        rows = np.flatnonzero(grouping.ids >= 0)
        ids, people = grouping.ids[rows], units[rows]
        firsts = group_rows([ids, people], [grouping.firsts.size, int(people.max(initial=0)) + 1], rows.size)[1]
        return cls(grouping.classes, ids[firsts], people[firsts])

    def number(self, which: NDArray[np.int64]) -> int:
        """Count the people who have a row in one of these classes."""
        chosen = np.zeros(self.classes.sizes.size, np.bool_)
        chosen[which] = True
        return int(np.unique(self.people[chosen[self.inside]]).size)

    @property
    def smallest(self) -> Longs:
        """The size of the smallest class that each person is in, where they are found most easily."""
        smallest = np.full(int(self.people.max()) + 1, np.iinfo(np.int64).max)
        np.minimum.at(smallest, self.people, self.classes.sizes[self.inside])
        return smallest[np.unique(self.people)]

    def risk(self, threshold: float) -> Risk:
        """Summarize the risk of people, each by the class in which it is highest."""
        smallest = self.smallest
        return risk_of(np.ones_like(smallest), smallest, threshold)


def people_of(grouping: Grouping, members: Members | None, unit: str | None) -> dict[str, Any] | None:
    """Say who is counted, how many rows they have, and how many people share whole sets of rows, if they are linked."""
    units = grouping.table.units
    if units is None or members is None:
        return None
    rows, smallest = np.bincount(units), members.smallest
    shown = np.flatnonzero(grouping.ids >= 0)
    owners = units[shown].astype(np.int64)
    of_person = np.zeros(int(owners.max()) + 1, np.int64)
    of_person[owners] = profiles(grouping.ids[shown].astype(np.int64), owners)
    alike = np.bincount(of_person[np.unique(owners)])
    return {
        "unit": unit,
        "people": grouping.table.people,
        "rows_per_person": rounded(grouping.table.rows / grouping.table.people),
        "most_rows_of_a_person": int(rows.max()),
        "by_smallest_class": histogram(smallest, np.ones_like(smallest)),
        "share_a_profile": int(alike[alike > 0].min()),
        "unique_profiles": int((alike == 1).sum()),
    }
