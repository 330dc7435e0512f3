"""The number of people who are unique in a population, estimated from the class sizes of a sample.

F. Dankar, K. El Emam, A. Neisa, T. Roffey, Estimating the re-identification risk of clinical data sets (2012),
doi:10.1186/1472-6947-12-66. n and N are the rows of sample and population, u the classes of the sample, s_j those of
them with j rows, f and F the sizes of a class in sample and population, π = n / N.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, lgamma, log

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.assessment.pitman import pitman
from shoal.analysis.assessment.slide_negative_binomial import snb
from shoal.errors import InputError
from shoal.models.exact import fraction

SMALLEST_SAMPLE = 1e-7  # below, the estimators exceed the range of doubles
SMALL_SAMPLE = 0.1  # up to this sampling fraction Dankar's rule uses Pitman's estimate
MAX_SPREAD = 3  # times the lowest estimate: if the highest is above, no rule can be trusted


@dataclass(frozen=True)
class PopulationUniqueness:
    """The number of people who are alone in their class of the population, by three estimators and the chosen one.

    An estimator that has no solution for this table is None. `rule` is the one that Dankar's rule selects; `chosen`,
    whose estimate is `uniques` and `share`, is the highest instead if the estimators, from `lowest` to `highest`,
    `disagree`. `at_most` is s₁ / π: a unique person who is drawn is unique in the sample, so no more are expected.
    """

    sampling_fraction: float
    population_rows: int
    pitman: float | None
    zayatz: float | None
    snb: float | None
    rule: str
    lowest: float
    highest: float
    disagree: bool
    chosen: str
    uniques: float
    share: float
    at_most: float

    @property
    def note(self) -> str | None:
        """A note if the estimators disagree."""
        if not self.disagree:
            return None
        return (
            f"The estimators of people unique in the population disagree, from {self.lowest:,.0f} to "
            f"{self.highest:,.0f} people, so none of them is certain to fit this table: the highest is used."
        )


def population_uniqueness(class_sizes: Mapping[int, int], sampling_fraction: float) -> PopulationUniqueness:
    """Apply Dankar's rule: Pitman's for π ≤ 0.1, else the smaller of SNB's and Zayatz'; Zayatz' if it is None.

    If the highest estimate is more than three times the lowest, it is used in place of the rule's.

    >>> population_uniqueness({1: 20, 2: 10, 3: 5}, sampling_fraction=0.5).chosen
    'snb'
    """
    if fraction("sampling_fraction", sampling_fraction, at_most="1") == 0:
        raise InputError(
            "sampling_fraction = 0 leaves no sample: give the share of the population that is in the table."
        )
    if sampling_fraction < SMALLEST_SAMPLE:
        raise InputError(f"sampling_fraction = {sampling_fraction} is too small for an estimate: give one above 1e-7.")
    sizes, counts = np.array(sorted(class_sizes.items()), np.int64).T
    rows = int((sizes * counts).sum())
    population = round(rows / sampling_fraction)
    alone = class_sizes.get(1, 0)
    if alone == 0 or population == rows:
        estimates: dict[str, float | None] = dict.fromkeys(("pitman", "zayatz", "snb"), float(alone))
    else:
        estimates = {
            "pitman": pitman(sizes, counts, population),
            "zayatz": zayatz(sizes, counts, population),
            "snb": snb(sizes, counts, rows / population),
        }
    rule = _rule(estimates, sampling_fraction)
    solved = {name: value for name, value in estimates.items() if value is not None}
    highest = max(solved, key=lambda name: (solved[name], name == rule))
    lowest = min(solved.values())
    disagree = solved[highest] > MAX_SPREAD * lowest and solved[highest] >= 1
    chosen = highest if disagree else rule
    uniques = solved[chosen]
    return PopulationUniqueness(
        sampling_fraction=float(sampling_fraction),
        population_rows=population,
        rule=rule,
        lowest=lowest,
        highest=solved[highest],
        disagree=disagree,
        chosen=chosen,
        uniques=uniques,
        share=uniques / population,
        at_most=min(float(population), alone / sampling_fraction),
        **estimates,
    )


def _rule(estimates: Mapping[str, float | None], sampling_fraction: float) -> str:
    zayatz, snb = estimates["zayatz"], estimates["snb"]
    if sampling_fraction <= SMALL_SAMPLE:
        return "zayatz" if estimates["pitman"] is None else "pitman"
    return "zayatz" if snb is None or zayatz is None or zayatz < snb else "snb"


def zayatz(sizes: NDArray[np.int64], counts: NDArray[np.int64], population: int) -> float:
    """Return s₁ P(F = 1 | f = 1) / π by Bayes' rule (L. Zayatz, Bureau of the Census, 1991).

    P(F = j) is estimated by s_j / u; P(f = 1 | F = j) = j C(N − j, n − 1) / C(N, n), as rows are drawn without
    replacement.
    """
    rows = int((sizes * counts).sum())
    drawn = _log_choose(population, rows)
    seen_once = [
        exp(log(j) + _log_choose(population - j, rows - 1) - drawn) if population - j >= rows - 1 else 0.0
        for j in sizes.tolist()
    ]
    alone = int(counts[sizes == 1].sum())
    return float(alone**2 / np.dot(counts, seen_once))


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
