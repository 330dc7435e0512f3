"""Classes of people on both sides of Mondrian's cuts."""

from __future__ import annotations

from functools import cache

import numpy as np

from shoal.data.classes import ByPerson, Classes, Counts
from shoal.data.people import classes_of_people
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.mondrian import Cuts, Partitions
from shoal.kernels.people.cut_sides import people_beside, rows_beside


def people_on_both_sides(partitions: Partitions, table: Table, units: Ints, cuts: Cuts) -> Classes:
    """Return the left sides of cuts and then the right ones as classes; all but their sizes is counted on demand."""

    @cache
    def in_full() -> Classes:
        ids, rows = rows_beside(partitions, cuts)

        def column(name: str) -> tuple[Ints, int]:
            codes, width = table.sensitive_column(name)
            return codes[rows], width

        return classes_of_people(
            ids,
            units[rows],
            weights=partitions.weights[rows],
            classes=2 * cuts.low.size,
            column=column,
            overall=table.overall,
        )

    def most() -> Longs:
        by_person = in_full().by_person
        return np.zeros(0, np.int64) if by_person is None else by_person.most()

    def shares(name: str) -> tuple[Counts, int]:
        by_person = in_full().by_person
        return (in_full().counts(name), 1) if by_person is None else by_person.shares(name)

    by_person = ByPerson(np.concatenate([cuts.left, cuts.right]), most, shares)
    sizes = people_beside(partitions, units, cuts)
    return Classes(sizes, table.overall, lambda name: in_full().counts(name), by_person=by_person)
