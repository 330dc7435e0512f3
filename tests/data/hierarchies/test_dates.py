from __future__ import annotations

from datetime import date, datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from hierarchies.trees import refusal
from shoal import Hierarchy


def test_every_level():
    tree = Hierarchy.dates(["2024-03-15T10:30", "2024-03-15T11:00"])
    assert tree.path("2024-03-15T10:30") == (
        *("2024-03-15T10:30", "2024-03-15", "2024-03", "2024-Q1", "2024", "2020s", "*"),
    )


def test_a_day_is_not_repeated_where_the_values_are_days():
    tree = Hierarchy.dates(["2024-03-15", "2023-12-31"])
    assert tree.path("2024-03-15") == ("2024-03-15", "2024-03", "2024-Q1", "2024", "2020s", "*")


def test_a_day_among_times_stands_in_the_group_of_its_name():
    tree = Hierarchy.dates(["2024-03-15", "2024-03-15T10:30"], levels=["day", "year"])
    assert tree.path("2024-03-15") == ("2024-03-15", "2024-03-15", "2024", "*")
    assert tree.path("2024-03-15T10:30") == ("2024-03-15T10:30", "2024-03-15", "2024", "*")


@pytest.mark.parametrize(
    ("month", "quarter"),
    [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 2), (7, 3), (8, 3), (9, 3), (10, 4), (11, 4), (12, 4)],
)
def test_the_quarter_of_each_month(month, quarter):
    label = f"2024-{month:02}-01"
    assert Hierarchy.dates([label], levels=["quarter"]).path(label)[1] == f"2024-Q{quarter}"


@pytest.mark.parametrize(
    ("year", "decade"), [(1999, "1990s"), (2000, "2000s"), (2009, "2000s"), (987, "0980s"), (5, "0000s")]
)
def test_the_decade_of_a_year(year, decade):
    label = f"{year:04}-07-01"
    assert Hierarchy.dates([label]).path(label) == (label, f"{year:04}-07", f"{year:04}-Q3", f"{year:04}", decade, "*")


def test_levels_are_taken_from_low_to_high_however_they_are_named():
    path = ("2024-03-15", "2024-03", "2020s", "*")
    assert Hierarchy.dates(["2024-03-15"], levels=["decade", "month", "month"]).path("2024-03-15") == path


def test_values_are_sorted_by_date_whatever_their_form():
    tree = Hierarchy.dates(["31.12.2023", "01.02.2024", "15.01.2024"], format="%d.%m.%Y", levels=["month"])
    assert tree.leaves == ("31.12.2023", "15.01.2024", "01.02.2024")
    assert tree.path("01.02.2024") == ("01.02.2024", "2024-02", "*")


def test_a_format_without_days_or_months_gets_none():
    assert Hierarchy.dates(["03/2024"], format="%m/%Y").path("03/2024") == (
        "03/2024",
        "2024-03",
        "2024-Q1",
        "2024",
        "2020s",
        "*",
    )
    assert Hierarchy.dates(["2024"], format="%Y").path("2024") == ("2024", "2020s", "*")
    assert Hierarchy.dates(["'24"], format="'%y").path("'24") == ("'24", "2024", "2020s", "*")
    assert Hierarchy.dates(["2024/075"], format="%Y/%j", levels=["day"]).path("2024/075") == (
        "2024/075",
        "2024-03-15",
        "*",
    )


def test_times_of_all_zones_count_by_their_own_clock():
    tree = Hierarchy.dates(["2024-01-01T00:30+05:00", "2023-12-31T23:00-08:00", "2024-01-01"], levels=["year"])
    assert tree.path("2024-01-01T00:30+05:00")[1] == "2024"
    assert tree.path("2023-12-31T23:00-08:00")[1] == "2023"


@pytest.mark.parametrize(
    "values",
    [
        [date(2024, 3, 15), date(2024, 4, 1)],
        [datetime(2024, 3, 15), datetime(2024, 4, 1)],
        pd.Series(pd.to_datetime(["2024-03-15", "2024-04-01", None])),
        np.array(["2024-03-15", "2024-04-01", "NaT"], "datetime64[ns]"),
        np.array(["2024-03-15", "2024-04-01"], "datetime64[D]"),
    ],
    ids=["date", "datetime", "pandas", "numpy ns", "numpy days"],
)
def test_days_of_any_type_are_named_as_in_a_table(values):
    assert Hierarchy.dates(values, levels=["month"]).path("2024-03-15") == ("2024-03-15", "2024-03", "*")
    assert Hierarchy.flat(values).leaves == ("2024-03-15", "2024-04-01")


def test_times_of_day_are_kept():
    values = [datetime(2024, 3, 15), datetime(2024, 3, 15, 10, 30)]
    assert Hierarchy.dates(values).leaves == ("2024-03-15 00:00:00", "2024-03-15 10:30:00")


@given(st.sets(st.dates(), min_size=1, max_size=10))
def test_dates_share_a_group_exactly_if_they_share_its_span(dates):
    tree = Hierarchy.dates(dates)
    assert tree.leaves == tuple(day.isoformat() for day in sorted(dates))
    for day in dates:
        month, quarter, year, decade = tree.path(day.isoformat())[1:-1]
        assert (month, year) == (day.isoformat()[:7], day.isoformat()[:4])
        assert quarter == f"{year}-Q{-(-day.month // 3)}"
        assert decade == f"{year[:3]}0s"


@pytest.mark.parametrize("value", ["15.03.2024", "", "2024-02-30", "?", "2024"])
def test_a_value_that_is_no_date_is_refused(value):
    assert refusal(Hierarchy.dates, ["2024-03-15", value]) == (
        f"The value {value!r} is not a date in ISO form (2024-03-15): give the format of your dates."
    )


def test_a_value_in_another_format_is_refused():
    assert refusal(Hierarchy.dates, ["2024-03-15"], format="%d.%m.%Y") == (
        "The value '2024-03-15' is not a date in the form '%d.%m.%Y': give the format of your dates."
    )


def test_an_unknown_level_is_refused():
    assert refusal(Hierarchy.dates, ["2024-03-15"], levels=["month", "week"]) == (
        "There is no date level 'week': choose from day, month, quarter, year, decade."
    )


def test_no_values_are_refused():
    assert refusal(Hierarchy.dates, []) == "A hierarchy needs at least one value, and none was given."
