"""Greedy k-member clustering against the paper's pseudocode, step by step."""

from __future__ import annotations

from math import lcm

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from contract.lists import MODELS
from oracles import clustering as oracle
from shoal import AverageRisk, DeltaPresence, InfeasibleError, InputError, KAnonymity, KMap
from shoal.algorithms.clustering.k_member import KMember
from shoal.data.encoding import encode
from shoal.metrics import METRICS
from strategies import tables

JOBS = shoal.Hierarchy.from_parents(["*", "care", "food", "nurse", "doctor", "cook", "baker"], [-1, 0, 0, 1, 1, 2, 2])
COLUMNS = {
    "age": [20, 60, 22, 58, 24, 56, 26, 54],
    "job": ["nurse", "cook", "doctor", "baker", "nurse", "cook", "doctor", "baker"],
}
PEOPLE = pa.table(COLUMNS)


def table_of(columns):
    data = {name: pa.chunked_array([pa.array(values)]) for name, values in columns.items()}
    return encode(data, quasi=list(columns), sensitive=[], guides={"job": JOBS}, style=shoal.Style())


def groups(ids):
    return [np.flatnonzero(ids == group).tolist() for group in range(ids.max() + 1)]


def test_two_kinds_of_people():
    # The first record is row 4, of age 24; the furthest from it is the cook of age 60, who meets the cook of 56, then
    # the baker of 58 between them; the baker of 54 is left. From the 58 of the last one it is furthest to the age 20.
    table = table_of(COLUMNS)
    seed = next(seed for seed in range(100) if np.random.RandomState(seed).randint(8) == 4)
    assert groups(KMember(seed).clusters(table, 3)) == [[1, 3, 5, 7], [0, 2, 4, 6]]
    made = KMember(seed).recode(table, KAnonymity(3))
    assert METRICS["information_loss"](table, made) == pytest.approx(2 * 4 * (6 / 40 + 1 / 2))


@given(
    table=tables(), k=st.integers(1, 6), seed=st.integers(0, 2**32 - 1), start=st.sampled_from(["furthest", "random"])
)
@settings(max_examples=400, deadline=None)
def test_clusters_are_those_of_the_pseudocode(table, k, seed, start):
    expected = oracle.k_member(table, k, seed, start)
    assert groups(KMember(seed, start).clusters(table, k)) == list(map(sorted, expected))


@given(table=tables(max_rows=60, max_attributes=2), k=st.integers(2, 8))
@settings(max_examples=40, deadline=None)
def test_many_equal_rows_are_clustered_as_in_the_pseudocode(table, k):
    expected = oracle.k_member(table, k, 1)
    assert groups(KMember(1).clusters(table, k)) == list(map(sorted, expected))


@given(table=tables(), model=st.sampled_from(MODELS), seed=st.integers(0, 9))
@settings(max_examples=200, deadline=None)
def test_each_row_is_in_one_class_that_satisfies_the_model(table, model, seed):
    assume(model.satisfied(table.whole()).all())
    ids = KMember(seed).clusters(table, model.smallest)
    assert ids.min() == 0
    assert min(map(len, groups(ids))) >= model.smallest
    made = KMember(seed).recode(table, model)
    assert made.ids.shape == table.weights.shape
    assert made.ids.min() >= 0
    assert made.sizes.sum() == table.rows
    assert model.satisfied(table.classes(made.ids)).all()


def test_clusters_follow_the_seed():
    ages = np.random.RandomState(5).randint(0, 90, 200).tolist()
    table = table_of({"age": ages, "job": COLUMNS["job"] * 25})
    first, again, other = (KMember(seed).clusters(table, 7) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_rounding_of_large_denominators_does_no_harm_where_nothing_nearly_agrees():
    random = np.random.RandomState(1)
    table = table_of({f"q{j}": random.randint(0, 2**52, 12).tolist() * 3 for j in range(5)})
    assert lcm(*(int(domain.values[-1] - domain.values[0]) for domain in table.domains)) > 2**62
    for k in (2, 4, 5):
        assert groups(KMember(3).clusters(table, k)) == list(map(sorted, oracle.k_member(table, k, 3)))


def test_clusters_are_made_alike_in_chunks(monkeypatch):
    table = table_of({"age": [i * i % 37 for i in range(40)], "job": COLUMNS["job"] * 5})
    whole = KMember(2).clusters(table, 3)
    monkeypatch.setattr("shoal.algorithms.clustering.k_member.CHUNK", 1)
    shares = []
    assert (KMember(2).clusters(table, 3, progress=shares.append) == whole).all()
    assert len(shares) == 40 // 3 + 1
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_more_than_the_table_has_is_one_cluster_and_refused():
    table = table_of(COLUMNS)
    assert KMember().clusters(table, 9).tolist() == [0] * 8
    assert KMember().recode(table, KAnonymity(9)).sizes.tolist() == [8]
    with pytest.raises(InfeasibleError, match="the table has 8 rows, so k can be at most 8"):
        shoal.anonymize(PEOPLE, quasi_identifiers=list(COLUMNS), model=KAnonymity(9), algorithm=KMember())


@pytest.mark.parametrize("seed", [-1, 2**32, 1.0, "1", True])
def test_seeds_that_are_no_whole_numbers_are_refused(seed):
    with pytest.raises(InputError) as refusal:
        KMember(seed)
    assert str(refusal.value) == f"KMember's seed is a whole number from 0 to 4294967295, not {seed!r}."


def test_other_starts_are_refused():
    with pytest.raises(InputError) as refusal:
        KMember(start="nearest")
    assert str(refusal.value) == "KMember's start is one of furthest, random, not 'nearest'."


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (
            AverageRisk(0.5),
            f"KMember looks at one class at a time and cannot satisfy {AverageRisk(0.5)}: choose full-domain.",
        ),
        (
            DeltaPresence(0, 0.5, PEOPLE),
            "KMember's classes may overlap, which (0, 0.5)-presence does not allow: choose full-domain.",
        ),
        (
            KMap(2, PEOPLE),
            "KMember groups the rows of the table alone and cannot look at a population for 2-map: choose mondrian.",
        ),
    ],
    ids=["average risk", "presence", "k-map"],
)
def test_models_that_joining_cannot_reach_are_refused(model, sentence):
    with pytest.raises(InputError) as refusal:
        KMember().recode(table_of(COLUMNS), model)
    assert str(refusal.value) == sentence
