"""What rows cost as integers is what the metrics measure."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from shoal.algorithms.cost_arrays import LARGEST, ONE, space_of
from shoal.algorithms.row_moves import measure_of
from shoal.data.domain import NumericDomain, RangeDomain, SetDomain
from shoal.data.recoding import Recoding
from shoal.kernels.local_recoding.row_clusters import groups_of
from shoal.metrics import METRICS
from shoal.metrics.cells import times_log2, total_per_attribute, value_counts
from shoal.metrics.entropy import _bits
from strategies import tables

METRIC = {"loss": "loss", "certainty_penalty": "certainty_penalty", "entropy": "entropy_loss"}
OBJECTIVES = st.sampled_from(list(METRIC))
HOMES = st.lists(st.integers(0, 5), min_size=24, max_size=24)


def cost_of(table, measure, ids):
    groups = groups_of(
        measure, np.ascontiguousarray(table.codes), table.weights, ids, np.zeros(int(ids.max()) + 1, np.int64)
    )
    return int((groups.size * groups.total).sum())


def whole(measure, times):
    """What an attribute that counts so often costs a row at most, by the loss, or a bit of it."""
    if measure.price.size:
        return ONE * times
    return int(measure.space.full[measure.factor == times][0])


def classes_of(table, homes):
    return np.unique(homes[: len(table.weights)], return_inverse=True)[1].astype(np.int32)


@settings(max_examples=200, deadline=None)
@given(table=tables(), objective=OBJECTIVES, homes=HOMES)
def test_costs_are_what_the_metrics_measure(table, objective, homes):
    ids = classes_of(table, homes)
    measure = measure_of(table, objective)
    mean = cost_of(table, measure, ids) / whole(measure, 1) / table.rows / len(table.quasi)
    if objective == "entropy":  # the bits of the raw values are lost in no class
        raw = fsum(times_log2(value_counts(table, a)) for a in range(len(table.quasi)))
        mean -= raw / table.rows / len(table.quasi)
    assert METRICS[METRIC[objective]](table, Recoding.of_groups(table, ids)) == pytest.approx(mean, abs=1e-7)


@settings(max_examples=200, deadline=None)
@given(
    table=tables(),
    objective=OBJECTIVES,
    homes=HOMES,
    weights=st.lists(st.sampled_from([0, 1, 2, 7, 1000]), min_size=3, max_size=3),
)
def test_weights_make_a_weighted_mean(table, objective, homes, weights):
    weights = weights[: len(table.quasi)]
    assume(any(weights))
    ids = classes_of(table, homes)
    recoding = Recoding.of_groups(table, ids)
    if objective == "entropy":
        raw = [times_log2(value_counts(table, a)) for a in range(len(table.quasi))]
        lost = [bits + own for bits, own in zip(_bits(table, recoding), raw, strict=True)]
    else:
        cell = {"loss": lambda d, shown: d.loss(shown), "certainty_penalty": lambda d, shown: d.penalty(shown)}
        lost = total_per_attribute(table, recoding, cell[objective], suppressed=1)
    by_hand = sum(times * own for times, own in zip(weights, lost, strict=True)) / sum(weights)
    measure = measure_of(table, objective, weights)
    found = cost_of(table, measure, ids) / (whole(measure, max(weights)) / max(weights)) / sum(weights)
    assert found == pytest.approx(by_hand, abs=1e-6)


PRIMES = (10_007, 9_973, 7_919, 6_997, 5_003)


def test_rounded_costs_are_near_the_metrics():
    """No common fraction of such sizes fits into 62 bits."""
    random = np.random.RandomState(0)
    for kind in (SetDomain, RangeDomain):
        domains = [kind(tuple(map(str, range(size)))) for size in PRIMES]
        domains.append(NumericDomain(tuple(map(str, range(50))), -1, np.sort(random.rand(50))))
        for objective, cell in (("loss", lambda d, s: d.loss(s)), ("certainty_penalty", lambda d, s: d.penalty(s))):
            space = space_of(domains, objective, exact=10**6)
            assert space.full.tolist() == [ONE] * 6
            for a, domain in enumerate(domains[:-1]):
                codes = np.array([3, 700, 4_000], np.int32)
                shown = cell(domain, domain.join(codes, np.zeros(3, np.int32), 1))[0]
                if kind is SetDomain:
                    cost = space.position[space.codes_at[a] + 2]
                else:
                    at = space.codes_at[a]
                    cost = space.position[at + 4_000] - space.position[at + 3] + space.step[a]
                assert cost / ONE == pytest.approx(shown, abs=1e-8)


def test_sums_of_weighted_costs_fit():
    domains = [SetDomain(tuple(map(str, range(size)))) for size in PRIMES]
    cells = 5 * 10**7
    for weights in (None, [1000, 1, 1, 1, 1]):
        space = space_of(domains, "loss", exact=cells, weights=weights)
        assert int(space.full.max()) * cells < LARGEST
        assert int(space.full[1]) * max(weights or [1]) == int(space.full[0])
