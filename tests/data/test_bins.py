"""Scales of bins begin and end at round numbers and dates, whoever has them, and every value lies in its bin."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, strategies as st

from shoal.data.bin_scales import scale_of
from shoal.data.bins import Bins
from shoal.data.domain import NumericDomain
from shoal.data.label_ranges import place_of
from shoal.data.style import text


@pytest.mark.parametrize(
    ("values", "bins", "first", "second", "last"),
    [
        (["17", "40", "90"], 81, ("10", "10"), ("11", "11"), ("90", "90")),
        (["1", "16"], 17, ("0", "0"), ("1", "1"), ("16", "16")),
        (["1", "5"], 7, ("0", "0"), ("1", "1"), ("6", "6")),
        (["0", "99999"], 100, ("0", "999"), ("1000", "1999"), ("99000", "99999")),
        (["0", "100000"], 101, ("0", "999"), ("1000", "1999"), ("100000", "100999")),
        (["-7", "3"], 13, ("-8", "-8"), ("-7", "-7"), ("4", "4")),
        (["39.5", "90.1"], 70, ("30", "31"), ("31", "32"), ("99", "100")),
        (["0.1", "0.25"], 160, ("0.1", "0.101"), ("0.101", "0.102"), ("0.259", "0.26")),
        (["5"], 1, ("5", "5"), ("5", "5"), ("5", "5")),
        (["5.5"], 1, ("5.5", "5.5"), ("5.5", "5.5"), ("5.5", "5.5")),
        (
            ["1940-02-29", "2001-05-03"],
            70,
            ("1940-01-01", "1940-12-31"),
            ("1941-01-01", "1941-12-31"),
            ("2009-01-01", "2009-12-31"),
        ),
        (
            ["2018-01-31", "2026-03-03"],
            108,
            ("2018-01-01", "2018-01-31"),
            ("2018-02-01", "2018-02-28"),
            ("2026-12-01", "2026-12-31"),
        ),
        (
            ["2020-01-31", "2020-03-03"],
            91,
            ("2020-01-01", "2020-01-01"),
            ("2020-01-02", "2020-01-02"),
            ("2020-03-31", "2020-03-31"),
        ),
        (
            ["2020-01-31 10:00:00", "2020-02-03 11:22:33.500000"],
            96,
            ("2020-01-31 00:00:00", "2020-01-31 01:00:00"),
            ("2020-01-31 01:00:00", "2020-01-31 02:00:00"),
            ("2020-02-03 23:00:00", "2020-02-04 00:00:00"),
        ),
    ],
)
def test_scales(values, bins, first, second, last):
    scale = scale_of(values, 9)
    shown = [tuple(map(scale.write, ends)) for ends in scale.bins]
    assert (len(shown), shown[0], shown[1 % bins], shown[-1]) == (bins, first, second, last)


def test_days_at_both_ends_of_the_calendar():
    scale = scale_of(["0001-01-01", "9999-12-31"], 9)
    assert [scale.write(end) for end in (scale.bins[0][0], scale.bins[-1][1])] == ["0001-01-01", "9999-12-31"]


@pytest.mark.parametrize("values", [["10:00:00", "11:00:00"], ["2020-01-01 10:00:00+01:00"], ["1 day, 0:00:00"]])
def test_values_without_a_scale(values):
    assert scale_of(values, 9) is None


def domain(labels, missing=False):
    values = np.arange(len(labels), dtype=np.float64)
    labels = (["?"] if missing else []) + labels
    return NumericDomain(tuple(labels), 0 if missing else -1, np.concatenate([[np.nan], values]) if missing else values)


def test_the_longest_step_is_a_share_of_the_scale_but_at_least_one():
    assert [Bins.of(domain(["17", "90"]), share).steps for share in (9, 14)] == [9, 6]
    assert [Bins.of(domain(["1", "16"]), share).steps for share in (9, 14)] == [2, 2]


numbers = st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=20, unique=True).map(sorted)
decimals = st.lists(st.decimals(-(10**4), 10**4, places=3), min_size=1, max_size=20, unique=True).map(sorted)
days = st.lists(st.dates(date(1800, 1, 1), date(2200, 1, 1)), min_size=1, max_size=20, unique=True).map(sorted)


@given(
    st.one_of(numbers, decimals.map(lambda some: list(map(float, some))), days), st.sampled_from([9, 14]), st.booleans()
)
def test_every_value_lies_in_its_bin_and_bins_follow_each_other(values, share, missing):
    labels = [text(value) for value in values]
    bins = Bins.of(domain(labels, missing), share)
    lows, highs = ([place_of(end)[1] for end in ends] for ends in (bins.lows, bins.highs))
    assert all(low <= high for low, high in zip(lows, highs, strict=True))
    assert lows == sorted(lows)
    before = int(missing)
    assert (bins.of_code[:before] == -1).all()
    for code, label in enumerate(labels, before):
        place = place_of(label)[1]
        found = int(bins.of_code[code])
        assert lows[found] <= place <= highs[found]
    for number in range(len(bins)):
        inside = [
            code
            for code, label in enumerate(labels, before)
            if lows[number] <= place_of(label)[1] and place_of(label)[1] <= highs[number]
        ]
        codes = list(range(int(bins.first_codes[number]), int(bins.last_codes[number]) + 1))
        assert codes == inside
    span = place_of(labels[-1])[1] - place_of(labels[0])[1]
    if span:
        low = max(lows[0], place_of(labels[0])[1])
        assert abs(bins.low_places[0] - float(Decimal(low - place_of(labels[0])[1]) / Decimal(span))) < 1e-9
    assert (bins.low_places >= 0).all()
    assert (bins.high_places <= 1).all()


def test_one_day_more_moves_no_bin():
    first, second = (
        scale_of([str(date(1950, 3, 4) + timedelta(days=extra)), "2001-05-03"], 9).bins for extra in (0, 1)
    )
    assert first == second
