"""Coarse cuts: every block satisfies the model, none is too large, and all rows are in one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.data.coding import Coding, Values
from shoal.data.style import Style
from shoal.errors import InputError
from shoal.release.arguments import algorithm_of
from shoal.release.blocks import answer_block, block_algorithm
from shoal.release.coarse_cuts import Cuts, find_cuts
from shoal.release.request import Request

TREE = shoal.Hierarchy.from_nested({"north": ["a", "b"], "south": {"east": ["c", "d"], "west": ["e"]}})


def coded(rows, weights):
    """Return the coding of rows with an age, a place in a tree, a colour and a secret, and their codes."""
    names = ("age", "place", "colour", "secret")
    columns = {name: pa.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    values = []
    for name, column in columns.items():
        different = column.unique()
        places = np.array([different.index(value).as_py() for value in column])
        values.append(Values(name, different, np.bincount(places, weights, len(different)).astype(np.int64)))
    coding = Coding.of(values, quasi=names[:3], guides={"place": TREE}, missing_values=(), style=Style())
    return coding, coding.of_places(coding.places(columns))


ROWS = st.lists(
    st.tuples(
        st.integers(0, 9),
        st.sampled_from("abcde"),
        st.sampled_from(["red", "green", "blue"]),
        st.sampled_from(["x", "y", "z"]),
    ),
    min_size=4,
    max_size=60,
    unique=True,
)


@settings(max_examples=200, deadline=None)
@given(ROWS, st.integers(0, 99), st.integers(2, 8), st.sampled_from(["k", "l", "t"]), st.integers(1, 3))
def test_blocks(rows, seed, limit, kind, parts):
    weights = np.random.RandomState(seed).randint(1, 5, len(rows)).astype(np.int64)
    coding, codes = coded(rows, weights)
    model = {
        "k": shoal.KAnonymity(4),
        "l": shoal.KAnonymity(2) & shoal.DistinctDiversity(2),
        "t": shoal.Closeness(0.5),
    }[kind]

    def sweep(count):
        split = zip(np.array_split(codes, parts), np.array_split(weights, parts), strict=True)
        found = [count(part, weight) for part, weight in split]
        return [sum(columns) for columns in zip(*found, strict=True)]

    try:
        cuts = find_cuts(coding, model, limit, sweep)
    except InputError:
        with pytest.raises(InputError, match="cannot be cut into blocks"):
            find_cuts(coding, model, limit, sweep)
        return
    place = cuts.blocks(codes)
    assert set(place.tolist()) == set(range(len(cuts)))
    sizes = np.bincount(place)
    assert sizes.max() <= limit
    whole = coding.table(codes, weights)
    for block in range(len(cuts)):
        inside = place == block
        table = coding.table(codes[inside], weights[inside])
        assert len(cuts) == 1 or model.satisfied(table.whole()).all()
        assert table.overall["secret"].counts.tolist() == whole.overall["secret"].counts.tolist()
    # Blocks lie side by side: of two of them one attribute tells all rows apart.
    for one in range(len(cuts)):
        for other in range(one):
            a, b = codes[place == one], codes[place == other]
            assert any(a[:, j].max() < b[:, j].min() or b[:, j].max() < a[:, j].min() for j in range(3))


def test_values_under_a_tree_are_cut_between_children():
    rows = [(1, place, "red", "xyz"[at % 3]) for at, place in enumerate("aabbcddeee")]
    coding, codes = coded(rows, np.ones(len(rows), np.int64))
    cuts = find_cuts(coding, shoal.KAnonymity(2), 6, lambda count: count(codes, np.ones(len(rows), np.int64)))
    sides = {frozenset(np.array(list("aabbcddeee"))[cuts.blocks(codes) == block]) for block in range(len(cuts))}
    assert sides == {frozenset("ab"), frozenset("cde")}


def test_depth_and_numbers():
    cuts = Cuts().cut(0, 0, 3).cut(1, 1, 0)
    codes = np.array([[3, 0], [3, 1], [4, 0]], np.int32)
    assert len(cuts) == 3
    assert cuts.depth == 2
    assert cuts.blocks(codes).tolist() == [1, 2, 0]


def test_a_model_about_all_classes_is_refused():
    coding, codes = coded([(1, "a", "red", "x"), (2, "b", "red", "y")], np.ones(2, np.int64))
    with pytest.raises(InputError, match="block by block"):
        find_cuts(coding, shoal.AverageRisk(0.5), 1, lambda count: count(codes, np.ones(2, np.int64)))


def test_an_answer_tells_the_class_of_each_different_row():
    rows = [(age, place, "red", "xyz"[age % 3]) for age in range(10) for place in "abc"]
    weights = np.ones(len(rows), np.int64)
    coding, codes = coded(rows, weights)
    request = Request.of(
        ["age", "place", "colour", "secret"],
        quasi_identifiers=["age", "place", "colour"],
        sensitive="secret",
        hierarchies={"place": TREE},
        model=shoal.KAnonymity(3),
    )
    found = answer_block(
        request, coding, block_algorithm(algorithm_of(request.algorithm)), codes, weights, lambda stage, share: None
    )
    assert sorted(map(tuple, found.codes)) == sorted(map(tuple, codes))
    assert np.bincount(found.ids).min() >= 3
    assert {len(labels) for labels in found.labels.values()} == {int(found.ids.max()) + 1}
    assert found.cost.rows == 30
