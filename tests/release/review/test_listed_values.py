"""range-ends: sets of numbers or dates list everybody's exact value."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import shoal

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
ROWS = 400


def review(born, **options):
    sex = np.random.RandomState(1).choice(["f", "m"], ROWS)
    table = pd.DataFrame({"born": born, "sex": sex})
    asked = {"quasi_identifiers": ["born", "sex"], "model": shoal.KAnonymity(10), "algorithm": "mondrian"}
    return shoal.anonymize(table, **asked | options).review


def days() -> pd.Series:
    return pd.Series(
        pd.Timestamp("1930-03-05") + pd.to_timedelta(np.random.RandomState(0).randint(0, 26000, ROWS), "D")
    )


@pytest.mark.parametrize("form", ["%d.%m.%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%d %b %Y"])
def test_dates_that_are_written_otherwise(form):
    assert [one.columns for one in review(days().dt.strftime(form)).open if one.code == "range-ends"] == [("born",)]


@pytest.mark.parametrize("stepped", [{}, {"ranges": "stepped", "key": "a key of some length"}])
def test_dates_that_are_texts(stepped):
    (found,) = [one for one in review(days().dt.strftime("%Y-%m-%d"), **stepped).open if one.code == "range-ends"]
    assert found.columns == ("born",)
    assert found.sentence.startswith("The values of 'born' are released as sets that list every value: 100% of the")
    assert "Neither stepped nor closed ranges apply to sets" in found.sentence


def test_dates_with_a_hierarchy_are_not_listed():
    assert "range-ends" in review(days().dt.strftime("%Y-%m-%d"), hierarchies={"born": "dates"}).clean


def test_categories_are_no_scale():
    towns = np.random.RandomState(0).choice([f"town {at}" for at in range(100)], ROWS)
    assert "range-ends" in review(towns).clean


def test_equal_numbers_are_not_singled_out():
    codes = [f"{number}" for number in np.repeat(range(40), 10)]
    assert "range-ends" in review([*codes[:-1], "x"]).clean  # one text makes them a set; ten rows have each number
