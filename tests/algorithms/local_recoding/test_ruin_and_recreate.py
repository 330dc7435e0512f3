"""Ruin and recreate: its classes are those of the literal version, and its costs those of the cells."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import numba
import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from oracles import recreate as oracle
from shoal.algorithms.joining import joined
from shoal.algorithms.local_recoding.ruin_and_recreate import Pace, Recreation, Rounds
from shoal.algorithms.row_moves import measure_of
from shoal.data.domain import NumericDomain, RangeDomain, SetDomain
from shoal.data.table import Table
from shoal.kernels.local_recoding.pair_costs import WORD, few_rows
from shoal.kernels.local_recoding.row_clusters import cell_cost, groups_of
from shoal.kernels.local_recoding.ruin_and_recreate import _cell
from shoal.models import FrequencyDiversity, KAnonymity
from strategies import tables

OBJECTIVES = st.sampled_from(["loss", "certainty_penalty", "entropy"])
HOMES = st.lists(st.integers(0, 7), min_size=24, max_size=24)
WEIGHTS = st.one_of(st.none(), st.lists(st.sampled_from([0, 1, 3, 1000]), min_size=3, max_size=3))
DIVERSITY = st.sampled_from([1, 1, 1.2, 1.5, 2])


@numba.njit
def cell(few, attribute, low, high, held):
    """Only kernels can call the kernel."""
    return _cell(few, attribute, low, high, held)


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
    found = Recreation.of(table, model, measure, ids, seed)
    expected = oracle.Recreation(
        oracle.Costs(table, objective, weights),
        ids.tolist(),
        model.smallest,
        seed,
        [(secret, Fraction(str(part.l))) for part in model.parts if isinstance(part, FrequencyDiversity)],
    )
    one = unit(measure)
    assert found.cost == expected.cost() * one
    for share, work in rounds:
        heat = int(share * (2**30 if objective == "entropy" else one))
        found.round(heat, 20 * work)
        expected.round(Fraction(heat) / one, 20 * work)
        assert partition(found.groups.home) == set(map(frozenset, expected.clusters))
        assert found.cost == expected.cost() * one
    return found


def settled(found):
    """Whether the clusters know what they would know if they were made of their rows at once."""
    fresh = groups_of(
        found.measure, found.codes, found.groups.bulk, found.groups.home, np.zeros_like(found.groups.size)
    )
    full = fresh.size > 0
    assert (found.groups.size == fresh.size).all()
    for name in ("total", "cost", "low", "high", "first", "last", "shown", "weight", "held"):
        assert (getattr(found.groups, name)[full] == getattr(fresh, name)[full]).all(), name
    spare = found.walk.spare[: found.walk.spares[0]]
    assert sorted(spare.tolist()) == np.flatnonzero(~full).tolist()


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
    model = KAnonymity(k) & FrequencyDiversity(l) if l > 1 else KAnonymity(k)
    assume(model.satisfied(table.whole()).all())
    weights = weights and weights[: len(table.quasi)]
    assume(weights is None or any(weights))
    found = compare(table, model, objective, weights, homes[: len(table.weights)], seed, [(s, 3000) for s in shares])
    settled(found)


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
    assert partition(found.groups.home) != partition(homes)
    settled(found)


def test_rows_move_in_four_passes():
    """With three, some of these rows would be elsewhere."""
    numbers = NumericDomain(tuple(map(str, range(12))), -1, np.arange(12.0))
    table = random_table(59, [numbers] * 3, 10)
    homes = np.argsort(np.argsort(table.codes[:, 0], kind="stable")) * 4 // 59
    settled(compare(table, KAnonymity(12), "loss", None, homes, 10, [(1, 5 * 59**2)]))


def test_a_rise_as_large_as_the_heat_is_not_taken():
    """Cells cost nothing or a whole, and so do rises."""
    table = random_table(30, [SetDomain(("yes", "no"))] * 4, 0)
    compare(table, KAnonymity(3), "loss", None, np.arange(30) // 5, 0, [(3, 20_000)])


@pytest.mark.parametrize("objective", ["loss", "certainty_penalty", "entropy"])
def test_many_different_values_of_a_set_are_left_alone(objective):
    domains = [SetDomain(tuple(f"v{number}" for number in range(200))), RangeDomain(("a", "b"))]
    table = random_table(90, domains, 1)
    homes = np.arange(90) // 18
    found = compare(table, KAnonymity(3), objective, None, homes, 2, [(0, 60_000)])
    assert len(partition(found.best)) > 5
    table = random_table(90, [SetDomain(tuple(f"v{number}" for number in range(9000)))], 1)
    measure = measure_of(table, objective)
    stays = Recreation.of(table, KAnonymity(3), measure, (np.arange(90) // 45).astype(np.int32), 0)
    stays.improve(Pace(3, 10**6), lambda share: None, Rounds())
    assert partition(stays.best) == partition(np.arange(90) // 45)
    assert (stays.walk.rank_of == -1).all()


def table_of_costs(table, measure, rows):
    place = np.full(int(measure.space.size.sum()), -1, np.int32)
    few = few_rows(measure, np.ascontiguousarray(table.codes), rows, place)
    assert (place == -1).all()
    return few


@settings(max_examples=150, deadline=None)
@given(
    table=tables(),
    objective=OBJECTIVES,
    weights=WEIGHTS,
    chosen=st.sets(st.integers(0, 23), min_size=1),
    data=st.data(),
)
def test_few_rows_cost_what_cells_cost(table, objective, weights, chosen, data):
    weights = weights and weights[: len(table.quasi)]
    assume(weights is None or any(weights))
    measure = measure_of(table, objective, weights)
    rows = np.array(sorted({row % len(table.weights) for row in chosen}))
    few = table_of_costs(table, measure, rows)
    none = np.uint64(0)
    for a, domain in enumerate(table.domains):
        values = sorted(set(table.codes[rows, a].tolist()))
        assert few.width[a] == len(values)
        assert [values[rank] for rank in few.ranks[:, a]] == table.codes[rows, a].tolist()
        if isinstance(domain, SetDomain):
            ranks = sorted(data.draw(st.sets(st.integers(0, len(values) - 1), min_size=1)))
            codes = [values[rank] for rank in ranks]
            weight = int(measure.weight[measure.space.codes_at[a] + codes].sum())
            held = np.uint64(sum(1 << rank for rank in ranks))
            assert cell(few, a, 0, 0, held) == cell_cost(measure, a, codes[0], codes[-1], weight)
            continue
        for low, high in combinations_with_replacement(range(len(values)), 2):
            assert cell(few, a, low, high, none) == cell_cost(measure, a, values[low], values[high], 1)


def test_a_set_has_as_many_values_as_a_word_has_bits():
    table = random_table(WORD, [SetDomain(tuple(f"v{number}" for number in range(WORD)))], 0)
    table.codes[:, 0] = np.arange(WORD)
    few = table_of_costs(table, measure_of(table, "loss"), np.arange(WORD))
    everything = np.uint64(2**64 - 1)
    assert few.width.tolist() == [WORD]
    assert cell(few, 0, 0, 0, everything) == measure_of(table, "loss").space.full[0]


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
    model = KAnonymity(k) & FrequencyDiversity(l) if l > 1 else KAnonymity(k)
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
    assert rounds == 4 or first.least == 0
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
