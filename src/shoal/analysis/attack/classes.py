"""Links between people with several known rows and the people of the original, through the classes of a release.

The release does not say whose rows they are. A class (the different labels of a row) leaves the people who have a row
of the original that it covers. A known row leaves those whom a class that covers it leaves; of several such classes,
those count that leave the fewest. A person is among the people whom all of their known rows leave: if they are fewer
than k, the set of classes that the known rows fall into finds the person. A known row that leaves nobody is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.attack.linking import Covers, Rows, covering_rows
from shoal.kernels.arrays import Ints


@dataclass(frozen=True, eq=False)
class PeopleOfClasses:
    """The people whom each class leaves: those of class i are `people[starts[i]:starts[i + 1]]`."""

    starts: NDArray[np.int64]
    people: NDArray[np.int64]
    number: int

    @classmethod
    def of(cls, original: Rows, owners: Ints, classes: Rows, covers: Sequence[Covers]) -> PeopleOfClasses:
        """Find them, given the rows of the original and the person of each row."""
        number = int(owners.max()) + 1
        rows, found = covering_rows(original, classes, covers)
        order = np.argsort(original.ids, kind="stable")
        starts = np.searchsorted(original.ids[order], np.arange(len(original) + 1))
        repeated = np.diff(starts)[rows]
        within = np.arange(repeated.sum()) - np.repeat(np.cumsum(repeated) - repeated, repeated)
        whose = owners[order[np.repeat(starts[rows], repeated) + within]]
        pairs = np.unique(np.repeat(found, repeated) * number + whose)
        return cls(np.searchsorted(pairs, np.arange(len(classes) + 1) * number), pairs % number, number)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of people whom each class leaves."""
        return np.diff(self.starts)


def left_by_classes(known: Rows, classes: Rows, covers: Sequence[Covers], people: PeopleOfClasses) -> NDArray[np.bool_]:
    """Return for each known row which people the classes leave that cover it and leave the fewest."""
    left = np.zeros((len(known), people.number), np.bool_)
    rows, found = covering_rows(known, classes, covers)
    inhabited = people.sizes[found] > 0
    rows, found = rows[inhabited], found[inhabited]
    fewest = np.full(len(known), np.iinfo(np.int64).max)
    np.minimum.at(fewest, rows, people.sizes[found])
    tells_most = people.sizes[found] == fewest[rows]
    for row, one in zip(rows[tells_most].tolist(), found[tells_most].tolist(), strict=True):
        left[row, people.people[people.starts[one] : people.starts[one + 1]]] = True
    return left
