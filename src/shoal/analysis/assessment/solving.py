"""Solvers for the equations of the estimators: the digamma function ψ = Γ′ / Γ, and bisection."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAX_STEPS = 200  # of bisection
LARGE = 8.0  # from here on the first terms of the series are exact to a double
TERMS = (-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132, 691 / 32760, -1 / 12)


def digamma(x: ArrayLike) -> NDArray[np.float64]:
    """Return ψ(x) for x > 0: ψ(x) = ψ(x + 1) − 1 / x up to a large x, then ln x − 1 / (2x) − Σ B₂ᵢ / (2i x²ⁱ).

    >>> round(float(digamma(1.0)), 10)  # minus Euler's constant
    -0.5772156649
    """
    moved = np.array(x, np.float64)
    below = np.zeros_like(moved)
    while (small := moved < LARGE).any():
        below[small] += 1 / moved[small]
        moved[small] += 1
    series = np.zeros_like(moved)
    for term in reversed(TERMS):
        series = (series + term) / moved**2
    return np.asarray(np.log(moved) - 0.5 / moved + series - below)


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Find by bisection where a function changes its sign between two ends."""
    rising = function(high) > 0
    for _ in range(MAX_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if (function(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return (low + high) / 2
