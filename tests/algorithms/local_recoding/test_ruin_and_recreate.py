"""Ruin and recreate: its classes are those of the literal version, and its costs those of the cells."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from oracles import recreate as oracle
from shoal.algorithms.joining import joined
from shoal.algorithms.local_recoding.ruin_and_recreate import Pace, Recreation, Rounds, costs_of, drawn
from shoal.algorithms.local_recoding.verdict import verdict_of
from shoal.algorithms.row_moves import measure_of
from shoal.data.domain import NumericDomain, RangeDomain, SetDomain
from shoal.data.table import Table
from shoal.kernels.local_recoding.pair_costs import few_rows, set_cost
from shoal.kernels.local_recoding.row_clusters import cell_cost, groups_of
from shoal.kernels.local_recoding.ruin_and_recreate import HOME, NUMBER, SIZE, TOTAL
from shoal.kernels.local_recoding.verdicts import Conditions, deficit
from shoal.models import DistinctDiversity, EntropyDiversity, FrequencyDiversity, KAnonymity, RecursiveDiversity
from strategies import tables

OBJECTIVES = st.sampled_from(["loss", "certainty_penalty", "entropy"])
HOMES = st.lists(st.integers(0, 7), min_size=24, max_size=24)
WEIGHTS = st.one_of(st.none(), st.lists(st.sampled_from([0, 1, 3, 1000]), min_size=3, max_size=3))
DIVERSITY = st.sampled_from([1, 1, 1.2, 1.5, 2.0, 2, 3])


def partition(ids):
    return {frozenset(np.flatnonzero(ids == number).tolist()) for number in set(np.asarray(ids).tolist())}


def unit(measure):
    """What a whole costs as an integer."""
    factors, fulls = measure.factor, measure.space.full
    return 1 if measure.price.size else Fraction(int(fulls[factors > 0][0]), int(factors[factors > 0][0]))


def compare(table, model, objective, weights, homes, seed, rounds):
    """Let both versions go some rounds of a heat, in parts of a whole, and of some neighbourhoods."""
    measure = measure_of(table, objective, weights)
    ids = joined(table, np.unique(homes, return_inverse=True)[1].astype(np.int32), model)
    secret = table.sensitive_codes[:, 0].tolist()
    found, one = Recreation.of(table, model, measure, ids, seed), unit(measure)
    expected = oracle.Recreation(
        oracle.Costs(table, objective, weights),
        ids.tolist(),
        model.smallest,
        seed,
        [
            (secret, Fraction(str(part.l)))
            for part in model.parts
            if isinstance(part, FrequencyDiversity | DistinctDiversity)
        ],
        one=one,
        different=any(isinstance(part, DistinctDiversity) for part in model.parts),
    )
    assert found.cost == expected.cost() * one
    for share, work in rounds:
        heat = int(share * (2**30 if objective == "entropy" else one))
        found.round(heat, 20 * work)
        expected.round(Fraction(heat) / one, 20 * work)
        assert partition(found.search.rows[:, HOME]) == set(map(frozenset, expected.clusters))
        assert found.cost == expected.cost() * one
    settled(found, measure, table.weights)
    return found


def settled(found, measure, weights):
    """Whether the clusters know what they would know if they were made of their rows at once."""
    home = found.search.rows[:, HOME]
    codes = np.ascontiguousarray(found.cells[:, : found.attributes])
    fresh = groups_of(measure, codes, weights, home, np.zeros(len(found.search.clusters), np.int64))
    assert (found.search.clusters[:, NUMBER] == fresh.number).all()
    assert (found.search.clusters[:, SIZE] == fresh.size).all()
    assert (found.search.clusters[:, TOTAL] == fresh.total).all()
    spare = found.search.spare[: found.search.spare[-1]]
    assert sorted(spare.tolist()) == np.flatnonzero(fresh.size == 0).tolist()


@settings(max_examples=200, deadline=None)
@given(
    table=tables(),
    k=st.integers(1, 5),
    l=DIVERSITY,
    objective=OBJECTIVES,
    weights=WEIGHTS,
    homes=HOMES,
    seed=st.integers(0, 2**32 - 1),
    shares=st.lists(st.sampled_from([0, 0, 0.05, 1, 10]), min_size=1, max_size=2),
)
def test_classes_and_savings_are_those_of_the_literal_version(table, k, l, objective, weights, homes, seed, shares):  # noqa: E741
    kind = DistinctDiversity if isinstance(l, int) else FrequencyDiversity
    model = KAnonymity(k) & kind(l) if l > 1 else KAnonymity(k)
    assume(model.satisfied(table.whole()).all())
    weights = weights and weights[: len(table.quasi)]
    assume(weights is None or any(weights))
    compare(table, model, objective, weights, homes[: len(table.weights)], seed, [(s, 3000) for s in shares])


def random_table(rows, domains, seed):
    random = np.random.RandomState(seed)
    return Table(
        quasi=tuple(f"q{a}" for a in range(len(domains))),
        domains=tuple(domains),
        codes=np.stack([random.randint(0, len(domain), rows) for domain in domains], axis=1).astype(np.int32),
        sensitive=("s",),
        sensitive_domains=(SetDomain(("a", "b", "c")),),
        sensitive_codes=random.randint(0, 3, (rows, 1)).astype(np.int32),
        weights=np.ones(rows, np.int64),
    )


@pytest.mark.deep("the literal search of large neighbourhoods takes 25 seconds")
def test_neighbours_are_looked_for_among_so_many_rows_and_values():
    """Clusters of 60 rows and more, of which 400 rows at most, and rows within 400 places, are looked at."""
    numbers = NumericDomain(tuple(map(str, range(6))), -1, np.arange(6.0))
    table = random_table(700, [numbers, SetDomain(tuple("vwxyz"))], 3)
    homes = np.argsort(np.argsort(table.codes[:, 0], kind="stable")) // 75
    found = compare(table, KAnonymity(60), "loss", None, homes, 5, [(1, 400_000)])
    assert partition(found.search.rows[:, HOME]) != partition(homes)


def test_rows_move_in_four_passes():
    """With three, some of these rows would be elsewhere."""
    numbers = NumericDomain(tuple(map(str, range(12))), -1, np.arange(12.0))
    table = random_table(59, [numbers] * 3, 10)
    homes = np.argsort(np.argsort(table.codes[:, 0], kind="stable")) * 4 // 59
    compare(table, KAnonymity(12), "loss", None, homes, 10, [(1, 5 * 59**2)])


def test_a_rise_as_large_as_the_heat_is_not_taken():
    """Cells cost nothing or a whole, and so do rises."""
    table = random_table(30, [SetDomain(("yes", "no"))] * 4, 0)
    compare(table, KAnonymity(3), "loss", None, np.arange(30) // 5, 0, [(3, 20_000)])


@pytest.mark.parametrize("objective", ["loss", "certainty_penalty", "entropy"])
def test_sets_may_have_many_different_values(objective):
    domains = [SetDomain(tuple(f"v{number}" for number in range(200))), RangeDomain(("a", "b"))]
    table = random_table(90, domains, 1)
    found = compare(table, KAnonymity(3), objective, None, np.arange(90) // 18, 2, [(0, 60_000)])
    assert len(partition(found.best)) > 5
    assert (found.search.rank_of == -1).all()


@settings(max_examples=150, deadline=None)
@given(table=tables(), objective=OBJECTIVES, weights=WEIGHTS, chosen=st.sets(st.integers(0, 23), min_size=1))
def test_few_rows_cost_what_cells_cost(table, objective, weights, chosen):
    weights = weights and weights[: len(table.quasi)]
    assume(weights is None or any(weights))
    measure = measure_of(table, objective, weights)
    rows = np.array(sorted({row % len(table.weights) for row in chosen}))
    costs, place = costs_of(measure, []), np.full(int(measure.space.size.sum()), -1, np.int32)
    few = few_rows(costs, np.ascontiguousarray(table.codes), rows, rows.size, place)
    assert (place == -1).all()
    for a, domain in enumerate(table.domains):
        values = sorted(set(table.codes[rows, a].tolist()))
        assert few.start[a + 1] - few.start[a] == len(values)
        assert [values[index - few.start[a]] for index in few.ranks[:, a]] == table.codes[rows, a].tolist()
        own = few.pair[few.pair_at[a] : few.pair_at[a + 1]]
        if isinstance(domain, SetDomain):
            weight = int(own.sum())
            assert own.tolist() == measure.weight[measure.space.codes_at[a] + np.array(values)].tolist()
            assert set_cost(costs, a, weight) == cell_cost(measure, a, values[0], values[-1], weight)
            continue
        for low, high in combinations_with_replacement(range(len(values)), 2):
            assert own[low * len(values) + high] == cell_cost(measure, a, values[low], values[high], 1)


MODELS = [
    EntropyDiversity(2),
    EntropyDiversity(2.5),
    RecursiveDiversity(2, 2),
    RecursiveDiversity(1.5, 3),
    RecursiveDiversity(0.5, 1),
    DistinctDiversity(3),
    FrequencyDiversity(2.5),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_verdict_is_that_of_the_model(model):
    """Of all compositions of up to nine rows and four values."""
    table = random_table(40, [SetDomain(("a", "b"))], 0)
    table = replace(table, sensitive_domains=(SetDomain(tuple("abcd")),))
    (rule, limits), _ = verdict_of(table, model)
    for counts in product(range(5), repeat=4):
        rows = sum(counts)
        if not 0 < rows <= 9:
            continue
        secret = np.repeat(np.arange(4), counts).astype(np.int32)[:, None]
        alone = replace(table.some(np.arange(rows)), sensitive_codes=secret)
        owed = deficit(Conditions(rule, limits), 0, np.array(counts, np.int32), 0, 4, rows)
        assert (owed <= 0) == bool(model.satisfied(alone.whole()).all()), counts


@settings(max_examples=60, deadline=None)
@given(
    table=tables(),
    k=st.integers(1, 4),
    l=DIVERSITY,
    objective=OBJECTIVES,
    weights=WEIGHTS,
    homes=HOMES,
    seed=st.integers(0, 2**32 - 1),
)
def test_the_best_satisfies_the_model_and_costs_what_is_said(table, k, l, objective, weights, homes, seed):  # noqa: E741
    kind = DistinctDiversity if isinstance(l, int) else FrequencyDiversity
    model = KAnonymity(k) & kind(l) if l > 1 else KAnonymity(k)
    assume(model.satisfied(table.whole()).all())
    weights = weights and weights[: len(table.quasi)]
    assume(weights is None or any(weights))
    measure = measure_of(table, objective, weights)
    start = np.unique(homes[: len(table.weights)], return_inverse=True)[1].astype(np.int32)
    start = joined(table, start, model)
    shares = []
    first, again = (Recreation.of(table, model, measure, start, seed) for _ in range(2))
    before = first.cost
    for one in (first, again):
        counted = Rounds()
        one.improve(Pace(4, 5000), shares.append, counted)
        assert not counted.stopped
    rounds = len(shares) // 2
    assert counted.done == rounds
    assert shares == [0, 0.25, 0.5, 0.75][:rounds] * 2
    assert rounds == 4 or first.least == 0 or table.rows < 2 * model.smallest
    assert (first.best == again.best).all()
    assert model.satisfied(table.classes(first.best)).all()
    assert first.least == Recreation.of(table, model, measure, first.best, 0).cost <= before


def test_a_pace_is_of_work_or_of_time():
    assert Pace.by_work((1000, 8), 5, 300_000, 10**10) == Pace(rounds=100, work=3_000_000)
    assert Pace.by_work((1000, 8), 5, 30_000, 10**10) == Pace(rounds=30, work=1_000_000)
    assert Pace.by_work((10**6, 8), 5, 30_000, 10**9) == Pace(rounds=1, work=10**9)
    assert Pace.by_work((20_000, 8), 500, 30_000, 10**10) == Pace(rounds=18, work=33_333_333)
    assert list(Pace(rounds=4, work=1).shares()) == [0, 0.25, 0.5, 0.75]
    assert list(Pace.by_clock(10, -1).shares()) == []
    assert all(0 <= share < 1 for share in Pace.by_clock(10, 0.01).shares())


def test_attributes_with_few_values_come_first_as_often_as_they_have_few():
    random, times = np.random.RandomState(1), 4000
    orders = [drawn(np.array([2, 8, 40]), random).tolist() for _ in range(times)]
    assert all(sorted(order) == [0, 1, 2] for order in orders)
    whole = 1 / 2 + 1 / 8 + 1 / 40
    for attribute, values in enumerate([2, 8, 40]):
        first = sum(order[0] == attribute for order in orders) / times
        assert first == pytest.approx(1 / values / whole, abs=0.03)
    second = [order[1] for order in orders if order[0] == 0]
    assert second.count(1) / len(second) == pytest.approx((1 / 8) / (1 / 8 + 1 / 40), abs=0.03)
