"""Cover: which values a label covers, compared with a literal oracle, for every kind of column."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from oracles import cover as oracle
from shoal import Hierarchy, Ordered, Style
from shoal.data.style import text
from shoal.release.verification.cover import Cover
from shoal.release.verification.scales import Values, splits

TREE = Hierarchy.from_nested({"ab": ["a", "b"], "c2": {"d": ["c", "e"]}})
SIZES = ["S", "M", "L", "XL"]


def covers(labels, values, known=None, style=None, missing=()):
    """Return a matrix of labels × values."""
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


NEAR = st.sampled_from([0, 2**53, 2**63 - 4, 2**63, 2**64 - 4]).flatmap(lambda near: st.integers(near, near + 3))
ENDS = st.tuples(NEAR, NEAR).map(sorted)


@given(values=st.lists(NEAR, min_size=1, max_size=5, unique=True), ends=st.lists(ENDS, min_size=1, max_size=4))
@settings(max_examples=300, deadline=None)
@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64(), pa.string(), pa.decimal128(38, 0), pa.float64()], ids=str)
def test_large_numbers_are_compared_exactly(kind, values, ends):
    if kind == pa.float64():
        values = list({float(value): value for value in values}.values())
        array = pa.array(list(map(float, values)))
        own = [Decimal(text(value)) for value in array.to_pylist()]
    else:
        values = [value for value in values if kind != pa.int64() or value < 2**63] or [7]
        make = {pa.string(): str, pa.decimal128(38, 0): Decimal}.get(kind, int)
        array = pa.array(list(map(make, values)), kind)
        own = values
    labels = [f"{low}-{high}" for low, high in ends] + [f"{low}.5-{high}.25" for low, high in ends if low < high]
    spans = [(Decimal(low), Decimal(high)) for low, _, high in (label.partition("-") for label in labels)]
    assert covers(labels, array) == [[int(low <= value <= high) for value in own] for low, high in spans]


DIGIT = st.integers(0, 3)


@given(values=st.lists(DIGIT, min_size=1, unique=True), ends=st.tuples(DIGIT, DIGIT))
def test_decimals_that_differ_in_the_twentieth_digit(values, ends):
    low, high = (f"1.1234567890123456789{end}" for end in sorted(ends))
    texts = [f"1.1234567890123456789{value}" for value in values]
    for array in (pa.array(texts), pa.array(list(map(Decimal, texts)), pa.decimal128(30, 20))):
        expected = [int(min(ends) <= value <= max(ends)) for value in values]
        assert covers([f"{low}-{high}"], array) == [expected]


def test_numbers_beyond_all_doubles_are_told_apart():
    assert covers(["1e400-1e401", "1e-401-1e-400"], ["1e400", "1e402", "1e-400", "0"]) == [[1, 0, 0, 0], [0, 0, 1, 0]]
    assert covers(["1e999999999-2e999999999"], pa.array([5, 2**62])) == [[0, 0]]
    assert covers(["0-1e999999999"], pa.array([5, -(2**62)])) == [[1, 0]]


def test_an_end_finer_than_a_microsecond_is_no_end_of_a_column_of_microseconds():
    moments = pa.array([datetime(2024, 1, 1, 0, 0, 0, 1), datetime(2024, 1, 2)], pa.timestamp("us"))
    label = "2024-01-01 00:00:00.0000019 - 2024-01-02 00:00:00"
    assert covers([label], moments) == [[0, 0]]
