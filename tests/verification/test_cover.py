"""Cover: which values a label covers, beside the literal oracle, and the kinds of values that columns hold."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import cover as oracle
from shoal import Hierarchy, Ordered, Style
from shoal.verification.cover import Cover
from shoal.verification.scales import Values, splits

TREE = Hierarchy.from_nested({"ab": ["a", "b"], "c2": {"d": ["c", "e"]}})
SIZES = ["S", "M", "L", "XL"]


def covers(labels, values, known=None, style=None, missing=()):
    """A matrix of labels × values."""
    style = style or Style()
    array = values if isinstance(values, pa.Array) else pa.array(values)
    held = Values("c", array, frozenset(missing), style.missing)
    top = known.root if isinstance(known, Hierarchy) else style.top
    shown, at = np.divmod(np.arange(len(labels) * len(array)), len(array))
    found = Cover(known, style, top)(labels, held, shown=shown, held=at)
    return found.reshape(len(labels), len(array)).astype(int).tolist()


@given(
    values=st.lists(st.integers(-9, 9), min_size=1, max_size=5, unique=True),
    ends=st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=5),
    as_text=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_ranges_of_numbers(values, ends, as_text):
    style = Style(numbers="{low}-{high}", ordered="{low} - {high}")
    labels = [style.number_range(str(min(pair)), str(max(pair))) for pair in ends]
    given_values = [str(value) for value in values] if as_text else values
    expected = [
        [int(oracle.in_range(str(v), label, "-") or oracle.in_range(str(v), label, " - ")) for v in values]
        for label in labels
    ]
    assert covers(labels, given_values, style=style) == expected


@given(
    value=st.sampled_from(["a", "b", "c", "e"]), label=st.sampled_from(["a", "b", "c", "d", "e", "ab", "*", "x", ""])
)
def test_nodes_of_a_tree(value, label):
    assert covers([label], [value], TREE) == [[int(oracle.under(TREE.path(value), label))]]


@given(value=st.sampled_from(SIZES), label=st.sampled_from(["S", "XL", "S - L", "M - XL", "L - S", "S - S", "other"]))
def test_ranges_of_an_order(value, label):
    expected = oracle.in_order(value, label, SIZES, " - ")
    assert covers([label], [value], Ordered(SIZES)) == [[int(expected or label == "S - S" == f"{value} - {value}")]]


@given(
    members=st.lists(st.sampled_from(["x", "y y", "z", "", "ü"]), min_size=1, max_size=4, unique=True),
    value=st.sampled_from(["x", "y y", "z", "ü", "y", "w"]),
)
def test_sets(members, value):
    label = " | ".join(members)
    assert covers([label], [value]) == [[int(oracle.in_set(value, label, " | "))]]


def test_a_member_may_hold_the_separator():
    assert covers(["a | b | c"], ["a | b", "b | c", "a | c", "b"]) == [[1, 1, 0, 1]]


def test_the_top_covers_everything_and_a_label_of_missing_values_them_alone():
    assert covers(["*", "?", "1-9"], pa.array([5, None])) == [[1, 1], [0, 1], [1, 0]]
    assert covers(["*", "?", "1-9"], ["5", "NA"], missing=["NA"]) == [[1, 1], [0, 1], [1, 0]]
    assert covers(["?", "1-9"], pa.array([5.0, float("nan")])) == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("values", "label", "expected"),
    [
        ([date(2020, 1, 1), date(2020, 3, 1), date(2021, 1, 1)], "2020-01-01 - 2020-12-31", [1, 1, 0]),
        ([datetime(2020, 1, 1, 5), datetime(2020, 1, 2)], "2020-01-01 05:00:00 - 2020-01-01 07:00:00", [1, 0]),
        ([time(1), time(2), time(3)], "01:00:00-02:30:00", [1, 1, 0]),
        ([timedelta(1), timedelta(5), timedelta(9)], "1 day, 0:00:00-5 days, 0:00:00", [1, 1, 0]),
        ([Decimal("1.10"), Decimal("2.50"), Decimal("9.00")], "1.10-2.50", [1, 1, 0]),
        ([2**60, 2**60 + 1, 2**60 + 2], f"{2**60}-{2**60 + 1}", [1, 1, 0]),
        (["12345678901234567890", "12345678901234567891"], "12345678901234567890", [1, 0]),
        (["0.1", "0.10", "0.2"], "0.1", [1, 1, 0]),
        (["007", "7"], "7", [0, 1]),
        ([True, False], "true", [1, 0]),
        ([1e22, 1e23], "1e+22", [1, 0]),
        ([0.1, 0.2, 0.30000000000000004], "0.1-0.3", [1, 1, 0]),
    ],
)
def test_every_kind_of_value(values, label, expected):
    assert covers([label], values) == [expected]


def test_moments_with_a_zone_are_compared_as_moments():
    values = pa.array([datetime(2020, 1, 1), datetime(2020, 1, 2)]).cast(pa.timestamp("us", "UTC"))
    local = values.cast(pa.timestamp("us", "Europe/Berlin"))
    assert covers(["2020-01-01 01:00:00+01:00", "2020-01-01 02:00:00 - 2020-01-03 00:00:00"], local) == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("pattern", "label", "ends"),
    [
        ("{low}-{high}", "1-2-3", [("1", "2-3"), ("1-2", "3")]),
        ("[{low}, {high}]", "[1, 2]", [("1", "2")]),
        ("[{low}, {high}]", "1, 2", []),
        ("{high} down to {low}", "9 down to 2", [("2", "9")]),
        ("{low}{high}", "12", [("", "12"), ("1", "2"), ("12", "")]),
        ("{low}-{high} ({low})", "1-2 (1)", [("1", "2")]),
        ("{low}-{high} ({low})", "1-2 (3)", []),
    ],
)
def test_a_label_is_cut_at_every_place_where_it_can_be(pattern, label, ends):
    assert list(splits(label, pattern)) == ends
