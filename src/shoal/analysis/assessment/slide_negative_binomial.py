"""The slide negative binomial model of a population's classes.

G. Chen, S. Keller-McNulty, Estimation of identification disclosure risk in microdata, Journal of Official Statistics
14(1), 1998. The letters are those of `uniqueness.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import exp, isfinite, log, nan

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.assessment.solving import root

GRID = np.linspace(-25.0, 12.0, 400).tolist()  # of ln(β / (1 − β))
TINY = 1e-300


def snb(sizes: NDArray[np.int64], counts: NDArray[np.int64], sampled: float) -> float | None:
    """Return K β^α: the classes of one person if P(F = j) = C(α + j − 2, j − 1) β^α (1 − β)^(j−1).

    K is the modified estimator of Shlosser; α > 0 and 0 < β < 1 solve, with d = (1 − π)(1 − β),
    s₁ = K π (β / (1 − d))^α (1 + α d / (1 − d)) and s₂ = K π² α (1 − β) β^α (2 − (1 − α) d) / (2 (1 − d)^(α+2)).
    If there are several solutions, the one whose mean number of rows, K π (1 + α (1 − β) / β), is nearest to n is used.
    """
    rows = int((sizes * counts).sum())
    once, twice = (int(counts[sizes == j].sum()) for j in (1, 2))
    classes = shlosser(sizes, counts, sampled)
    if once == 0 or twice == 0 or not isfinite(classes):
        return None
    equations = _Equations(sampled, once / (classes * sampled), twice / (classes * sampled**2))
    solutions = list(equations.solutions())
    if not solutions:
        return None

    def off(solution: tuple[float, float]) -> float:
        alpha, beta = solution
        return abs(log(classes * sampled * (1 + alpha * (1 - beta) / beta) / rows))

    alpha, beta = min(solutions, key=off)
    uniques = classes * exp(alpha * log(beta))
    return uniques if uniques * sampled <= rows else None


@dataclass(frozen=True)
class _Equations:
    """The two equations, each divided by K and its power of π: `once` = s₁ / (K π), `twice` = s₂ / (K π²)."""

    sampled: float
    once: float
    twice: float

    def solutions(self) -> Iterator[tuple[float, float]]:
        """Yield each α and β that solve both equations: where the second changes sign on the curve of the first."""
        for after_peak in (False, True):

            def miss(x: float, after_peak: bool = after_peak) -> float:
                return self.miss(1 / (1 + exp(-x)), after_peak)

            values = [miss(x) for x in GRID]
            for at, (left, right) in enumerate(pairwise(values)):
                if left * right < 0:
                    beta = 1 / (1 + exp(-root(miss, GRID[at], GRID[at + 1])))
                    yield self.alpha(beta, after_peak), beta

    def miss(self, beta: float, after_peak: bool) -> float:
        """Return ln(right side / left side) of the second equation, with the α of the first."""
        alpha, d = self.alpha(beta, after_peak), (1 - self.sampled) * (1 - beta)
        if not alpha > TINY:
            return nan
        logs = log(alpha * (1 - beta) / 2) + alpha * log(beta) + log(2 - (1 - alpha) * d)
        return logs - (alpha + 2) * log(1 - d) - log(self.twice)

    def alpha(self, beta: float, after_peak: bool) -> float:
        """Solve the first equation, e^(−rα) (1 + cα) = once, for α on one side of its peak; NaN without a solution."""
        d = (1 - self.sampled) * (1 - beta)
        c, r = d / (1 - d), log((1 - d) / beta)
        peak = max(0.0, 1 / r - 1 / c)

        def rest(alpha: float) -> float:
            return log(1 + c * alpha) - r * alpha - log(self.once)

        if rest(peak) < 0 or (not after_peak and rest(0.0) >= 0):
            return nan
        if not after_peak:
            return root(rest, 0.0, peak)
        high = peak + 1.0
        while rest(high) > 0:
            high *= 2
        return root(rest, peak, high)


def shlosser(sizes: NDArray[np.int64], counts: NDArray[np.int64], sampled: float) -> float:
    """Estimate the number of classes of the population by Shlosser's estimator, modified by P. Haas, L. Stokes (1998).

    u + s₁ · Σ j π² (1 − π²)^(j−1) s_j / Σ (1 − π)^j ((1 + π)^j − 1) s_j · (Σ (1 − π)^j s_j / Σ j π (1 − π)^(j−1) s_j)²,
    doi:10.1080/01621459.1998.10473807.
    """
    j, s, q = sizes.astype(np.float64), counts.astype(np.float64), sampled
    left = np.dot(s, j * q**2 * (1 - q**2) ** (j - 1)) / np.dot(s, (1 - q**2) ** j - (1 - q) ** j)
    right = np.dot(s, (1 - q) ** j) / np.dot(s, j * q * (1 - q) ** (j - 1))
    return float(s.sum() + s[sizes == 1].sum() * left * right**2)
