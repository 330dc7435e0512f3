"""Pitman's model of a population's classes.

J. Pitman (1995), doi:10.1007/BF01213386; N. Hoshino, Applying Pitman's sampling formula to microdata disclosure risk
assessment, Journal of Official Statistics 17(4), 2001.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.assessment.solving import digamma, root

NEAR_ZERO, EVEN = 1e-6, 1e4  # the |α| between which the model is searched below 0


def pitman(sizes: NDArray[np.int64], counts: NDArray[np.int64], population: int) -> float | None:
    """Return E S₁ = N Γ(θ + 1) Γ(N + θ + α − 1) / (Γ(θ + α) Γ(N + θ)) with the θ and α of the greatest likelihood.

    ln L = Σ_{i<u} ln(θ + iα) − Σ_{i<n} ln(θ + i) + Σ_j s_j Σ_{i<j} ln(i − α), for α < 1 and θ > −α, or θ > −α (u − 1)
    if α < 0, which is Pitman's model with a finite number −θ/α of possible classes. The expectation is the exact
    one; Hoshino gives its limit for large N, N^α Γ(θ + 1) / Γ(θ + α). None if every class has one row, or all rows
    are one class.
    """
    rows, classes = int((sizes * counts).sum()), int(counts.sum())
    if classes in (1, rows):
        return None

    def theta_of(alpha: float) -> float:
        # The slope of ln L is above 0 for the least θ and below 0 for a large one.
        least = max(-alpha, -alpha * (classes - 1))

        def slope(x: float) -> float:
            theta = least + exp(x)
            return _steps(theta, alpha, classes) - _steps(theta, 1.0, rows)

        return least + exp(root(slope, -40.0, log(rows) + 60.0))

    def slope(alpha: float) -> float:
        theta = theta_of(alpha)
        inside = (classes - 1 - theta * _steps(theta, alpha, classes)) / alpha
        return inside - float(np.dot(counts, digamma(sizes - alpha) - digamma(1 - alpha)))

    if slope(NEAR_ZERO) > 0:
        alpha = root(slope, NEAR_ZERO, 1 - 1e-9)
    elif slope(-EVEN) > 0:
        alpha = -exp(root(lambda x: slope(-exp(x)), log(NEAR_ZERO), log(EVEN)))
    else:
        alpha = -EVEN  # ln L rises without end: all classes are about equally likely
    theta = theta_of(alpha)
    return population * exp(_log_gamma(population + theta, alpha - 1) - _log_gamma(theta + 1, alpha - 1))


def _steps(start: float, step: float, terms: int) -> float:
    """Return Σ_{i=1}^{terms−1} 1 / (start + i step), whose terms are all above 0."""
    if step < 0:
        start, step = start + terms * step, -step
    x = start / step
    if x > 1e5:  # the difference of two digammas would lose its digits
        return log1p((terms - 1) / (x + 0.5)) / step
    return float(digamma(x + terms) - digamma(x + 1)) / step


def _log_gamma(x: float, shift: float) -> float:
    """Return ln Γ(x + shift) − ln Γ(x), by Stirling's formula if the difference would lose its digits."""
    if x < 1e5:
        return lgamma(x + shift) - lgamma(x)
    moved = (x + shift - 0.5) * log1p(shift / x) + shift * log(x) - shift
    return moved + (1 / (x + shift) - 1 / x) / 12
