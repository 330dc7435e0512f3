"""Agglomerative clustering against the literal algorithm, which compares all pairs anew."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from contract.lists import MODELS
from oracles import agglomerative as oracle
from shoal import InfeasibleError, InputError, KAnonymity, KMap
from shoal.algorithms.clustering import agglomerative
from shoal.algorithms.clustering.agglomerative import AgglomerativeClustering
from shoal.data.encoding import encode
from strategies import tables


def table_of(columns):
    data = {name: pa.chunked_array([pa.array(values)]) for name, values in columns.items()}
    return encode(data, quasi=list(columns), sensitive=[], guides={}, style=shoal.Style())


def groups(ids):
    return {frozenset(np.flatnonzero(ids == group).tolist()) for group in range(ids.max() + 1)}


def sets(*clusters):
    return set(map(frozenset, clusters))


AGES = {"age": [0, 1, 3, 10, 12, 30, 31, 33]}
KINDS = {"distance": st.sampled_from(["rows", "row"]), "shrink": st.booleans()}


def test_the_closest_are_united_first():
    # 0 and 1, then 30 and 31, 10 and 12; the 3 joins 0 and 1, the 33 joins 30 and 31, which are ripe; 10 and 12 are
    # left in the end, and each joins the closest: 3 for a range of 10, then 12 for one of 12.
    made = AgglomerativeClustering().clusters(table_of(AGES), 3)
    assert groups(made) == sets([0, 1, 2, 3, 4], [5, 6, 7])


def test_ripe_clusters_give_up_what_costs_most():
    # 0 and 1, 4 and 5 are united, then all four; without the 0 or the 5 it would cost least, and the 0 is first. It
    # meets the 20 in the end, and both are too few, so that they join the ripe cluster.
    table = table_of({"age": [0, 1, 4, 5, 20, 21, 22]})
    assert groups(AgglomerativeClustering().clusters(table, 3)) == sets([0, 1, 2, 3], [4, 5, 6])
    assert groups(AgglomerativeClustering(shrink=True).clusters(table, 3)) == sets([0, 1, 2, 3], [4, 5, 6])


@given(table=tables(), k=st.integers(1, 6), kind=st.fixed_dictionaries(KINDS))
@settings(max_examples=500, deadline=None)
def test_clusters_are_those_of_the_literal_algorithm(table, k, kind):
    expected = oracle.cluster(table, k, **kind)
    assert groups(AgglomerativeClustering(**kind).clusters(table, k)) == sets(*expected)


@given(table=tables(max_rows=40, max_attributes=2), k=st.integers(2, 9), kind=st.fixed_dictionaries(KINDS))
@settings(max_examples=60, deadline=None)
def test_many_equal_rows_are_clustered_as_in_the_literal_algorithm(table, k, kind):
    expected = oracle.cluster(table, k, **kind)
    assert groups(AgglomerativeClustering(**kind).clusters(table, k)) == sets(*expected)


@given(table=tables(), model=st.sampled_from(MODELS), kind=st.fixed_dictionaries(KINDS))
@settings(max_examples=200, deadline=None)
def test_each_row_is_in_one_class_that_satisfies_the_model(table, model, kind):
    assume(model.satisfied(table.whole()).all())
    algorithm = AgglomerativeClustering(**kind)
    assert min(map(len, groups(algorithm.clusters(table, model.smallest)))) >= model.smallest
    made = algorithm.recode(table, model)
    assert made.ids.min() >= 0
    assert made.sizes.sum() == table.rows
    assert model.satisfied(table.classes(made.ids)).all()


def test_clusters_are_made_alike_in_chunks(monkeypatch):
    table = table_of({"age": [i * i % 37 for i in range(40)], "town": [i * 7 % 11 for i in range(40)]})
    whole = AgglomerativeClustering(shrink=True).clusters(table, 3)
    monkeypatch.setattr(agglomerative, "PAIRS_PER_CALL", 1)
    shares = []
    assert (AgglomerativeClustering(shrink=True).clusters(table, 3, progress=shares.append) == whole).all()
    assert len(shares) > 40
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_more_than_the_table_has_is_one_cluster_and_refused():
    assert AgglomerativeClustering().clusters(table_of(AGES), 9).tolist() == [0] * 8
    with pytest.raises(InfeasibleError, match="the table has 8 rows, so k can be at most 8"):
        shoal.anonymize(pa.table(AGES), quasi_identifiers=["age"], model=KAnonymity(9), algorithm="agglomerative")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"distance": "rank"}, "AgglomerativeClustering's distance is one of rows, row, not 'rank'."),
        ({"shrink": 1}, "AgglomerativeClustering's shrink is True or False, not 1."),
    ],
)
def test_other_parameters_are_refused(asked, sentence):
    with pytest.raises(InputError) as refusal:
        AgglomerativeClustering(**asked)
    assert str(refusal.value) == sentence


def test_models_that_joining_cannot_reach_are_refused():
    with pytest.raises(InputError) as refusal:
        AgglomerativeClustering().recode(table_of(AGES), KMap(2, pa.table({"age": [1, 2]})))
    assert str(refusal.value) == (
        "AgglomerativeClustering groups the rows of the table alone and cannot look at a population for 2-map: "
        "choose mondrian."
    )
