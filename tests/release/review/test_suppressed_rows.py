"""Suppressed rows that stay are a class of their own to whoever knows somebody who fits no other."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.csv
import pytest

import shoal
from release.review.warned import COMMON, warned

ALIKE = {"age": [20 + row % 2 for row in range(40)], "illness": ["flu", "cold", "gout", "ulcer"] * 10}
OPTIONS = {
    "sensitive": "illness",
    "algorithm": "full-domain",
    "hierarchies": {"age": "flat"},
    "model": shoal.KAnonymity(5) & shoal.DistinctDiversity(2),
    "max_suppression": 0.3,
    "accept": (*COMMON, "homogeneous-class", "row-order"),
}


def table(*others):
    """The table with some rows more, of other ages."""
    return pa.table(
        {name: [*values, *(row[place] for row in others)] for place, (name, values) in enumerate(ALIKE.items())}
    )


def test_a_suppressed_row_that_stays_is_told():
    [said] = warned(table((98, "HIV")), **OPTIONS)
    assert said.startswith(
        "The suppressed rows stay in the release (1 row) and together they fail k = 5 and distinct l"
    )
    assert "suppressed='drop'" in said


def test_suppressed_rows_that_share_a_value_are_told():
    [said] = warned(table(*((90 + row, "HIV") for row in range(6))), **OPTIONS)
    assert "(6 rows)" in said


def test_nothing_is_told_of_rows_that_satisfy_the_model_together_or_are_left_out():
    many = table(*((90 + row, ("HIV", "flu")[row % 2]) for row in range(6)))
    assert warned(many, **OPTIONS) == []
    assert warned(table((98, "HIV")), suppressed="drop", **OPTIONS) == []
    assert warned(table(), **OPTIONS) == []


def test_it_can_be_accepted():
    options = {**OPTIONS, "accept": (*OPTIONS["accept"], "suppressed-rows")}
    assert warned(table((98, "HIV")), **options) == []


def test_files_are_told_as_well(tmp_path):
    pyarrow.csv.write_csv(table((98, "HIV")), tmp_path / "raw.csv")
    with pytest.warns(shoal.PrivacyWarning, match="The suppressed rows stay"):
        shoal.anonymize_files(
            tmp_path / "raw.csv", tmp_path / "safe.csv", memory="1GB", quasi_identifiers="age", **OPTIONS
        )
