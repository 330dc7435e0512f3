"""Sets of columns that distinguish rows, compared with a check of all pairs of rows."""

from __future__ import annotations

from math import comb

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles import assessment as oracle
from shoal import InputError
from shoal.analysis.assessment import columns as module
from shoal.analysis.assessment.assess import assess_columns

CELL = st.sampled_from(["a", "b", "c", None])


@settings(deadline=None)
@given(
    rows=st.lists(st.fixed_dictionaries(dict.fromkeys("wxyz", CELL)), min_size=1, max_size=8),
    size=st.integers(1, 4),
)
def test_all_sets_are_those_of_comparing_pairs(rows, size):
    data = pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in "wxyz"})
    found = assess_columns(data, size=size)
    expected = oracle.column_sets(rows, "wxyz", size)
    pairs = comb(len(rows), 2)
    assert {one.columns: (one.different_rows, one.unique, one.minimal) for one in found} == {
        chosen: (different, unique, minimal) for chosen, (different, _, unique, minimal) in expected.items()
    }
    for one in found:
        assert one.distinction == one.different_rows / len(rows)
        assert one.separation == pytest.approx(expected[one.columns][1] / pairs if pairs else 1)
    order = [(len(one.columns), -one.distinction, -one.separation) for one in found]
    assert order == sorted(order)


def test_adult_is_told_apart_by_what_one_would_expect():
    found = assess_columns(shoal.datasets.adult(), columns=["age", "sex", "race", "fnlwgt"], size=2)
    assert found[0].columns == ("fnlwgt",)
    assert found[4].columns == ("age", "fnlwgt")
    assert len(found) == 10


def test_progress_is_told():
    told = []
    assess_columns(pa.table({"x": [1, 2], "y": [1, 1]}), progress=lambda stage, share: told.append((stage, share)))
    assert told == [("columns", 1 / 3), ("columns", 2 / 3), ("columns", 1.0)]


def test_values_are_told_apart_as_they_are_written():
    (found,) = assess_columns(pa.table({"x": ["1.5", "1.50", "2", "?", None, "(missing)"]}))
    assert found.different_rows == 6


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": 0}, "size = 0 must be a whole number of at least 1"),
        ({"columns": ["a"]}, "There is no column 'a'"),
        ({"columns": ["x", "x"]}, "Column 'x' is named twice"),
    ],
)
def test_what_cannot_be_is_refused(options, sentence):
    with pytest.raises(InputError, match=sentence):
        assess_columns(pa.table({"x": [1], "y": [1]}), **options)


def test_too_many_sets_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_SETS", 6)
    wide = pa.table({name: [1, 2] for name in "wxyz"})
    with pytest.raises(InputError) as caught:
        assess_columns(wide, size=2)
    assert str(caught.value) == (
        "4 columns have 10 sets of up to 2 columns, more than 6: name fewer columns, or ask for smaller sets."
    )
    assert len(assess_columns(wide, columns=["w", "x", "y"], size=2)) == 6
