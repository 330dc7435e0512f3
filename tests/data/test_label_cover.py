"""Which raw values a released label covers."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pace import stopwatch
from shoal import Hierarchy, Ordered, Style
from shoal.data.label_cover import covers
from strategies import hierarchies


def covered(label, values, hierarchy=None, style=None):
    """The values that a label covers."""
    return [value for value, yes in zip(values, covers([label], values, hierarchy, style=style)[0], strict=True) if yes]


NUMBERS = ["-20", "-5", "19", "20", "24.5", "29", "30", "30.0", "31", "x", "020"]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("20-29", ["20", "24.5", "29"]),
        ("20 - 29", ["20", "24.5", "29"]),
        ("20–29", ["20", "24.5", "29"]),
        ("20 to 29", ["20", "24.5", "29"]),
        ("20..29", ["20", "24.5", "29"]),
        ("[20, 29]", ["20", "24.5", "29"]),
        ("[20,30)", ["20", "24.5", "29"]),
        ("[20, 30]", ["20", "24.5", "29", "30", "30.0"]),
        ("(20, 30]", ["24.5", "29", "30", "30.0"]),
        ("(20;30)", ["24.5", "29"]),
        ("[19-20]", ["19", "20"]),
        ("-20 - -5", ["-20", "-5"]),
        ("-20--5", ["-20", "-5"]),
        ("-5-19", ["-5", "19"]),
        ("24.4-24.6", ["24.5"]),
        ("1e1-2e1", ["19", "20"]),
        ("30", ["30", "30.0"]),
        ("30.00", ["30", "30.0"]),
        ("29-20", []),
        ("1,500", []),
        ("020", ["020"]),
        ("20-29-30", []),
        ("[20", []),
        ("[19-299", []),
        ("19-299]", []),
        ("X19-29]", []),
        ("[19-29X", []),
        ("", []),
        ("*", NUMBERS),
        ("***", NUMBERS),
        ("2020-01-01x2020-02-01", []),
    ],
)
def test_numbers(label, expected):
    assert covered(label, NUMBERS) == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("2020-01-01 - 2020-02-01", ["2020-01-01", "2020-01-15 12:00:00"]),
        ("[2020-01-01, 2020-02-01)", ["2020-01-01", "2020-01-15 12:00:00"]),
        ("2020-01-01 00:00:00", ["2020-01-01"]),
        ("08:00 - 09:30:00", ["08:30:00"]),
    ],
)
def test_dates_and_times(label, expected):
    assert covered(label, ["2020-01-01", "2020-01-15 12:00:00", "2020-03-01", "08:30:00", "10:00:00", "7"]) == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("a", ["a"]),
        ("a | b", ["a", "b", "a | b"]),
        ("a | b | c", ["a", "b", "a | b"]),
        ("A", []),
        ("a*", []),
        ("130**", ["13053", "13068"]),
        ("1305*", ["13053"]),
        ("130*", []),
        ("?", ["?"]),
        ("X", []),
        ("130XX", []),
        ("130X*", []),
    ],
)
def test_texts_sets_and_masks(label, expected):
    assert covered(label, ["a", "b", "a | b", "13053", "13068", "14850", "?"]) == expected


def test_a_range_covers_its_own_text():
    assert covered("20-29", ["20-29", "25", "20-28"]) == ["20-29", "25"]
    assert covered("2020-01-01x2020-02-01", ["2020-01-15"]) == []


def test_times_and_zones_are_exact(monkeypatch):
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        assert covered("2020-01-01 01:00:00+01:00", ["2020-01-01", "2020-01-01 01:00:00"]) == ["2020-01-01"]
    finally:
        monkeypatch.undo()
        time.tzset()
    clock = ["08:59:58", "09:00:00", "09:00:09.5", "09:00:10.5", "09:01:00", "10:00:00"]
    assert covered("08:59:59 - 09:00:10", clock) == ["09:00:00", "09:00:09.5"]
    assert covered("09:00:09.4 - 09:00:10.6", clock) == ["09:00:09.5", "09:00:10.5"]
    assert covered("08:59:59 - 09:00:10.4", clock) == ["09:00:00", "09:00:09.5"]


def test_what_stands_around_the_ends_of_a_range_must_be_there():
    style = Style(numbers="from {low} to {high}y")
    assert covered("from 2 to 29y", ["2", "5", "30"], style=style) == ["2", "5"]
    for label in ("from 2 to 29", "with 2 to 29y", "2 to 29y"):
        assert covered(label, ["2", "5"], style=style) == []
    assert covered("20-29", ["25"], style=Style(numbers="mean")) == ["25"]


def test_the_style_of_the_release_is_read():
    assert covered("from 20 up to 29", ["20", "30"], style=Style(numbers="from {low} up to {high}")) == ["20"]
    assert covered("29 downto 20", ["20", "30"], style=Style(numbers="{high} downto {low}")) == ["20"]
    assert covered("a/b", ["a", "b", "c"], style=Style(separator="/")) == ["a", "b"]
    assert covered("all", ["a", "b"], style=Style(top="all")) == ["a", "b"]
    assert covered("ab", ["ab", "a"], style=Style(separator="")) == ["ab"]
    # What shoal writes as a range holds both its ends.
    assert covered("[20, 30)", ["20", "30"], style=Style(numbers="[{low}, {high})")) == ["20", "30"]


def test_a_tree_decides_about_its_labels_and_values():
    tree = Hierarchy.from_parents(["any", "1-3", "2", "9", "other", "5"], [-1, 0, 1, 1, 0, 4])
    assert covered("1-3", ["2", "9", "5"], tree) == ["2", "9"]
    assert covered("other", ["2", "5"], tree) == ["5"]
    assert covered("any", ["2", "5", "stranger"], tree) == ["2", "5", "stranger"]
    assert covered("*", ["2", "stranger"], tree) == ["2", "stranger"]
    first = Hierarchy.from_parents(["any", "other", "2", "1-3", "9"], [-1, 0, 1, 0, 3])
    assert covered("1-3", ["2", "9"], first) == ["9"], "2 is under other, whatever the label looks like"
    masks = Hierarchy.from_parents(["any", "**", "ab", "cd"], [-1, 0, 1, 0])
    assert covered("**", ["ab", "cd", "xy"], masks) == ["ab"]
    # What the tree does not know is read as it stands.
    assert covered("1-3", ["3", "4"], tree) == ["3"]
    assert covered("2 | 5", ["2", "9", "5"], tree) == ["2", "5"]


def test_a_label_may_stand_twice_in_a_tree():
    tree = Hierarchy.from_parents(["*", "x", "other", "a", "y", "other", "b", "c"], [-1, 0, 1, 2, 0, 4, 5, 4])
    assert covered("other", ["a", "b", "c"], tree) == ["a", "b"]


def test_a_star_within_a_tree_is_no_top():
    tree = Hierarchy.from_parents(["all", "*", "a", "b"], [-1, 0, 1, 0])
    assert covered("*", ["a", "b"], tree) == ["a"]


def test_an_order_gives_ranges():
    sizes = Ordered(["S", "M", "L", "X - L"])
    assert covered("S - L", ["S", "M", "L", "X - L"], sizes) == ["S", "M", "L"]
    assert covered("M - X - L", ["S", "M", "L", "X - L"], sizes) == ["M", "L", "X - L"]
    assert covered("M", ["S", "M"], sizes) == ["M"]
    assert covered("X - L", ["L", "X - L"], sizes) == ["X - L"]
    assert covered("S - Q", ["S", "M"], sizes) == []


def test_no_labels_and_no_values():
    assert covers([], ["a"]).shape == (0, 1)
    assert covers(["a"], []).shape == (1, 0)


@settings(deadline=None)
@given(hierarchies())
def test_a_label_covers_what_has_it_on_its_path(tree):
    matrix = covers(tree.labels, tree.leaves, tree)
    assert matrix.tolist() == [[label in tree.path(leaf) for leaf in tree.leaves] for label in tree.labels]


@given(st.lists(st.integers(-30, 30), min_size=2, max_size=2).map(sorted), st.integers(-30, 30), st.data())
def test_every_form_of_a_range_means_the_same(ends, value, data):
    low, high = ends
    form = data.draw(st.sampled_from(["{}-{}", "{} - {}", "[{}, {}]", "[{},{}]", "{}..{}"]))
    assert covers([form.format(low, high)], [str(value)])[0, 0] == (low <= value <= high)


def test_a_range_with_one_end_covers_what_is_beyond_it():
    labels = ["< 18", "<= 18", "> 18", ">=18", "≤ 18", "≥18", "< old", ">"]
    values = ["17.9", "18", "18.1", "-5"]
    assert covers(labels, values).astype(int).tolist() == [
        [1, 0, 0, 1],
        [1, 1, 0, 1],
        [0, 0, 1, 0],
        [0, 1, 1, 0],
        [1, 1, 0, 1],
        [0, 1, 1, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]


FINE = st.one_of(
    st.sampled_from([2**53, 2**63, 2**64, 10**30]).flatmap(lambda near: st.integers(near - 3, near + 3)),
    st.integers(-9, 9),
).flatmap(
    lambda whole: st.sampled_from([1, -1]).flatmap(
        lambda sign: st.sampled_from(["", ".5", ".00000000000000000001", ".00000000000000000002"]).map(
            lambda rest: f"{sign * whole}{rest}"
        )
    )
)
FORMS = {"{} - {}": (True, True), "[{}, {}]": (True, True), "({}, {}]": (False, True), "[{}, {})": (True, False)}


@given(st.lists(FINE, min_size=1, max_size=5), st.lists(st.tuples(FINE, FINE, st.sampled_from([*FORMS])), max_size=4))
@settings(max_examples=300, deadline=None)
def test_numbers_are_compared_exactly(values, ranges):
    ranges = [(*sorted(ends, key=Fraction), form) for *ends, form in ranges]
    labels = [form.format(low, high) for low, high, form in ranges]

    def holds(value, low, high, form):
        value, low, high, (first, last) = Fraction(value), Fraction(low), Fraction(high), FORMS[form]
        return (low <= value if first else low < value) and (value <= high if last else value < high)

    expected = [[holds(value, *one) for value in values] for one in ranges]
    assert covers(labels, values).tolist() == expected


@given(st.lists(FINE, min_size=1, max_size=5), FINE, st.sampled_from(["<", "<=", ">", ">=", "≤", "≥"]))
@settings(max_examples=200, deadline=None)
def test_open_ranges_are_compared_exactly(values, end, sign):
    def holds(value):
        value, bound = Fraction(value), Fraction(end)
        return {"<": value < bound, ">": value > bound, "<=": value <= bound, ">=": value >= bound}[
            sign.replace("≤", "<=").replace("≥", ">=")
        ]

    assert covers([f"{sign} {end}"], values).tolist() == [[holds(value) for value in values]]


MOMENT = datetime(1965, 3, 1, 12)
NANOSECONDS = st.integers(-3, 3) | st.integers(-(10**18), 10**18)


def moment(nanoseconds):
    seconds, rest = divmod(nanoseconds, 10**9)
    return f"{MOMENT + timedelta(seconds=seconds)}.{rest:09}"


def duration(nanoseconds):
    seconds, rest = divmod(nanoseconds, 10**9)
    return f"{timedelta(seconds=seconds)}.{rest:09}"


def clock(nanoseconds):
    return moment(nanoseconds % (3600 * 10**9)).split(" ")[1]


@pytest.mark.parametrize("spell", [moment, duration, clock])
@given(values=st.lists(NANOSECONDS, min_size=1, max_size=4), ends=st.tuples(NANOSECONDS, NANOSECONDS).map(sorted))
@settings(max_examples=100, deadline=None)
def test_times_are_compared_to_the_nanosecond(spell, values, ends):
    if spell is clock:
        values, ends = [value % (3600 * 10**9) for value in values], sorted(end % (3600 * 10**9) for end in ends)
    label = f"{spell(ends[0])} - {spell(ends[1])}"
    assert covers([label], [spell(value) for value in values]).tolist() == [
        [ends[0] <= value <= ends[1] for value in values]
    ]


def test_durations_are_read():
    spans = ["2:00:00", "12:00:00", "1 day, 0:00:00", "-1 day, 23:00:00", "3 days, 1:00:00.500000"]
    assert covered("2:00:00-1 day, 0:00:00", spans) == ["2:00:00", "12:00:00", "1 day, 0:00:00"]
    assert covered("-1 day, 23:00:00 - 2:00:00", spans) == ["2:00:00", "-1 day, 23:00:00"]
    assert covered("3 days, 1:00:00.5", spans) == ["3 days, 1:00:00.500000"]


def test_many_labels_and_values_take_little_time():
    values = [str(2**60 + at) for at in range(0, 4000, 2)]
    labels = [f"{2**60 + at}-{2**60 + at + 10}" for at in range(0, 4000, 2)]
    with stopwatch() as watch:
        whole = covers(labels, values)
        fine = covers([f"{label}.5" for label in labels], values)
    assert watch.seconds < 5
    assert np.array_equal(whole, fine)
    assert whole.sum() == 2000 * 6 - 15
