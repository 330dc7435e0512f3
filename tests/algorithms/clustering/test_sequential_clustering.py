"""Sequential clustering against the literal algorithm and the figures of its paper."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log2

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from depth import every
from oracles import models as definitions, sequential_clustering as oracle
from shoal import (
    AlphaK,
    AverageRisk,
    Closeness,
    DeltaPresence,
    DistinctDiversity,
    FrequencyDiversity,
    Hierarchy,
    InputError,
    KAnonymity,
    KMap,
    Style,
)
from shoal.algorithms.clustering.sequential import SequentialClustering, _Run
from shoal.algorithms.row_moves import bits
from shoal.data.domain import RangeDomain
from shoal.data.encoding import encode
from shoal.data.table import Table
from shoal.metrics import METRICS
from strategies import tables


def groups(ids):
    return {frozenset(np.flatnonzero(ids == group).tolist()) for group in set(ids.tolist())}


def with_second_secret(table, values):
    column = np.array(values, np.int32)[: len(table.weights), None]
    return replace(
        table,
        sensitive=("s", "z"),
        sensitive_domains=table.sensitive_domains * 2,
        sensitive_codes=np.concatenate([table.sensitive_codes, column], axis=1),
    )


def table_of_ages(ages, secrets):
    columns = {"age": pa.chunked_array([ages]), "ill": pa.chunked_array([secrets])}
    return encode(columns, quasi=["age"], sensitive=["ill"], guides={}, style=Style())


PARAMETERS = st.fixed_dictionaries(
    {
        "measure": st.sampled_from(["loss", "entropy", "certainty_penalty"]),
        "alpha": st.sampled_from([0.5, 0.5, 0, 0.3, 1]),
        "omega": st.sampled_from([1.5, 1.5, 1, 2, 1.2]),
        "starts": st.integers(1, 3),
        "stop": st.sampled_from([0, 0.01, 0.2]),
        "passes": st.sampled_from([30, 3, 1]),
        "seed": st.integers(0, 2**32 - 1),
    }
)


@given(
    table=tables(),
    k=st.integers(1, 6),
    diversity=st.sampled_from([1, 1.1, 1.28, 1.5, 2]),
    parameters=PARAMETERS,
)
@settings(max_examples=200, deadline=None)
def test_exchanges_cost_no_more_and_keep_the_model(table, k, diversity, parameters):
    model = KAnonymity(k) & FrequencyDiversity(diversity)
    if not model.satisfied(table.whole()).all():
        return
    parameters |= {"starts": 1}
    plain = SequentialClustering(**parameters).partition(table, model)
    made = SequentialClustering(**parameters, exchange=True).partition(table, model)
    assert made.moved == plain.moved
    assert made.cost <= plain.cost
    assert model.satisfied(table.classes(made.ids)).all()


def test_rows_of_one_sensitive_value_change_places():
    # Half of the rows are ill, and so must be half of each cluster: hardly a row can move.
    random = np.random.RandomState(7)
    table = table_of_ages(random.randint(0, 90, 200).tolist(), [0, 1] * 100)
    model = KAnonymity(4) & FrequencyDiversity(2)
    for seed in range(3):
        plain, better = (SequentialClustering(seed=seed, exchange=e).partition(table, model) for e in (False, True))
        assert better.cost < 0.8 * plain.cost


@given(table=tables(), k=st.integers(1, 6), parameters=PARAMETERS)
@settings(max_examples=300, deadline=None)
def test_clusters_are_those_of_the_literal_algorithm(table, k, parameters):
    expected, moved = oracle.cluster(table, k, **parameters)
    found = SequentialClustering(**parameters).partition(table, KAnonymity(k))
    assert groups(found.ids) == set(map(frozenset, expected))
    assert list(found.moved) == moved
    assert all(len(rows) >= min(k, len(table.weights)) for rows in expected)


@given(
    table=tables(),
    values=st.lists(st.integers(0, 3), min_size=24, max_size=24),
    k=st.integers(1, 6),
    l=st.sampled_from([1, 1.1, 1.28, 1.5, 2, 3]),
    second=st.sampled_from([None, 1.2, 2]),
    parameters=PARAMETERS,
)
@settings(max_examples=300, deadline=None)
def test_diverse_clusters_are_those_of_the_literal_algorithm(table, values, k, l, second, parameters):  # noqa: E741
    table = with_second_secret(table, values)
    asked = {"s": l} if second is None else {"s": l, "z": second}
    model = KAnonymity(k)
    for name, least in asked.items():
        model = model & FrequencyDiversity(least, sensitive=name)
    columns = dict(zip(table.sensitive, table.sensitive_codes.T.tolist(), strict=True))

    def satisfied(rows):
        diverse = (definitions.frequency([columns[name][row] for row in rows], asked[name]) for name in asked)
        return len(rows) >= model.smallest and all(diverse)

    found = SequentialClustering(**parameters).partition(table, model)
    expected, moved = oracle.cluster(
        table,
        model.smallest,
        conditions=[(columns[name], Fraction(str(least))) for name, least in asked.items() if least > 1],
        satisfied=satisfied,
        **parameters,
    )
    assert groups(found.ids) == set(map(frozenset, expected))
    assert list(found.moved) == moved
    if satisfied(range(len(table.weights))):
        assert all(map(satisfied, expected))


def united(table, k, measure, ids):
    """The clusters of the given rows after small ones were united, by shoal and by the oracle."""
    clusters = [np.flatnonzero(ids == number).tolist() for number in range(ids.max() + 1)]
    run = _Run(SequentialClustering(measure=measure), table, KAnonymity(k))
    found = run.groups_of(ids, np.zeros(len(clusters), np.int64))
    run.unify(found, lambda: None)
    return groups(found.home), set(map(frozenset, oracle.unify(oracle.Table(table, measure), clusters, k)))


@given(
    table=tables(),
    k=st.integers(2, 12),
    measure=st.sampled_from(["loss", "entropy"]),
    homes=st.lists(st.integers(0, 11), min_size=24, max_size=24),
)
@settings(max_examples=200, deadline=None)
def test_the_closest_small_clusters_are_united_first(table, k, measure, homes):
    ids = np.unique(homes[: len(table.weights)], return_inverse=True)[1].astype(np.int32)
    found, expected = united(table, k, measure, ids)
    assert found == expected


@pytest.mark.parametrize("seed", every(6, range(6)))
def test_of_clusters_equally_close_the_first_are_united(seed):
    random = np.random.RandomState(seed)
    for _ in range(100):
        rows, sizes = random.randint(8, 25), random.randint(2, 5, random.randint(1, 4))
        table = Table(
            quasi=tuple(f"q{j}" for j in range(sizes.size)),
            domains=tuple(RangeDomain(tuple("abcd"[:size])) for size in sizes.tolist()),
            codes=np.stack([random.randint(0, size, rows) for size in sizes], axis=1).astype(np.int32),
            sensitive=(),
            sensitive_domains=(),
            sensitive_codes=np.zeros((rows, 0), np.int32),
            weights=np.ones(rows, np.int64),
        )
        ids = np.unique(random.randint(0, 12, rows), return_inverse=True)[1].astype(np.int32)
        found, expected = united(table, int(random.randint(3, 12)), "loss", ids)
        assert found == expected


@given(table=tables(), k=st.integers(2, 4), parameters=PARAMETERS)
@settings(max_examples=100, deadline=None)
def test_other_models_by_joining_clusters(table, k, parameters):
    secret = table.sensitive_codes[:, 0].tolist()
    expected, _ = oracle.cluster(
        table, k, satisfied=lambda rows: len(rows) >= k and len({secret[row] for row in rows}) >= 2, **parameters
    )
    found = SequentialClustering(**parameters).partition(table, KAnonymity(k) & DistinctDiversity(2))
    assert groups(found.ids) == set(map(frozenset, expected))


@pytest.mark.parametrize(
    "model", [DistinctDiversity(3), Closeness(0.3), AlphaK(0.5, 3), FrequencyDiversity(2), KAnonymity(4)], ids=str
)
@given(table=tables(), measure=st.sampled_from(["loss", "entropy"]))
@settings(max_examples=30, deadline=None)
def test_every_row_has_one_class_and_every_class_satisfies_the_model(model, table, measure):
    if not model.satisfied(table.whole()).all():
        return
    shares = []
    recoding = SequentialClustering(measure=measure, starts=2).recode(table, model, progress=shares.append)
    assert recoding.ids.shape == table.weights.shape
    assert (recoding.ids >= 0).all()
    assert (np.bincount(recoding.ids) == recoding.sizes).all()
    assert model.satisfied(table.classes(recoding.ids)).all()
    assert shares == sorted(shares)
    assert shares[-1] == 1


def flat_table(rows, seed, sizes=(3, 5, 9, 40)):
    """Random values under flat trees, the later attributes with more of them."""
    random = np.random.RandomState(seed)
    columns = {f"q{j}": (random.randint(0, size, rows) ** 2 // size).astype(str) for j, size in enumerate(sizes)}
    secret = random.choice(["a", "b"], rows, p=[0.7, 0.3])
    data = {name: pa.chunked_array([pa.array(values)]) for name, values in [*columns.items(), ("s", secret)]}
    guides = {name: Hierarchy.flat(sorted(set(values))) for name, values in columns.items()}
    return encode(data, quasi=list(columns), sensitive=["s"], guides=guides, style=Style())


@pytest.mark.parametrize("l", [1, 1.2])
def test_a_larger_table_as_the_literal_algorithm(l):  # noqa: E741
    table = flat_table(150, 5)
    secret = table.sensitive_codes[:, 0].tolist()
    parameters = {"alpha": 0.5, "omega": 1.5, "starts": 1, "stop": 0, "passes": 12, "seed": 3}
    for measure in ("loss", "entropy"):
        expected, moved = oracle.cluster(
            table,
            6,
            measure=measure,
            conditions=[(secret, Fraction(str(l)))] if l > 1 else [],
            satisfied=lambda rows: definitions.frequency([secret[row] for row in rows], l),
            **parameters,
        )
        model = KAnonymity(6) & FrequencyDiversity(l)
        found = SequentialClustering(measure=measure, **parameters).partition(table, model)
        assert groups(found.ids) == set(map(frozenset, expected))
        assert list(found.moved) == moved


def test_the_same_seed_makes_the_same_clusters():
    table = flat_table(300, 1)
    first, again, other = (SequentialClustering(seed=s).partition(table, KAnonymity(5)).ids for s in (7, 7, 8))
    assert (first == again).all()
    assert groups(first) != groups(other)


def test_the_best_of_several_starts_is_kept():
    table = flat_table(300, 2)
    model = KAnonymity(5)
    costs = [SequentialClustering(starts=starts).partition(table, model).cost for starts in (1, 2, 4, 8)]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]


def test_each_measure_is_best_by_itself():
    table = flat_table(1000, 4)
    by_loss, by_entropy = (
        SequentialClustering(measure=measure, starts=3).recode(table, KAnonymity(5)) for measure in ("loss", "entropy")
    )
    assert METRICS["loss"](table, by_loss) < METRICS["loss"](table, by_entropy)
    assert METRICS["entropy_loss"](table, by_entropy) < METRICS["entropy_loss"](table, by_loss)


def test_the_cost_is_what_the_metrics_measure():
    table = flat_table(200, 6)
    rows, attributes = table.codes.shape
    clustering = SequentialClustering(measure="entropy")
    raw = sum(log2(count) * count for column in table.codes.T for count in np.bincount(column) if count)
    bits = clustering.partition(table, KAnonymity(4)).cost / 2**30 - raw
    shown = METRICS["entropy_loss"](table, clustering.recode(table, KAnonymity(4)))
    assert shown == pytest.approx(bits / rows / attributes, abs=1e-7)


def test_passes_are_counted_and_limited():
    table = flat_table(300, 3)
    assert len(SequentialClustering(passes=2, stop=0).partition(table, KAnonymity(5)).moved) == 2
    moved = SequentialClustering(passes=1000, stop=0.1).partition(table, KAnonymity(5)).moved
    assert moved[-1] < 30 <= min(moved[:-1])


def testbits_are_those_of_the_mathematicians():
    assert bits(5000, 2**30).tolist() == [0, *(round(log2(number) * 2**30) for number in range(1, 5001))]


def test_models_that_joining_cannot_reach_are_refused_by_name():
    table = flat_table(30, 1)
    people = {"q0": ["1"]}
    for model in (AverageRisk(0.1), DeltaPresence(0, 0.5, people), KMap(3, people)):
        with pytest.raises(InputError, match="SequentialClustering") as refused:
            SequentialClustering().recode(table, model)
        assert str(model) in str(refused.value)


MEASURES = "SequentialClustering's measure is one of loss, certainty_penalty, entropy,"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"measure": "lm"}, "SequentialClustering's measure is one of loss, certainty_penalty, entropy, not 'lm'."),
        ({"measure": None}, "SequentialClustering's measure is one of loss, certainty_penalty, entropy, not None."),
        (
            {"measure": ["loss"]},
            "SequentialClustering's measure is one of loss, certainty_penalty, entropy, not ['loss'].",
        ),
        ({"alpha": "half"}, "SequentialClustering's alpha must be a number from 0 to 1, not 'half'."),
        ({"alpha": 1.5}, "SequentialClustering's alpha = 1.5 is out of range: choose a number from 0 to 1."),
        ({"alpha": float("nan")}, "SequentialClustering's alpha must be a number from 0 to 1, not nan."),
        ({"omega": 0.9}, "SequentialClustering's omega = 0.9 is out of range: choose a number of at least 1."),
        ({"stop": -0.1}, "SequentialClustering's stop = -0.1 is out of range: choose a number from 0 to 1."),
        ({"stop": True}, "SequentialClustering's stop must be a number from 0 to 1, not True."),
        ({"starts": 0}, "SequentialClustering's starts is a whole number from 1, not 0."),
        ({"starts": 2.0}, "SequentialClustering's starts is a whole number from 1, not 2.0."),
        ({"passes": True}, "SequentialClustering's passes is a whole number from 1, not True."),
        ({"seed": -1}, "SequentialClustering's seed is a whole number from 0 to 4294967295, not -1."),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(parameters, sentence):
    with pytest.raises(InputError) as refused:
        SequentialClustering(**parameters)
    assert str(refused.value) == sentence
