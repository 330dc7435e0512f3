"""What the successes of predicates on a control group would be if the group had as many people as the original.

A predicate that fits a random person with a chance w fits exactly one of n with a chance n·w·(1 − w)^(n − 1). As in
Anonymeter (Giomi et al. 2023), the chances are taken to be spread evenly from 0 to an upper end, which is found from
how the successes change with the size of the group.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Floats, Longs


def corrected(fits: Longs, people: int, size: int) -> float:
    """Return the expected number of predicates that fit exactly one of `size` people.

    fits    how many of the control group each predicate fits
    people  the number of people in the control group
    """
    successes = float((fits == 1).sum())
    if people == size or not successes:
        return successes
    half = max(1, people // 2)
    upper = _upper_end(_thinned(fits, people, half).sum() / successes, people, half)
    return min(float(fits.size), successes * _integral(size, upper) / _integral(people, upper))


def _thinned(fits: Longs, people: int, some: int) -> Floats:
    """Return the chance that each predicate fits exactly one of some people, drawn from the group."""
    share = some / people
    return np.where(fits > 0, fits * share * (1 - share) ** np.maximum(fits - 1, 0), 0.0)


def _integral(people: int, upper: float) -> float:
    """Return ∫ n·w·(1 − w)^(n − 1) dw from 0 to an upper end."""
    return (1 - (people * upper + 1) * (1 - upper) ** people) / (people + 1)


def _upper_end(ratio: float, people: int, half: int) -> float:
    """Find the upper end with which the half of the people has the given ratio of successes, by halving the interval.

    The ratio grows with the end: if few people fit, twice as many people are fitted twice as often.
    """
    low, high = 1e-3 / people, 1.0
    for _ in range(60):
        middle = (low * high) ** 0.5
        if _integral(half, middle) / _integral(people, middle) < ratio:
            low = middle
        else:
            high = middle
    return low
