"""How values, ranges and sets are written."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from shoal.data.style import Style, distinct, text
from shoal.errors import InputError


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("39.0", "39.0"),
        ("", ""),
        (39, "39"),
        (39.0, "39"),
        (-0.0, "0"),
        (-1.5, "-1.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e22, "1e+22"),
        (2.0**53, "9007199254740992.0"),
        (float("nan"), "nan"),
        (Decimal("1.50"), "1.50"),
        (True, "true"),
        (np.bool_(False), "false"),
        (np.int8(7), "7"),
        (np.float32(39), "39"),
        (np.float64(0.5), "0.5"),
        (np.str_("a"), "a"),
        (date(2024, 3, 15), "2024-03-15"),
        (datetime(2024, 3, 15, 10), "2024-03-15 10:00:00"),
    ],
)
def test_a_value_as_text(value, written):
    assert text(value) == written
    assert type(text(value)) is str


def test_distinct_values_keep_their_order():
    assert distinct(["b", "a", "b", 1, "1", 1.0]) == ["b", "a", "1"]


def test_distinct_values_leave_out_what_is_missing_but_no_text():
    assert distinct([None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), "a"]) == ["a"]
    assert distinct(["None", "nan", "NaT", "<NA>", ""]) == ["None", "nan", "NaT", "<NA>", ""]


def test_times_that_are_all_midnight_are_dates():
    midnights = [pd.Timestamp("2024-03-15"), datetime(2024, 3, 16), np.datetime64("2024-03-17"), None]
    assert distinct(midnights) == ["2024-03-15", "2024-03-16", "2024-03-17"]
    assert distinct([*midnights, datetime(2024, 3, 17, 12)])[0] == "2024-03-15 00:00:00"


def test_ranges_and_sets():
    style = Style()
    assert style.number_range("20", "29") == "20-29"
    assert style.text_range("low", "high") == "low - high"
    assert style.union(["Bachelors", "Masters"]) == "Bachelors | Masters"


def test_a_range_of_one_value_is_the_value():
    assert Style(numbers="[{low};{high}]").number_range("20", "20") == "20"
    assert Style().text_range("low", "low") == "low"


def test_a_pattern_may_name_a_bound_twice_and_hold_other_braces():
    assert Style(numbers="{{low}..{high}} ({low})").number_range("1", "2") == "{1..2} (1)"


def test_values_that_look_like_a_pattern_stay_as_they_are():
    assert Style().text_range("{high}", "{low}") == "{high} - {low}"
    assert Style().text_range(r"\1", r"\g<0>") == r"\1 - \g<0>"


@pytest.mark.parametrize("name", ["numbers", "ordered"])
@pytest.mark.parametrize("pattern", ["", "{low}", "{high}", "{lo}-{hi}"])
def test_a_pattern_without_both_bounds_is_refused(name, pattern):
    with pytest.raises(InputError) as caught:
        Style(**{name: pattern})
    assert str(caught.value) == (
        f"The label style {name}={pattern!r} must contain {{low}} and {{high}}, as in '{{low}}-{{high}}'."
    )


def test_a_fraction_is_written_as_it_is():
    assert text(Fraction(43)) == "43"
