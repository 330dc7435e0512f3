"""The contract of every algorithm with every model and every kind of frame."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

import shoal
from contract.lists import ALGORITHMS, DEFINITIONS, FRAMES, MODELS, ORDER_FREE, rows_of
from oracles import labels as oracle
from shoal import PrivacyWarning
from shoal.data.domain import TreeDomain
from shoal.data.recoding import Recoding
from shoal.metrics import METRICS, loss
from strategies import tables

QUASI = ["age", "zip", "job", "town"]
TREE = shoal.Hierarchy.from_parents(["*", "13", "14", "131", "132", "141"], [-1, 0, 0, 1, 1, 2])
AGES = [23, 25, 25, None, 31, 31, 38, 40, 40, 41, 52, 55, 57, None, 61, 64]
ZIPS = ["131", "132", "131", "141", "132", None, "141", "141", "131", "132", "132", "131", "141", "131", "132", "141"]
JOBS = ["cook", "nurse", "cook", "clerk", "clerk", "nurse", None, "cook"] * 2
COLUMNS = {
    "name": [f"Person {i}" for i in range(16)],
    "age": AGES,
    "zip": ZIPS,
    "job": JOBS,
    "town": ["São Paulo", "Zürich", "東京", "東京"] * 4,
    "illness": ["flu", "cold", None, "flu", "asthma", "cold", "flu", "cold"] * 2,
    "visits": list(range(16)),
}
MEANINGS = {
    "age": oracle.Numbers(AGES),
    "zip": oracle.Tree({leaf: TREE.path(leaf) for leaf in TREE.leaves} | {"?": ("?", "*")}),
    "job": oracle.Sets(JOBS),
    "town": oracle.Sets(COLUMNS["town"]),
}


# If every column needs a tree, a column without one is released as its value or as "*".
FLAT = {
    name: oracle.Tree({str(value): (str(value), "*") for value in values if value is not None} | {"?": ("?", "*")})
    for name, values in COLUMNS.items()
    if name in ("age", "job")
} | {"town": oracle.Tree({value: (value, "*") for value in COLUMNS["town"]})}


def with_trees(algorithm, table):
    """Return the table with flat trees for all columns if the algorithm needs trees."""
    if not algorithm.needs_hierarchies:
        return table
    trees = tuple(
        d if isinstance(d, TreeDomain) else TreeDomain(d.labels, d.missing, shoal.Hierarchy.flat(d.labels))
        for d in table.domains
    )
    return replace(table, domains=trees)


def release(frame, algorithm, model, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        return shoal.anonymize(
            frame,
            keep="visits",
            quasi_identifiers=QUASI,
            sensitive="illness",
            identifying="name",
            hierarchies={"zip": TREE},
            model=model,
            algorithm=algorithm,
            **options,
        )


def matrix():
    """Yield every algorithm with every model and frame; cases beyond all pairs of the three are deep."""
    deep = pytest.mark.deep("another case of this matrix has each pair of algorithm, model and frame")
    kinds = list(FRAMES)
    for a, algorithm in enumerate(ALGORITHMS):
        for m, (model, holds) in enumerate(DEFINITIONS):
            for k, kind in enumerate(kinds):
                marks = () if k == (a + m) % len(kinds) else deep
                yield pytest.param(algorithm, model, holds, kind, id=f"{algorithm}-{model}-{kind}", marks=marks)


def test_every_pair_of_algorithm_model_and_frame_is_tried_without_the_deep_cases():
    quick = [case.values for case in matrix() if not case.marks]
    for one, other in ((0, 1), (0, 3), (1, 3)):
        seen = {(id(values[one]), id(values[other])) for values in quick}
        whole = {(id(case.values[one]), id(case.values[other])) for case in matrix()}
        assert seen == whole


@pytest.mark.parametrize(("algorithm", "model", "holds", "kind"), list(matrix()))
def test_the_released_labels_keep_every_promise(algorithm, model, holds, kind):
    meanings = MEANINGS | FLAT if algorithm.needs_hierarchies else MEANINGS
    frame = FRAMES[kind](COLUMNS)
    before = rows_of(frame)
    made = release(frame, algorithm, model)
    after = rows_of(made.frame)

    assert type(made.frame) is type(frame)
    assert rows_of(frame) == before, "the input is not touched"
    assert list(after[0]) == [name for name in COLUMNS if name != "name"], "columns in their order, identifiers gone"
    for raw, shown in zip(before, after, strict=True):
        assert (shown["illness"], shown["visits"]) == (raw["illness"], raw["visits"]), "other columns as they were"
        for name, meaning in meanings.items():
            value = None if raw[name] != raw[name] else raw[name]
            assert meaning.covers(shown[name], value), (name, shown[name], value)

    smallest = min(oracle.class_sizes(after, QUASI).values())
    fewest = min(oracle.distinct_values(after, QUASI, "illness").values())
    for values in oracle.sensitive_values(after, QUASI, "illness").values():
        assert holds(values, COLUMNS["illness"])
    assert made.report.k == smallest
    assert made.report.distinct_sensitive == {"illness": fewest}
    assert made.report.metrics["loss"] == pytest.approx(float(oracle.mean_loss(after, meanings)), abs=1e-12)


@pytest.mark.parametrize("algorithm", [one for one in ALGORITHMS if one.suppresses], ids=str)
@pytest.mark.parametrize(("model", "holds"), DEFINITIONS, ids=[str(model) for model, _ in DEFINITIONS])
def test_what_is_left_keeps_every_promise_if_rows_are_suppressed(algorithm, model, holds):
    meanings = MEANINGS | FLAT if algorithm.needs_hierarchies else MEANINGS
    frame, limit = FRAMES["pyarrow"](COLUMNS), 3
    made = release(frame, algorithm, model, max_suppression=limit, suppressed="drop")
    before, after = rows_of(frame), rows_of(made.frame)
    assert len(before) - limit <= len(after) == len(before) - made.report.suppressed_rows
    for shown in after:
        raw = before[shown["visits"]]
        assert shown["illness"] == raw["illness"]
        assert all(meaning.covers(shown[name], raw[name]) for name, meaning in meanings.items())
    for values in oracle.sensitive_values(after, QUASI, "illness").values():
        assert holds(values, COLUMNS["illness"]), "compared with the whole table, suppressed rows included"


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
def test_the_same_input_gives_the_same_release(algorithm):
    first, second = (rows_of(release(FRAMES["pyarrow"](COLUMNS), algorithm, MODELS[0]).frame) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("algorithm", ORDER_FREE, ids=str)
@given(table=tables(), seed=st.integers(0, 2**31), model=st.sampled_from(MODELS))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_shuffled_rows_lose_the_same(algorithm, table, seed, model):
    table = with_trees(algorithm, table)
    assume(model.satisfied(table.whole()).all())
    order = np.random.RandomState(seed).permutation(len(table.weights))
    shuffled = replace(table, codes=table.codes[order], sensitive_codes=table.sensitive_codes[order])
    assert loss(shuffled, algorithm.recode(shuffled, model)) == loss(table, algorithm.recode(table, model))


@pytest.mark.parametrize("algorithm", ORDER_FREE, ids=str)
@given(table=tables(max_rows=10), data=st.data(), model=st.sampled_from(MODELS))
@settings(max_examples=40, deadline=None)
def test_a_row_of_weight_w_is_w_rows(algorithm, table, data, model):
    table = with_trees(algorithm, table)
    weights = np.array([data.draw(st.integers(1, 4)) for _ in table.weights], np.int64)
    weighted = replace(table, weights=weights)
    repeated = replace(
        table,
        codes=np.repeat(table.codes, weights, axis=0),
        sensitive_codes=np.repeat(table.sensitive_codes, weights, axis=0),
        weights=np.ones(int(weights.sum()), np.int64),
    )
    assume(model.satisfied(weighted.whole()).all())
    of_weighted, of_repeated = algorithm.recode(weighted, model), algorithm.recode(repeated, model)
    assert sorted(of_weighted.sizes.tolist()) == sorted(of_repeated.sizes.tolist())
    for name, metric in METRICS.items():
        assert metric(weighted, of_weighted) == pytest.approx(metric(repeated, of_repeated)), name


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
@given(table=tables(), model=st.sampled_from(MODELS))
@settings(max_examples=60, deadline=None)
def test_each_row_is_in_one_class_that_satisfies_the_model(algorithm, table, model):
    table = with_trees(algorithm, table)
    assume(model.satisfied(table.whole()).all())
    recoding = algorithm.recode(table, model)
    assert recoding.ids.shape == table.weights.shape
    assert recoding.ids.min() >= 0
    assert model.satisfied(table.classes(recoding.ids)).all()
    assert recoding.sizes.sum() == table.rows


@given(table=tables(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_groups_that_show_the_same_are_one_class(table, data):
    ids = np.array([data.draw(st.integers(0, 4)) for _ in table.weights])
    ids = np.unique(ids, return_inverse=True)[1].astype(np.int32)
    recoding = Recoding.of_groups(table, ids)
    style = shoal.Style()
    labels = list(zip(*(d.write(s, style) for d, s in zip(table.domains, recoding.shown, strict=True)), strict=True))
    assert len(set(labels)) == len(labels) == recoding.sizes.size
