"""verify() from labels alone."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute
import pytest
from hypothesis import given, settings, strategies as st

from oracles import labels as oracle
from shoal import DistinctDiversity, InputError, KAnonymity, VerificationError, assess, verify

LABELS = st.sampled_from(["20-29", "*", "?", None, "", "a | b", "東京"])
ROWS = st.lists(st.tuples(LABELS, LABELS, st.sampled_from(["x", "y", None])), min_size=1, max_size=25)


@given(rows=ROWS, k=st.integers(1, 4), l=st.integers(1, 3))
@settings(max_examples=200, deadline=None)
def test_it_fails_exactly_where_counting_fails(rows, k, l):  # noqa: E741
    named = [dict(zip(("p", "q", "s"), row, strict=True)) for row in rows]
    holds = (
        min(oracle.class_sizes(named, ["p", "q"]).values()) >= k
        and min(oracle.distinct_values(named, ["p", "q"], "s").values()) >= l
    )
    table = pa.table({name: pa.array([row[name] for row in named], pa.string()) for name in ("p", "q", "s")})
    model = KAnonymity(k) & DistinctDiversity(l)
    if holds:
        classes = verify(table, quasi_identifiers=["p", "q"], sensitive="s", model=model)
        assert sorted(classes.sizes.tolist()) == sorted(oracle.class_sizes(named, ["p", "q"]).values())
    else:
        with pytest.raises(VerificationError):
            verify(table, quasi_identifiers=["p", "q"], sensitive="s", model=model)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_it_takes_every_kind_of_frame_and_says_which_class_fails(frame):
    data = frame({"age": ["20-29", "20-29", "30-39"], "sex": ["f", "f", "m"]})
    with pytest.raises(VerificationError) as refusal:
        verify(data, quasi_identifiers=["age", "sex"], model=KAnonymity(2))
    assert str(refusal.value) == (
        "The release does not satisfy k = 2: 1 of 2 classes fail, the first with 1 row at row 3 "
        "(age=30-39, sex=m). Do not publish it as it is."
    )


def test_missing_values_are_a_class_of_their_own():
    # A group-by that drops missing values would see k = 2 here.
    with pytest.raises(VerificationError):
        verify(pa.table({"a": ["x", "x", None]}), quasi_identifiers="a", model=KAnonymity(2))


def test_suppressed_rows_may_be_few_but_not_more_than_allowed():
    table = pa.table({"a": ["x", "x", "*"], "b": ["y", "y", "Any"]})
    options = {"quasi_identifiers": ["a", "b"], "model": KAnonymity(2), "suppressed": {"a": "*", "b": "Any"}}
    assert verify(table, max_suppressed=1, **options).sizes.tolist() == [2, 1]
    with pytest.raises(VerificationError):
        verify(table, max_suppressed=0, **options)
    half_hidden = pa.table({"a": ["x", "x", "*"], "b": ["y", "y", "y"]})
    with pytest.raises(VerificationError):
        verify(half_hidden, max_suppressed=1, **options)


@pytest.mark.parametrize("role", ["quasi_identifiers", "sensitive"])
@pytest.mark.parametrize(
    "column",
    [
        pa.array([[1], [1]]),
        pa.array([{"a": 1}] * 2),
        pa.compute.run_end_encode(pa.array(["a", "a"])),
        pa.array([[1], [1]], pa.list_(pa.int64(), 1)),
        pa.array([[("a", 1)]] * 2, pa.map_(pa.string(), pa.int64())),
    ],
    ids=lambda one: str(one.type)[:12],
)
def test_types_that_cannot_be_grouped_are_told_as_everywhere(column, role):
    table = pa.table({"age": [1, 1], "x": column})
    roles = {"quasi_identifiers": ["age"]} | {role: ["x"]}
    with pytest.raises(InputError) as expected:
        assess(table, **roles)
    runs = pa.types.is_run_end_encoded(column.type)  # which no function takes at all
    why = r"cannot work with \(runs of values\): convert it to text" if runs else "cannot group: convert it to text"
    with pytest.raises(InputError, match=f"which shoal {why}") as refused:
        verify(table, model=KAnonymity(2), **roles)
    assert str(refused.value) == str(expected.value)
