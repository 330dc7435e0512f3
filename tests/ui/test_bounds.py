"""Custom bounds: typed, dragged, added and removed, always nested."""

from __future__ import annotations

from decimal import Decimal

import pytest

import shoal
from shoal.ui.charts.histogram import histogram
from shoal.ui.trees import bounds
from shoal.ui.trees.bounds import Levels

AGES = {str(age): 1 for age in range(20, 60)}


def levels(*texts: str) -> Levels:
    return tuple(map(bounds.read_level, texts))


def test_bounds_are_read_sorted_and_written_back() -> None:
    assert bounds.write_level(bounds.read_level(" 45;18, 30 30")) == "18, 30, 45"
    assert bounds.spelling(levels("18,30,45", "30")) == "cuts:18,30,45/30"
    assert bounds.read_spelling("cuts:18,30,45/30") == levels("18,30,45", "30")


@pytest.mark.parametrize(("text", "sentence"), [("18, x", "'x' is not a number"), (" ", "There is no bound")])
def test_what_is_no_bound_is_named(text: str, sentence: str) -> None:
    with pytest.raises(shoal.InputError, match=sentence):
        bounds.read_level(text)


@pytest.mark.parametrize(
    ("second", "sentence"),
    [("30, 31", "Level 2 has the bound 31, which level 1 does not have"), ("18,30", "has all bounds")],
)
def test_levels_have_to_nest(second: str, sentence: str) -> None:
    with pytest.raises(shoal.InputError, match=sentence):
        bounds.check_nested(levels("18, 30", second))


def test_a_dragged_bound_takes_the_higher_levels_along_and_stays_between_its_neighbours() -> None:
    start = levels("18, 30, 45", "30")
    assert bounds.moved(start, 1, Decimal(35)) == levels("18, 35, 45", "35")
    assert bounds.moved(start, 1, Decimal(45)) == start
    assert bounds.moved(start, 0, Decimal(30)) == start
    assert bounds.moved(start, 2, Decimal(90)) == levels("18, 30, 90", "30")


def test_a_bound_is_added_and_removed() -> None:
    assert bounds.with_bound(levels("18, 45", "18"), Decimal(30)) == levels("18, 30, 45", "18")
    assert bounds.without_bound(levels("18, 30, 45", "18, 30", "30"), 1) == levels("18, 45", "18")
    assert bounds.without_bound(levels("18, 30", "18"), 1) == levels("18")
    with pytest.raises(shoal.InputError, match="At least one bound is needed"):
        bounds.without_bound(levels("18"), 0)


def test_a_further_level_keeps_every_second_bound() -> None:
    assert bounds.with_level(levels("18, 30, 45, 60")) == levels("18, 30, 45, 60", "30, 60")
    with pytest.raises(shoal.InputError, match="Level 1 has only one bound"):
        bounds.with_level(levels("18"))


def test_the_first_bounds_are_the_quarters_of_the_rows() -> None:
    assert bounds.first_bounds(AGES, histogram(AGES)) == levels("30, 40, 50", "40")


@pytest.mark.parametrize("counts", [{"1": 5, "2": 1}, {"7": 3}, {"0": 1_000, "1": 1, "2": 1}])
def test_the_first_bounds_of_few_values_nest(counts: dict[str, int]) -> None:
    first = bounds.first_bounds(counts, histogram(counts))
    bounds.check_nested(first)
    assert first[0]


def test_one_more_bound_halves_the_range_with_the_most_rows() -> None:
    shape = histogram(AGES)
    assert bounds.widest_split(AGES, shape, levels("30")) == 45
    assert bounds.widest_split({"1": 1, "2": 1}, histogram({"1": 1, "2": 1}), levels("2")) is None
