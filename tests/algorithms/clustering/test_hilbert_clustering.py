"""Clustering along a Hilbert curve against the literal version, and what makes the curve one of Hilbert's."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from contract.lists import MODELS
from oracles import hilbert as oracle
from oracles.sequential_clustering import Table as Costs
from shoal import InfeasibleError, InputError, KAnonymity, KMap
from shoal.algorithms.clustering import hilbert
from shoal.algorithms.clustering.hilbert import HilbertClustering, along_the_curve
from shoal.data.encoding import encode
from shoal.kernels.clustering.hilbert import hilbert_keys
from strategies import tables


def table_of(columns):
    data = {name: pa.chunked_array([pa.array(values)]) for name, values in columns.items()}
    return encode(data, quasi=list(columns), sensitive=[], guides={}, style=shoal.Style())


def groups(ids):
    return [np.flatnonzero(ids == group).tolist() for group in range(ids.max() + 1)]


@pytest.mark.parametrize(("bits", "dimensions"), [(1, 1), (5, 1), (1, 2), (4, 2), (3, 3), (2, 5), (1, 7)])
def test_the_curve_visits_each_cell_once_and_goes_to_a_neighbour_each_time(bits, dimensions):
    cells = np.stack(np.meshgrid(*[np.arange(2**bits)] * dimensions, indexing="ij"), axis=-1).reshape(-1, dimensions)
    keys = np.zeros((len(cells), 1), np.uint64)
    hilbert_keys(cells, bits, keys)
    assert sorted(keys[:, 0].tolist()) == list(range(len(cells)))
    walk = cells[np.argsort(keys[:, 0])]
    assert (np.abs(np.diff(walk, axis=0)).sum(axis=1) == 1).all()
    assert walk.tolist() == list(map(list, oracle.curve(bits, dimensions)))


def test_each_half_of_the_sides_is_finished_before_the_next():
    # That is what makes it Hilbert's: the first two bits of a place tell the quarter of the square.
    cells = np.array(oracle.curve(4, 2))
    for quarter in np.split(cells, 4):
        assert len(np.unique(quarter // 8, axis=0)) == 1


def test_keys_of_many_dimensions_take_several_words():
    # One point per dimension and bit; the curve through 9 dimensions of 15 bits has 135 bits.
    points = np.concatenate([np.eye(9, dtype=np.int64) << bit for bit in range(15)])
    keys = np.zeros((len(points), 3), np.uint64)
    hilbert_keys(points, 15, keys)
    whole = [sum(int(word) << (64 * (2 - at)) for at, word in enumerate(key)) for key in keys]
    assert max(whole) < 2**135
    assert len(set(whole)) == len(points)
    rows = along_the_curve(points.astype(np.int32), [2**15] * 9)
    assert rows.tolist() == sorted(range(len(points)), key=whole.__getitem__)


def test_four_corners():
    # The curve goes along three sides of the square; two equal rows are two neighbours on it.
    table = table_of({"x": [0, 9, 9, 0] * 2, "y": [0, 0, 9, 9] * 2})
    assert along_the_curve(table.codes, [2, 2]).tolist() == [0, 4, 3, 7, 2, 6, 1, 5]
    assert groups(HilbertClustering().clusters(table, 2)) == [[0, 4], [3, 7], [2, 6], [1, 5]]


@given(table=tables(), k=st.integers(1, 6))
@settings(max_examples=400, deadline=None)
def test_clusters_are_those_of_the_literal_algorithm(table, k):
    expected = oracle.cluster(table, k)
    assert groups(HilbertClustering().clusters(table, k)) == list(map(sorted, expected))


@given(table=tables(max_rows=14), k=st.integers(1, 4))
@settings(max_examples=200, deadline=None)
def test_no_longer_runs_are_cheaper(table, k):
    assume(len(table.weights) >= k)
    costs = Costs(table, "loss")
    made = groups(HilbertClustering().clusters(table, k))
    assert sum(map(costs.cost, made)) == oracle.lowest_cost(table, k)


@given(table=tables(), model=st.sampled_from(MODELS))
@settings(max_examples=200, deadline=None)
def test_each_row_is_in_one_class_that_satisfies_the_model(table, model):
    assume(model.satisfied(table.whole()).all())
    ids = HilbertClustering().clusters(table, model.smallest)
    assert min(map(len, groups(ids))) >= model.smallest
    made = HilbertClustering().recode(table, model)
    assert made.ids.min() >= 0
    assert made.sizes.sum() == table.rows
    assert model.satisfied(table.classes(made.ids)).all()


def test_clusters_are_made_alike_in_chunks(monkeypatch):
    table = table_of({"age": [i * i % 37 for i in range(40)], "town": [i * 7 % 11 for i in range(40)]})
    whole = HilbertClustering().clusters(table, 3)
    monkeypatch.setattr(hilbert, "CHUNK", 1)
    shares = []
    assert (HilbertClustering().clusters(table, 3, progress=shares.append) == whole).all()
    assert len(shares) == 40
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_more_than_the_table_has_is_one_cluster_and_refused():
    people = pa.table({"age": [20, 60, 22]})
    assert HilbertClustering().clusters(table_of({"age": [20, 60, 22]}), 9).tolist() == [0] * 3
    with pytest.raises(InfeasibleError, match="the table has 3 rows, so k can be at most 3"):
        shoal.anonymize(people, quasi_identifiers=["age"], model=KAnonymity(9), algorithm="hilbert")


def test_models_that_joining_cannot_reach_are_refused():
    with pytest.raises(InputError) as refusal:
        HilbertClustering().recode(table_of({"age": [1, 2]}), KMap(2, pa.table({"age": [1, 2]})))
    assert str(refusal.value) == (
        "HilbertClustering groups the rows of the table alone and cannot look at a population for 2-map: "
        "choose mondrian."
    )
