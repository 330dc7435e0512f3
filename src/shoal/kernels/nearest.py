"""The rows nearest to each person, by tables of distances between values and labels, one for each column."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Flags, Floats, Ints, Longs
from shoal.kernels.compiling import compiled

CLOSE = 1e-9  # distances that differ by less are equal: sums of the same numbers in another order


@compiled
def nearest_rows(cells: Floats, starts: Longs, widths: Longs, people: Ints, rows: Ints) -> tuple[Floats, Flags]:
    """Return for each person p the distance of the nearest rows r, and which these are.

    The distance is the sum over the columns j of cells[starts[j] + people[p, j] · widths[j] + rows[j, r]].
    """
    number = rows.shape[1]
    best = np.zeros(people.shape[0], np.float64)
    near = np.zeros((people.shape[0], number), np.bool_)
    sums = np.empty(number, np.float64)
    for person in range(people.shape[0]):
        sums[:] = 0.0
        for column in range(rows.shape[0]):
            start = starts[column] + people[person, column] * widths[column]
            for row in range(number):
                sums[row] += cells[start + rows[column, row]]
        least = sums[0]
        for row in range(1, number):
            least = min(least, sums[row])
        best[person] = least
        for row in range(number):
            near[person, row] = sums[row] <= least + CLOSE
    return best, near


@compiled
def weigh_labels(near: Flags, weights: Floats, starts: Longs, codes: Ints, counts: Longs, width: int) -> Floats:
    """Return for each person p and code c the weight of the near rows: Σ weights[r] · counts of c in row r.

    Row r has `codes[starts[r]:starts[r + 1]]`, each as often as `counts` says.
    """
    votes = np.zeros((near.shape[0], width), np.float64)
    for person in range(near.shape[0]):
        for row in range(near.shape[1]):
            if near[person, row]:
                for entry in range(starts[row], starts[row + 1]):
                    votes[person, codes[entry]] += weights[row] * counts[entry]
    return votes
