"""The review of a release that any tool has made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import shoal
from shoal import InputError

ROWS = 300


def people() -> pd.DataFrame:
    random = np.random.RandomState(3)
    return pd.DataFrame(
        {
            "age": random.randint(18, 90, ROWS),
            "zip": random.choice(["13001", "13002", "14001", "14002"], ROWS),
            "sex": random.choice(["f", "m"], ROWS),
            "disease": random.choice(["flu", "cold", "mumps"], ROWS),
        }
    )


def decades(table: pd.DataFrame, form: str = "{}-{}") -> pd.DataFrame:
    """What a tool with fixed steps and masks would release."""
    ages = [form.format(age // 10 * 10, age // 10 * 10 + 9) for age in table["age"]]
    return table.assign(age=ages, zip=table["zip"].str[:2] + "***")


QUASI = ["age", "zip", "sex"]
ASKED = {"quasi_identifiers": QUASI, "sensitive": "disease"}


def codes(review) -> set[str]:
    return {finding.code for finding in review.open}


def test_a_release_of_fixed_steps_and_masks_has_nothing_that_stops_it():
    table = people()
    review = shoal.review(decades(table), table, **ASKED)
    assert not [finding for finding in review.open if finding.blocks]
    assert {"derived-column", "range-ends", "row-order", "identifying-column"} <= {*review.clean}


def test_ranges_that_end_at_values_of_people_are_found():
    table = people().sort_values("age", ignore_index=True)
    groups = np.arange(ROWS) // 5
    ends = table.groupby(groups)["age"].agg(["min", "max"]).loc[groups]
    tight = table.assign(age=[f"{low}-{high}" for low, high in ends.to_numpy()], zip="*", sex="*")
    assert {"range-ends", "row-order"} <= codes(shoal.review(tight, table, **ASKED))


@pytest.mark.parametrize(
    ("column", "code"),
    [
        (lambda table: 2020 - table["age"], "derived-column"),
        (lambda table: [f"{age}/{zip_code}" for age, zip_code in zip(table["age"], table["zip"], strict=True)],
         "derived-column"),
        (lambda table: [f"p{at}@example.org" for at in range(ROWS)], "identifying-column"),
    ],
)  # fmt: skip
def test_columns_that_tell_stop_it(column, code):
    table = people()
    cells = np.random.RandomState(1).permutation(column(table)) if code != "derived-column" else column(table)
    released = decades(table).assign(note=cells)
    review = shoal.review(released, table, **ASKED)
    assert [(one.code, one.columns) for one in review.open if one.blocks] == [(code, ("note",))]
    kept = shoal.review(released, table, keep="note", **ASKED)
    assert (code, "kept") in [(one.code, one.answer) for one in kept.answered]
    assert not [one for one in kept.open if one.blocks]


def test_a_sensitive_copy_warns():
    table = people()
    released = decades(table).assign(born=2020 - table["age"])
    original = table.assign(born=released["born"])
    review = shoal.review(released, original, quasi_identifiers=QUASI, sensitive="born")
    assert [(one.code, one.columns) for one in review.open if one.code == "derived-column"] == [
        ("derived-column", ("born",))
    ]
    assert not [one for one in review.open if one.blocks]


@pytest.mark.parametrize("hidden", ["*", None])
def test_a_release_that_shows_nothing(hidden):
    table = pd.DataFrame({"age": [20, 30] * 10, "income": [1.5, 2.5] * 10})
    released = table.assign(age=hidden, income=hidden)
    assert "range-ends" in shoal.review(released, table, quasi_identifiers=["age", "income"]).clean


@pytest.mark.parametrize("filler", [None, 0, 999, "none"])
def test_a_copy_of_which_most_cells_are_filled(filler):
    table = people()
    gaps = np.random.RandomState(2).rand(ROWS) < 0.6
    copy = [filler if gap else age for gap, age in zip(gaps, table["age"], strict=True)]
    copy = list(map(str, copy)) if filler == "none" else copy
    review = shoal.review(decades(table).assign(note=copy), table, **ASKED)
    assert ("derived-column", ("note",)) in [(one.code, one.columns) for one in review.open]


def test_without_the_original_less_is_looked_for():
    review = shoal.review(decades(people()), **ASKED)
    assert {"derived-column", "range-ends", "row-order"} <= {*review.unchecked}
    assert not {"derived-column", "range-ends", "row-order"} & {*review.clean}


def test_accepted_codes_are_answered():
    table = people()
    one = table.assign(age="18-89", zip="*", sex="*")
    review = shoal.review(one.head(20), table.head(20), accept="tiny-table", **ASKED)
    assert "tiny-table" in {finding.code for finding in review.answered}


@pytest.mark.parametrize(
    ("released", "options", "sentence"),
    [
        (lambda table: decades(table).head(9), {}, "The release has 9 rows and the original 300"),
        (lambda table: decades(table).drop(columns="age"), {}, "'age'"),
        (lambda table: decades(table).assign(age="old"), {}, "'old' cannot be read"),
        (lambda table: decades(table).assign(age="1-2"), {}, "'1-2' does not cover the original value"),
        (decades, {"accept": "nonsense"}, "'nonsense' is not a code of the review"),
        (decades, {"accept": "derived-column"}, "stops a release"),
    ],
)
def test_what_cannot_be_reviewed_is_refused(released, options, sentence):
    table = people()
    with pytest.raises(InputError, match=sentence):
        shoal.review(released(table), table, **ASKED | options)


def test_the_brackets_of_other_tools():
    table = people()
    assert "range-ends" not in codes(shoal.review(decades(table, "[{}, {}]"), table, **ASKED))
