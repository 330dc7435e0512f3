"""Mondrian against its vectors and against the literal recursion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from mondrian_tables import groups, literal
from oracles import mondrian as oracle
from shoal import Closeness, DistinctDiversity, InputError, KAnonymity, KMap, Mondrian
from shoal.algorithms.cost_arrays import space_of
from shoal.data.encoding import encode
from shoal.data.recoding import Recoding
from shoal.data.style import Style
from shoal.kernels.mondrian import Partitions
from shoal.metrics import loss_sum
from strategies import tables


def numbers(**columns):
    data = {name: pa.chunked_array([pa.array(values)]) for name, values in columns.items()}
    return encode(data, quasi=list(columns), sensitive=[], guides={}, style=Style())


@pytest.mark.parametrize(("relaxed", "expected"), [(False, [[1, 2, 3, 3], [4, 5]]), (True, [[1, 2, 3], [3, 4, 5]])])
def test_the_two_ways_to_cut_at_the_median(relaxed, expected):
    values = [1, 2, 3, 3, 4, 5]
    table, order = numbers(x=values), np.arange(6)
    mondrian = Mondrian(dimension="widest", cut="median", relaxed=relaxed)
    space, random = space_of(table.domains), np.random.RandomState(0)
    whole = Partitions(table.codes, table.weights, order, np.array([0]), np.array([6]))
    [middle], _ = mondrian._cut(whole, table, KAnonymity(2), space, random, None)
    assert [sorted(values[r] for r in side) for side in (order[:middle], order[middle:])] == expected


@pytest.fixture(scope="module")
def adult_numbers():
    adult = shoal.datasets.adult(drop_missing=True)
    return numbers(**{name: adult[name].to_pylist() for name in ("age", "education-num")})


@pytest.mark.parametrize(
    ("parameters", "loss", "partitions"),
    [
        ({"cut": "median"}, 0.2534571760, 242),
        ({"cut": "any"}, 0.0044688666, 549),
        ({"relaxed": True, "ties": "rows"}, 0.0210981855, 1638),
        ({"relaxed": True, "ties": "cuts"}, 0.0114951863, 1146),
    ],
    ids=lambda value: str(value),
)
def test_thirty_thousand_rows_of_age_and_education(adult_numbers, parameters, loss, partitions):
    ids = Mondrian(dimension="widest", **parameters).partition(adult_numbers, KAnonymity(10))
    sizes = np.bincount(ids)
    assert sizes.size == partitions
    assert sizes.min() >= 10
    assert loss_sum(adult_numbers, Recoding.of_groups(adult_numbers, ids)) == pytest.approx(loss, abs=1e-10)


SEVEN = ["age", "education-num", "workclass", "marital-status", "race", "sex", "native-country"]


@pytest.mark.parametrize(("k", "most"), [(5, 0.0275), (10, 0.0445), (50, 0.106)])
def test_the_loss_on_adult_with_the_trees_of_other_tools(reference_data, k, most):
    folder = reference_data / "peers"
    release = shoal.anonymize(
        folder / "adult30162.csv",
        quasi_identifiers=SEVEN,
        hierarchies=folder,
        model=KAnonymity(k),
        identifying=["fnlwgt", "education"],
        algorithm="mondrian",
    )
    assert release.report.k >= k
    assert release.report.metrics["loss"] < most


def allowable_by(table, k, l):  # noqa: E741
    secret = table.sensitive_codes[:, 0].tolist()
    return lambda side: len(side) >= k and len({secret[r] for r in side}) >= l


@given(
    table=tables(),
    k=st.integers(1, 5),
    l=st.integers(1, 3),
    dimension=st.sampled_from(["loss", "widest"]),
    cut=st.sampled_from(["any", "median"]),
    categorical=st.sampled_from(["hierarchy", "order"]),
)
@settings(max_examples=300, deadline=None)
def test_strict_partitions_are_those_of_the_recursion(table, k, l, dimension, cut, categorical):  # noqa: E741
    rows, attributes = literal(table)
    options = {"dimension": dimension, "cut": cut, "categorical": categorical}
    expected = oracle.anonymize(list(range(len(rows))), rows, attributes, allowable_by(table, k, l), **options)
    model = KAnonymity(k) & DistinctDiversity(l) if l > 1 else KAnonymity(k)
    assert groups(Mondrian(**options).partition(table, model)) == set(map(frozenset, expected))


@given(
    table=tables(),
    k=st.integers(1, 5),
    l=st.integers(1, 3),
    dimension=st.sampled_from(["loss", "widest"]),
    ties=st.sampled_from(["cuts", "rows"]),
)
@settings(max_examples=300, deadline=None)
def test_relaxed_partitions_are_those_of_the_recursion(table, k, l, dimension, ties):  # noqa: E741
    rows, attributes = literal(table)
    options = {"dimension": dimension, "ties": ties}
    expected = oracle.anonymize_relaxed(list(range(len(rows))), rows, attributes, allowable_by(table, k, l), **options)
    model = KAnonymity(k) & DistinctDiversity(l) if l > 1 else KAnonymity(k)
    assert groups(Mondrian(relaxed=True, **options).partition(table, model)) == set(map(frozenset, expected))


def test_random_dimensions_follow_the_seed():
    table = numbers(x=list(range(60)), y=[(7 * i) % 60 for i in range(60)])
    first, again, other = (Mondrian(dimension="random", seed=s).partition(table, KAnonymity(3)) for s in (1, 1, 2))
    assert (first == again).all()
    assert groups(first) != groups(other)


def test_many_partitions_are_cut_alike_in_chunks(monkeypatch, adult_numbers):
    whole = Mondrian().partition(adult_numbers, KAnonymity(10))
    monkeypatch.setattr("shoal.algorithms.mondrian.CHUNK", 50)
    assert groups(Mondrian().partition(adult_numbers, KAnonymity(10))) == groups(whole)


@given(
    table=tables(max_rows=40),
    model=st.sampled_from([KAnonymity(2), DistinctDiversity(2), Closeness(0.5), KMap(3, pa.table({"q": [1]}))]),
    options=st.sampled_from([{}, {"dimension": "random"}, {"relaxed": True}, {"relaxed": True, "ties": "rows"}]),
    people=st.lists(st.integers(1, 3), min_size=40, max_size=40),
)
@settings(max_examples=200, deadline=None)
def test_rows_can_be_moved_in_memory(table, model, options, people):
    table = replace(table, population=np.array(people[: len(table.weights)], np.int64))
    usual = Mondrian(**options).partition(table, model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.algorithms.mondrian.MIN_GATHERED", 1)
        patch.setattr("shoal.algorithms.mondrian.GATHERED", 1)
        assert (Mondrian(**options).partition(table, model) == usual).all()


def test_wide_domains_are_sorted_instead_of_counted():
    values = [0, 10**6, 5, 10**6 + 3, 999_999, 7, 10**6 + 1, 3]
    table = numbers(x=values + list(range(2000, 4000, 2)))
    sizes = np.bincount(Mondrian().partition(table, KAnonymity(4)))
    assert sizes.min() >= 4


def test_progress_ends_at_one():
    shares = []
    Mondrian().partition(numbers(x=list(range(100))), KAnonymity(5), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_blind_cuts_depend_on_sensitive_values_by_one_size_alone():
    random = np.random.RandomState(0)
    ages = random.randint(20, 60, 80).tolist()
    for _ in range(20):
        columns = {"age": pa.chunked_array([ages]), "ill": pa.chunked_array([random.choice([*"abc"], 80).tolist()])}
        table = encode(columns, quasi=["age"], sensitive=["ill"], guides={}, style=Style())
        model = shoal.FrequencyDiversity(1.8)
        found = Mondrian(blind=True).partition(table, model)
        by_size = [
            Mondrian().partition(table, KAnonymity(size))
            for size in (2, 3, 4, 5, 7, 9, 12, 15, 19, 24, 30, 38, 48, 60, 75)
        ]
        first = next(ids for ids in by_size if model.satisfied(table.classes(ids)).all())
        assert groups(found) == groups(first)
    assert groups(Mondrian(blind=True).partition(table, KAnonymity(5))) == groups(by_size[3])


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"dimension": "best"}, "Mondrian's dimension is one of loss, widest, random, not 'best'."),
        ({"cut": "mean"}, "Mondrian's cut is one of any, median, not 'mean'."),
        ({"ties": "no"}, "Mondrian's ties is one of cuts, rows, not 'no'."),
        ({"categorical": "x"}, "Mondrian's categorical is one of hierarchy, order, not 'x'."),
        ({"blind": 1}, "Mondrian's blind is True or False, not 1."),
    ],
)
def test_unknown_choices_are_refused(parameters, sentence):
    with pytest.raises(InputError) as refusal:
        Mondrian(**parameters)
    assert str(refusal.value) == sentence
