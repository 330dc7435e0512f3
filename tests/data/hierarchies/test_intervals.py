from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from hierarchies.trees import refusal
from shoal import Hierarchy


def test_the_course_widths_from_zero():
    tree = Hierarchy.intervals(range(15, 40), widths=[5, 10, 20])
    assert tree.path("17") == ("17", "15-19", "10-19", "0-19", "*")
    assert tree.path("39") == ("39", "35-39", "30-39", "20-39", "*")


def test_the_origin_moves_every_level():
    tree = Hierarchy.intervals(range(16, 96), widths=[5, 10, 20], origin=16)
    assert tree.path("16") == ("16", "16-20", "16-25", "16-35", "*")
    assert tree.path("21") == ("21", "21-25", "16-25", "16-35", "*")
    assert tree.path("95") == ("95", "91-95", "86-95", "76-95", "*")
    assert [int((tree.depths == depth).sum()) for depth in range(5)] == [1, 4, 8, 16, 80]


def test_values_below_the_origin_have_intervals_too():
    assert Hierarchy.intervals([15, 17], widths=[5, 10], origin=16).path("15") == ("15", "11-15", "6-15", "*")


def test_negative_numbers():
    tree = Hierarchy.intervals([-7, -5, -1, 0], widths=[5])
    assert tree.leaves == ("-7", "-5", "-1", "0")
    assert [tree.path(value)[1] for value in tree.leaves] == ["-10--6", "-5--1", "-5--1", "0-4"]


def test_fractions_get_half_open_intervals_with_exact_bounds():
    tree = Hierarchy.intervals([0.1, 0.25, 0.3, "0.6"], widths=[0.1, "0.3"])
    assert tree.path("0.3") == ("0.3", "[0.3,0.4)", "[0.3,0.6)", "*")
    assert tree.path("0.25") == ("0.25", "[0.2,0.3)", "[0,0.3)", "*")
    assert tree.path("0.6") == ("0.6", "[0.6,0.7)", "[0.6,0.9)", "*")


def test_one_fraction_makes_every_interval_half_open():
    assert Hierarchy.intervals([17, 17.5], widths=[5]).path("17") == ("17", "[15,20)", "*")


@pytest.mark.parametrize(
    ("style", "label"),
    [("{low}-{last}", "15-19"), ("[{low}, {high})", "[15, 20)"), ("{low} to {last}", "15 to 19"), ("<{high}", "<20")],
)
def test_the_style_of_the_labels(style, label):
    assert Hierarchy.intervals([17], widths=[5], style=style).path("17") == ("17", label, "*")


def test_intervals_that_bear_one_label_stay_apart():
    tree = Hierarchy.intervals([10, 11, 15, 16], widths=[5, 10], style="{low}")
    assert tree.path("10") == ("10", "10", "10", "*")
    assert tree.path("11") == ("11", "10", "10", "*")
    assert tree.path("16") == ("16", "15", "10", "*")
    assert tree.depths[tree.leaf_nodes].tolist() == [3, 3, 3, 3]


def test_values_are_sorted_as_numbers_and_named_once():
    assert Hierarchy.intervals([100, "20", 20, 20.0, 3, None, float("nan")], widths=[5]).leaves == ("3", "20", "100")


def test_spellings_of_one_number_are_different_values():
    tree = Hierarchy.intervals(["7", "07", "7.0", " 7", "+7", "7e0", "70e-1"], widths=[5])
    assert set(tree.leaves) == {"7", "07", "7.0", " 7", "+7", "7e0", "70e-1"}
    assert {tree.path(value)[1:] for value in tree.leaves} == {("5-9", "*")}


def test_numbers_of_any_type_are_named_as_in_a_table():
    values = [np.float32(39), np.int8(40), Decimal("41"), 42.0, Fraction(43), np.float64(44.5)]
    assert Hierarchy.intervals(values, widths=[5]).leaves == ("39", "40", "41", "42", "43", "44.5")


def test_large_numbers_keep_every_digit():
    tree = Hierarchy.intervals([10**17 + 1, 10**17 + 11], widths=[10])
    assert tree.path(str(10**17 + 11))[1] == "100000000000000010-100000000000000019"


@given(
    st.lists(st.decimals(-1000, 1000, places=2), min_size=1, max_size=20),
    st.decimals("0.01", 50, places=2),
    st.lists(st.integers(2, 4), max_size=3),
    st.decimals(-100, 100, places=2),
)
def test_every_value_lies_in_its_intervals(values, width, factors, origin):
    widths = [width]
    for factor in factors:
        widths.append(widths[-1] * factor)
    tree = Hierarchy.intervals(values, widths=list(map(str, widths)), origin=str(origin), style="{low}|{high}")
    assert set(tree.leaves) == set(map(str, values))
    for value in tree.leaves:
        bounds = [tuple(map(Decimal, label.split("|"))) for label in tree.path(value)[1:-1]]
        assert [high - low for low, high in bounds] == widths
        assert all(low <= Decimal(value) < high for low, high in bounds)
        assert all((low - origin) % size == 0 for (low, _), size in zip(bounds, widths, strict=True))


@pytest.mark.parametrize("widths", [[5, 12], [10, 5], [5, 5], [0.1, 0.25]])
def test_widths_that_do_not_nest_are_refused(widths):
    assert refusal(Hierarchy.intervals, [1], widths=widths) == (
        f"The interval widths {widths[0]}, {widths[1]} do not nest: "
        f"each must be a multiple of the one before, and wider."
    )


@pytest.mark.parametrize("widths", [[0, 5], [-5, 5]])
def test_widths_must_be_above_zero(widths):
    assert refusal(Hierarchy.intervals, [1], widths=widths) == (f"The interval widths {widths[0]}, 5 must be above 0.")


@pytest.mark.parametrize("value", ["abc", "", "3/4", "1_000", "1,5", "nan", "inf", "0x1F", "2024-03-15", "1e9999"])
def test_a_value_that_is_no_number_is_refused(value):
    assert refusal(Hierarchy.intervals, ["1", value], widths=[5]) == (
        f"The interval value {value!r} is not a number: fix it, or name it as missing."
    )


def test_widths_and_origins_that_are_no_numbers_are_refused():
    assert refusal(Hierarchy.intervals, [1], widths=["five"]) == (
        "The interval width 'five' is not a number: write one such as 5 or 0.5."
    )
    assert refusal(Hierarchy.intervals, [1], widths=[5], origin=float("inf")) == (
        "The interval origin inf is not a number: write one such as 5 or 0.5."
    )


def test_a_style_that_names_no_bound_is_refused():
    assert refusal(Hierarchy.intervals, [1], widths=[5], style="{lo}-{hi}") == (
        "The label style '{lo}-{hi}' must contain {low}, as in '{low}-{last}'."
    )


@pytest.mark.parametrize(("values", "width"), [([1.5], 5), ([1], 0.5)])
def test_the_last_whole_number_needs_whole_numbers(values, width):
    assert refusal(Hierarchy.intervals, values, widths=[width], style="{low}-{last}") == (
        "The label style '{low}-{last}' needs whole numbers: write {high} in place of {last}."
    )


def test_no_values_are_refused():
    assert refusal(Hierarchy.intervals, [], widths=[5]) == "A hierarchy needs at least one value, and none was given."
