"""The histogram: rows per bin, places in the picture and back, and bounds as lines."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from decimal import Decimal

import pytest

from shoal.ui.charts.histogram import WIDTH, draw, histogram, text_of

AGES = {str(age): 100 - age for age in range(17, 91)}
BOUNDS = [Decimal(18), Decimal(30), Decimal(45)]


def lines(svg: str) -> list[dict[str, str]]:
    return [line.attrib for line in ElementTree.fromstring(f"<svg>{svg}</svg>").iter("line")][1:]  # not the axis


def test_all_rows_are_in_the_bins() -> None:
    shape = histogram(AGES)
    assert sum(shape.rows) == sum(AGES.values())
    assert (shape.start, shape.width, len(shape.rows)) == (17, 1, 74)


@pytest.mark.parametrize(
    ("counts", "width"),
    [({"0": 1, "1000000": 2}, 20000.0), ({"0.5": 1, "1.25": 1}, 0.01), ({"-3": 1, "7": 1}, 1.0), ({"5": 9}, 1.0)],
)
def test_bins_are_few_and_round(counts: dict[str, int], width: float) -> None:
    shape = histogram(counts)
    assert shape.width == pytest.approx(width)
    assert sum(shape.rows) == sum(counts.values())
    assert len(shape.rows) <= 101


def test_a_place_in_the_picture_is_a_whole_number_where_the_column_has_those() -> None:
    shape = histogram(AGES)
    for number in range(17, 91):
        assert shape.number_at(shape.x_of(number)) == number
    assert shape.number_at(-50) == 17
    assert shape.number_at(WIDTH + 50) == 91
    assert histogram({"0.5": 1, "1.25": 1}).number_at(300).as_tuple().exponent == -3


def test_the_mouse_finds_a_bound_that_is_near() -> None:
    shape = histogram(AGES)
    assert shape.bound_at(shape.x_of(30) + 5, BOUNDS) == 1
    assert shape.bound_at(shape.x_of(38), BOUNDS) is None
    assert shape.bound_at(100, []) is None


def test_bounds_are_lines_thicker_at_higher_levels_and_the_chosen_one_is_marked() -> None:
    shape = histogram(AGES)
    drawn = lines(draw(shape, [BOUNDS, BOUNDS[1:2]], chosen=2))
    assert [float(line["x1"]) for line in drawn] == [round(shape.x_of(float(bound)), 1) for bound in BOUNDS]
    assert [line["stroke-width"] for line in drawn] == ["1.5", "2.5", "1.5"]
    assert [line["stroke"] for line in drawn] == ["currentColor", "currentColor", "var(--q-negative)"]


def test_bounds_outside_of_the_numbers_are_not_drawn() -> None:
    assert lines(draw(histogram(AGES), [[Decimal(-5), Decimal(500)]])) == []


def test_colours_are_those_of_the_page() -> None:
    svg = draw(histogram(AGES), [BOUNDS])
    assert "#" not in svg
    assert "black" not in svg


def test_numbers_are_written_as_they_are_typed() -> None:
    assert [text_of(Decimal(number)) for number in ("3E+1", "-0.50", "100", "7.0")] == ["30", "-0.5", "100", "7"]
