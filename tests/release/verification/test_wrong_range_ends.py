"""Ends of ranges that are not where the definition puts them are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from oracles.range_ends import step
from shoal import VerificationError
from shoal.data.style import Style
from shoal.release.verification.range_ends import Cells, RangeClaim, ScaleClaim, check_range_ends

KEY = "a secret key of more than sixteen characters"
VALUES = ["20", "24", "60", "66", None]
TEXTS = tuple(str(number) for number in range(20, 71))
SCALE = ScaleClaim(TEXTS, TEXTS, 6, np.array([0, 23, 0]), np.array([22, 50, 50]))
CELLS = np.array([0, 0, 1, 1, 2])
STEPPED = RangeClaim(CELLS, ("20 42", "43 70", "20 70"), {"age": SCALE}, True, KEY.encode())
CLOSED = replace(STEPPED, secret=None)


def stepped_labels():
    first = 24 + min(18, step(KEY, "age", "high", "20 42", 6))
    low = 60 - step(KEY, "age", "low", "43 70", 6)
    high = min(70, 66 + step(KEY, "age", "high", "43 70", 6))
    return [f"20-{first}"] * 2 + [f"{low}-{high}"] * 2 + ["?"]


CLOSED_LABELS = ["20-42", "20-42", "43-70", "43-70", "?"]


def check(claim, labels, values=VALUES):
    rows = np.arange(len(labels))
    check_range_ends(claim, lambda name: Cells(values, rows), lambda name: Cells(labels, rows), Style())


def test_right_ends_pass():
    check(STEPPED, stepped_labels())
    check(CLOSED, CLOSED_LABELS)


@pytest.mark.parametrize("wrong", ["tight", "one further", "one less", "another key", "closed"])
def test_stepped_ends_elsewhere_are_refused(wrong):
    labels, claim = stepped_labels(), STEPPED
    low, high = map(int, labels[2].split("-"))
    if wrong == "tight":
        labels[2:4] = ["60-66"] * 2
    elif wrong == "one further":
        labels[2:4] = [f"{low - 1}-{high}"] * 2
    elif wrong == "one less":
        labels[2:4] = [f"{low}-{high - 1}"] * 2
    elif wrong == "closed":
        labels = CLOSED_LABELS
    else:
        claim = replace(STEPPED, secret=b"another key of more than sixteen characters")
    with pytest.raises(VerificationError, match="does not end where a stepped range of its class ends"):
        check(claim, labels)


def test_closed_ends_elsewhere_are_refused():
    with pytest.raises(VerificationError, match="'43-69' does not end where a closed range of its class ends"):
        check(CLOSED, ["20-42", "20-42", "43-69", "43-69", "?"])


def test_rows_of_one_class_that_show_two_ranges_are_refused():
    with pytest.raises(VerificationError, match="a class shows several ranges"):
        check(CLOSED, ["20-42", "20-43", "43-70", "43-70", "?"])


def test_cells_that_leave_gaps_or_do_not_hold_their_rows_are_refused():
    gap = replace(SCALE, first=np.array([0, 25, 0]))
    with pytest.raises(VerificationError, match="its cells do not tile the scale at"):
        check(replace(CLOSED, scales={"age": gap}), ["20-42", "20-42", "45-70", "45-70", "?"])
    beyond = replace(SCALE, first=np.array([0, 41, 0]))
    with pytest.raises(VerificationError, match="a class holds values beyond the limits of its cell"):
        check(replace(CLOSED, scales={"age": beyond}), CLOSED_LABELS)


def test_scales_that_are_none_are_refused():
    with pytest.raises(VerificationError, match="a value lies outside the scale"):
        check(CLOSED, CLOSED_LABELS, ["19", "24", "60", "66", None])
    for wrong in (replace(SCALE, steps=1), replace(SCALE, lows=TEXTS[::-1])):
        with pytest.raises(VerificationError, match="the scale of its ranges is not one"):
            check(replace(CLOSED, scales={"age": wrong}), CLOSED_LABELS)
