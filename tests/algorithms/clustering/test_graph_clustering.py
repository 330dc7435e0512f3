"""Graph clustering against its literal version and the nine records of the thesis."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from contract.lists import MODELS
from oracles import graph_clustering as oracle
from shoal import AverageRisk, DeltaPresence, Hierarchy, InfeasibleError, InputError, KAnonymity, KMap, Style
from shoal.algorithms.clustering.graph import GraphClustering
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.kernels.clustering import assignment
from shoal.metrics import METRICS
from strategies import tables

LITERAL = {"fill": oracle.fill, "dissolve": oracle.dissolve}
PEOPLE = pa.table({"age": [21, 22, 23, 31, 32, 33], "sex": list("ffmmfm")})
variants = pytest.mark.parametrize("variant", LITERAL)
ways = pytest.mark.parametrize("by", ["loss", "distance"])


def groups_of(table, k, **options):
    """The groups before any is joined: the number of each row's."""
    return GraphClustering(**options).clusters(table, k).tolist()


def numbered(groups):
    """The number of the group of each record."""
    places = {record: number for number, group in enumerate(groups) for record in group}
    assert len(places) == sum(map(len, groups))
    return [places[record] for record in sorted(places)]


def adult_table(rows):
    adult = shoal.datasets.adult().slice(0, rows)
    quasi = ["age", "education-num", "workclass", "marital-status", "race", "sex"]
    trees = {name: tree for name, tree in shoal.datasets.adult_hierarchies().items() if name in quasi[2:4]}
    return encode({name: adult[name] for name in quasi}, quasi=quasi, sensitive=[], guides=trees, style=Style())


@ways
@variants
@given(table=tables(max_rows=30), k=st.integers(1, 6), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=250, deadline=None)
def test_small_tables_as_the_literal_version(variant, by, table, k, seed):
    found = groups_of(table, k, variant=variant, seed=seed, by=by)
    if len(table.weights) < k:
        assert set(found) == {0}
    else:
        assert found == numbered(LITERAL[variant](table, k, seed, by))
        assert np.bincount(found).min() >= k


@ways
@variants
def test_a_slice_of_adult_as_the_literal_version(variant, by):
    table = adult_table(150)
    assert groups_of(table, 5, variant=variant, seed=7, by=by) == numbered(LITERAL[variant](table, 5, 7, by))


@variants
def test_rounding_of_large_denominators_does_no_harm_where_nothing_nearly_agrees(variant):
    random = np.random.RandomState(1)
    columns = {f"q{j}": pa.chunked_array([random.randint(0, 2**52, 12).repeat(3)]) for j in range(5)}
    table = encode(columns, quasi=list(columns), sensitive=[], guides={}, style=Style())
    assert lcm(*(int(domain.values[-1] - domain.values[0]) for domain in table.domains)) > 2**62
    for k in (2, 4, 5):
        assert groups_of(table, k, variant=variant, seed=3) == numbered(LITERAL[variant](table, k, 3))


@pytest.fixture(scope="module")
def nine():
    words = {name: values for name, values in oracle.NINE.items() if isinstance(values[0], str)}
    return encode(
        {name: pa.chunked_array([pa.array(values)]) for name, values in oracle.NINE.items()},
        quasi=list(oracle.NINE),
        sensitive=[],
        guides={name: Hierarchy.flat(sorted(set(values))) for name, values in words.items()},
        style=Style(),
    )


@pytest.mark.parametrize(
    ("options", "groups", "loss"),
    [
        ({"seed": 125}, [(1, 3, 6), (2, 4, 8), (5, 7, 9)], Fraction(3209, 75)),  # figure 7.1
        ({"seed": 35, "by": "distance"}, [(1, 3, 6), (2, 4, 8), (5, 7, 9)], Fraction(3209, 75)),
        ({"seed": 125, "by": "distance"}, [(1, 3, 8), (2, 4, 7), (5, 6, 9)], Fraction(3493, 75)),  # figure 7.2
        ({"variant": "dissolve", "seed": 62}, [(1, 2, 8), (3, 4, 6), (5, 7, 9)], Fraction(137, 3)),  # page 43
    ],
    ids=["figure 7.1", "figure 7.1 by distance", "figure 7.2", "page 43"],
)
def test_groups_that_the_thesis_prints(nine, options, groups, loss):
    found = np.array(groups_of(nine, 3, **options), np.int32)
    assert sorted(tuple((np.flatnonzero(found == g) + 1).tolist()) for g in range(3)) == groups
    assert METRICS["information_loss"](nine, Recoding.of_groups(nine, found)) == pytest.approx(float(loss), abs=1e-12)


@variants
def test_the_nine_records_lose_no_less_than_the_optimum(nine, variant):
    records = oracle.Records(nine)
    for seed in range(60):
        groups = LITERAL[variant](nine, 3, seed)
        exact = sum(records.loss(group) for group in groups)
        made = GraphClustering(variant=variant, seed=seed).recode(nine, KAnonymity(3))
        assert METRICS["information_loss"](nine, made) == pytest.approx(float(exact), abs=1e-12)
        assert exact >= Fraction(616, 15)
        assert sorted(made.sizes.tolist()) == [3, 3, 3]


@variants
@given(table=tables(max_rows=24), model=st.sampled_from(MODELS), seed=st.integers(0, 9))
@settings(max_examples=100, deadline=None)
def test_each_row_is_in_one_class_that_satisfies_the_model(variant, table, model, seed):
    if not model.satisfied(table.whole()).all():
        return
    algorithm = GraphClustering(variant=variant, seed=seed)
    made = algorithm.recode(table, model)
    assert made.ids.min() >= 0
    assert made.sizes.sum() == table.rows
    assert model.satisfied(table.classes(made.ids)).all()
    assert algorithm.recode(table, model).ids.tolist() == made.ids.tolist()


def test_many_equal_rows_are_not_clustered_again_and_again():
    # A round settles one group of two: after the first, the others join it.
    table = encode({"x": pa.chunked_array([pa.array([5] * 60)])}, quasi=["x"], sensitive=[], guides={}, style=Style())
    assert set(groups_of(table, 2, variant="dissolve")) == {0}
    assert np.bincount(groups_of(table, 2)).tolist() == [2] * 30


def test_another_seed_makes_other_groups():
    table = adult_table(300)
    assert groups_of(table, 5, seed=1) != groups_of(table, 5, seed=2)


@variants
def test_the_progress_goes_up_to_one_whatever_the_chunks(variant, monkeypatch):
    table, algorithm = adult_table(200), GraphClustering(variant=variant)
    whole = algorithm.clusters(table, 4).tolist()
    monkeypatch.setattr(assignment, "CHUNK", 50 * 6 * 3)  # three rows of six attributes beside fifty groups
    told = []
    assert algorithm.clusters(table, 4, progress=told.append).tolist() == whole
    assert len(told) > 50
    assert told == sorted(told)
    assert (told[0] > 0, told[-1]) == (True, 1.0)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (AverageRisk(0.2), "GraphClustering looks at one class at a time and cannot satisfy"),
        (DeltaPresence(0, 0.5, PEOPLE), "GraphClustering's classes may overlap, which"),
        (KMap(2, PEOPLE), "GraphClustering groups the rows of the table alone and cannot look at a population for"),
    ],
    ids=str,
)
def test_models_that_groups_cannot_reach_are_refused(model, reason):
    with pytest.raises(InputError) as refusal:
        GraphClustering().recode(adult_table(20), model)
    assert str(refusal.value).startswith(reason)
    assert str(model) in str(refusal.value)


def test_a_k_above_the_number_of_rows_is_refused():
    with pytest.raises(InfeasibleError, match="6 rows"):
        shoal.anonymize(
            PEOPLE, quasi_identifiers=["age", "sex"], model=KAnonymity(7), algorithm=GraphClustering("dissolve")
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "melt"}, "GraphClustering's variant is one of fill, dissolve, not 'melt'."),
        ({"by": "chance"}, "GraphClustering's by is one of loss, distance, not 'chance'."),
        ({"seed": -1}, "GraphClustering's seed is a whole number from 0 to 4294967295, not -1."),
    ],
)
def test_unknown_parameters_are_refused(options, message):
    with pytest.raises(InputError) as refusal:
        GraphClustering(**options)
    assert str(refusal.value) == message


def test_records_far_apart_are_not_all_one_group():
    random = np.random.RandomState(0)
    wide = pa.table({f"q{j}": [str(value) for value in random.randint(0, 9, 300)] for j in range(20)})
    made = shoal.anonymize(
        wide,
        quasi_identifiers=wide.column_names,
        model=shoal.KAnonymity(5),
        algorithm=shoal.GraphClustering("dissolve"),
    )
    assert made.report.classes == 60
