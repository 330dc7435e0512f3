"""One-pass k-means against its literal version and the nine records of the JNTU thesis."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from contract.lists import MODELS
from oracles import one_pass_k_means as oracle
from oracles.graph_clustering import NINE, Records
from shoal import AverageRisk, DeltaPresence, Hierarchy, InfeasibleError, InputError, KAnonymity, KMap, Style
from shoal.algorithms.clustering.one_pass_k_means import OnePassKMeans
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.kernels.clustering import assignment
from shoal.metrics import METRICS
from strategies import tables

PEOPLE = pa.table({"age": [21, 22, 23, 31, 32, 33], "sex": list("ffmmfm")})


def clusters_of(table, k, seed=0):
    """The clusters before any is joined: the number of each row's."""
    return OnePassKMeans(seed).clusters(table, k).tolist()


def numbered(clusters):
    """The number of the cluster of each record."""
    places = {record: number for number, cluster in enumerate(clusters) for record in cluster}
    assert len(places) == sum(map(len, clusters))
    return [places[record] for record in sorted(places)]


def adult_table(rows):
    adult = shoal.datasets.adult().slice(0, rows)
    quasi = ["age", "education-num", "workclass", "marital-status", "race", "sex"]
    trees = {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in quasi[2:4]}
    return encode({name: adult[name] for name in quasi}, quasi=quasi, sensitive=[], guides=trees, style=Style())


@given(table=tables(max_rows=30), k=st.integers(1, 6), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=400, deadline=None)
def test_small_tables_as_the_literal_version(table, k, seed):
    found = clusters_of(table, k, seed)
    if len(table.weights) < k:
        assert set(found) == {0}
    else:
        assert found == numbered(oracle.clusters(table, k, seed))
        assert np.bincount(found).min() >= k


def test_a_slice_of_adult_as_the_literal_version():
    table = adult_table(150)
    assert clusters_of(table, 5, seed=7) == numbered(oracle.clusters(table, 5, 7))


@given(
    places=st.lists(
        st.tuples(st.integers(1, 2**20), st.integers(0, 2**40), st.integers(-2, 2)), min_size=1, max_size=8
    ),
    sizes=st.lists(st.integers(1, 2**20), max_size=8),
    most=st.integers(1, 2**20 + 1),
)
@settings(max_examples=300, deadline=None)
def test_fractions_are_compared_exactly(places, sizes, most):
    places += [(size, *places[0][1:]) for size in sizes]  # nearly equal ones
    groups = [(max(0, size * distance + more), size) for size, distance, more in places]
    apart, size = np.array(groups, np.int64).T.copy()
    open_ = [g for g, (_, own) in enumerate(groups) if own < most]
    best = min(open_, key=lambda g: Fraction(*groups[g]), default=-1)
    assert assignment.least_per_size(apart, size, most) == best


def test_rounding_of_large_denominators_does_no_harm_where_nothing_nearly_agrees():
    random = np.random.RandomState(1)
    columns = {f"q{j}": pa.chunked_array([random.randint(0, 2**52, 12).repeat(3)]) for j in range(5)}
    table = encode(columns, quasi=list(columns), sensitive=[], guides={}, style=Style())
    assert lcm(*(int(domain.values[-1] - domain.values[0]) for domain in table.domains)) > 2**62
    for k in (2, 4, 5):
        assert clusters_of(table, k, seed=3) == numbered(oracle.clusters(table, k, 3))


@pytest.fixture(scope="module")
def nine():
    words = {name: values for name, values in NINE.items() if isinstance(values[0], str)}
    return encode(
        {name: pa.chunked_array([pa.array(values)]) for name, values in NINE.items()},
        quasi=list(NINE),
        sensitive=[],
        guides={name: Hierarchy.flat(sorted(set(values))) for name, values in words.items()},
        style=Style(),
    )


def test_the_groups_of_figure_7_1(nine):
    found = np.array(clusters_of(nine, 3, seed=11), np.int32)
    groups = sorted(tuple((np.flatnonzero(found == g) + 1).tolist()) for g in range(3))
    assert groups == [(1, 3, 6), (2, 4, 8), (5, 7, 9)]
    loss = METRICS["information_loss"](nine, Recoding.of_groups(nine, found))
    assert loss == pytest.approx(float(Fraction(3209, 75)), abs=1e-12)


def test_the_nine_records_lose_no_less_than_the_optimum(nine):
    records = Records(nine)
    for seed in range(60):
        exact = sum(records.loss(cluster) for cluster in oracle.clusters(nine, 3, seed))
        made = OnePassKMeans(seed).recode(nine, KAnonymity(3))
        assert METRICS["information_loss"](nine, made) == pytest.approx(float(exact), abs=1e-12)
        assert exact >= Fraction(616, 15)
        assert sorted(made.sizes.tolist()) == [3, 3, 3]


@given(table=tables(max_rows=24), model=st.sampled_from(MODELS), seed=st.integers(0, 9))
@settings(max_examples=100, deadline=None)
def test_each_row_is_in_one_class_that_satisfies_the_model(table, model, seed):
    if not model.satisfied(table.whole()).all():
        return
    algorithm = OnePassKMeans(seed)
    made = algorithm.recode(table, model)
    assert made.ids.min() >= 0
    assert made.sizes.sum() == table.rows
    assert model.satisfied(table.classes(made.ids)).all()
    assert algorithm.recode(table, model).ids.tolist() == made.ids.tolist()


def test_another_seed_makes_other_clusters():
    table = adult_table(300)
    assert clusters_of(table, 5, seed=1) != clusters_of(table, 5, seed=2)


def test_the_progress_goes_up_to_one_whatever_the_chunks(monkeypatch):
    table = adult_table(200)
    whole = clusters_of(table, 4)
    monkeypatch.setattr(assignment, "CHUNK", 50 * 6 * 3)  # three rows of six attributes beside fifty clusters
    told = []
    assert OnePassKMeans().clusters(table, 4, progress=told.append).tolist() == whole
    assert len(told) > 50
    assert told == sorted(told)
    assert (told[0] > 0, told[-1]) == (True, 1.0)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (AverageRisk(0.2), "OnePassKMeans looks at one class at a time and cannot satisfy"),
        (DeltaPresence(0, 0.5, PEOPLE), "OnePassKMeans's classes may overlap, which"),
        (KMap(2, PEOPLE), "OnePassKMeans groups the rows of the table alone and cannot look at a population for"),
    ],
    ids=str,
)
def test_models_that_clusters_cannot_reach_are_refused(model, reason):
    with pytest.raises(InputError) as refusal:
        OnePassKMeans().recode(adult_table(20), model)
    assert str(refusal.value).startswith(reason)
    assert str(model) in str(refusal.value)


def test_a_k_above_the_number_of_rows_is_refused():
    with pytest.raises(InfeasibleError, match="6 rows"):
        shoal.anonymize(PEOPLE, quasi_identifiers=["age", "sex"], model=KAnonymity(7), algorithm=OnePassKMeans())


def test_an_unknown_seed_is_refused():
    with pytest.raises(InputError) as refusal:
        OnePassKMeans(seed=1.5)
    assert str(refusal.value) == "OnePassKMeans's seed is a whole number from 0 to 4294967295, not 1.5."
