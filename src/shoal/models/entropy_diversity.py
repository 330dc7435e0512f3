"""Entropy ℓ-diversity: the entropy of the sensitive values in a class is at least log ℓ.

A. Machanavajjhala et al., ℓ-diversity: privacy beyond k-anonymity (2007), doi:10.1145/1217299.1217302.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import log, prod

import numpy as np

from shoal.data.classes import Classes, Counts
from shoal.kernels.arrays import Flags, Floats
from shoal.models.exact import MARGIN, exact, sign_of_logs
from shoal.models.form import Form, Parameter
from shoal.models.real_diversity import RealDiversity

ROUNDING = 1e-14  # error of an entropy for each value that is added
MAX_POWER_BITS = 1 << 13  # up to which whole powers are faster than logarithms


@dataclass(frozen=True)
class EntropyDiversity(RealDiversity):
    """−Σ q ln q ≥ ln `l`, which needs at least ⌈l⌉ different values; l is a real number from 1."""

    name = "entropy-l"
    label = "entropy l = {l}"
    promise = "In every class the values of {columns} are at least as uncertain as {l:g} equally frequent ones."
    forms = (
        Form(
            "entropy l>={l}",
            "Well mixed answers (entropy ℓ-diversity)",
            "−Σ p(s) · ln p(s) ≥ ln ℓ",
            (Parameter("l", 1.1, 20, 0.1, 2, "number of equally frequent values, at least"),),
        ),
    )

    by_values = True

    def holds(self, classes: Classes, name: str) -> Flags:
        """H ≥ ln ℓ, which no class with fewer than ℓ values reaches."""
        return _diverse(classes.divided(name).counts(name), exact(self.l))

    def measured(self, classes: Classes, name: str) -> Floats:
        """exp H of each class: the largest ℓ that it satisfies."""
        return np.exp(_entropy(classes.divided(name).counts(name)))


def _entropy(counted: Counts) -> Floats:
    shares = counted.counts / counted.spread(counted.gathered(np.add, counted.counts))
    return -counted.gathered(np.add, shares * np.log(shares))


def _diverse(counted: Counts, bound: Fraction) -> Flags:
    """Compare the entropies with ln ℓ, those near it exactly."""
    entropy, limit = _entropy(counted), log(bound)
    verdict = entropy >= limit
    decided: dict[tuple[int, ...], bool] = {}
    margin = MARGIN + ROUNDING * counted.lengths
    for row in np.flatnonzero(np.abs(entropy - limit) < margin).tolist():
        counts = tuple(np.sort(counted.counts[counted.starts[row] : counted.starts[row + 1]]).tolist())
        if counts not in decided:
            decided[counts] = _exactly(counts, bound)
        verdict[row] = decided[counts]
    return np.asarray(verdict)


def _exactly(counts: tuple[int, ...], bound: Fraction) -> bool:
    """Return whether n^n / Π c^c ≥ ℓ^n, which is H ≥ ln ℓ multiplied out; by whole powers if they are small."""
    n, above, under = sum(counts), bound.numerator, bound.denominator
    if n * max(n, above, under).bit_length() <= MAX_POWER_BITS:
        return bool((n * under) ** n >= above**n * prod(count**count for count in counts))
    powers: Counter[int] = Counter()
    for base, power in [(n, n), (under, n), (above, -n), *((count, -count) for count in counts)]:
        powers[base] += power
    return sign_of_logs(powers) >= 0
