"""Values of a single row in columns that leave as they are: how many columns have them is told in good English."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.release.review.rare_values import MAX_NAMED, rare_values

RARE = np.array([0, 0, 1, 1, 2], np.int64)  # the third value is there once


@pytest.mark.parametrize(
    ("columns", "end"),
    [(0, "'c4' (1):"), (1, "and 1 other column:"), (2, "and 2 other columns:")],
)
def test_further_columns_are_counted(columns, end):
    [finding] = rare_values({f"c{number}": RARE for number in range(MAX_NAMED + columns)})
    assert f" {end} whoever knows" in finding.sentence
    assert len(finding.columns) == MAX_NAMED + columns


def test_most_values_are_no_rare_ones():
    assert rare_values({"measured": np.arange(5), "missing": np.full(5, -1), "common": np.zeros(5, np.int64)}) == []
