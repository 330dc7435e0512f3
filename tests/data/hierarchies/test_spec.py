from __future__ import annotations

import pytest

from hierarchies.trees import refusal
from shoal import Hierarchy
from shoal.data.domain import Ordered
from shoal.data.hierarchies.spec import SPELLINGS, parse

AGES = {"17": 3, "22": 1, "39": 2}


def test_every_spelling_is_understood(file, monkeypatch):
    monkeypatch.chdir(file("*\n\ta\n", "file.txt").parent)
    assert all(parse(spelling) is not None for spelling in SPELLINGS)


@pytest.mark.parametrize("spelling", ["intervals:5,10,20@16", "intervals: 5, 10 ,20 @ 16"])
def test_intervals_with_an_origin(spelling):
    assert parse(spelling)(AGES) == Hierarchy.intervals(AGES, widths=[5, 10, 20], origin=16)


@pytest.mark.parametrize("spelling", ["intervals:0.5,1", "intervals:0.5,1@", "intervals:0.5,1@0"])
def test_intervals_count_from_zero_otherwise(spelling):
    assert parse(spelling)(AGES) == Hierarchy.intervals(AGES, widths=[0.5, 1])


@pytest.mark.parametrize("spelling", ["cuts:18,30,45/30", "cuts: 18, 30 ,45 / 30"])
def test_cuts(spelling):
    assert parse(spelling)(AGES) == Hierarchy.cuts(AGES, bounds=[[18, 30, 45], [30]])


@pytest.mark.parametrize("spelling", ["cuts", "cuts:", "cuts:18,30/", "cuts:/30"])
def test_cuts_need_bounds(spelling):
    assert refusal(parse, spelling) == (
        f"{spelling!r} lacks bounds: write cuts:18,30,65 or, by levels, cuts:18,30,65/30."
    )


def test_prefix():
    codes = {"13053": 1, "13068": 2}
    assert parse("prefix")(codes) == Hierarchy.prefix(codes)
    assert parse("prefix:2,4")(codes) == Hierarchy.prefix(codes, steps=[2, 4])


def test_dates():
    days = {"2024-03-15": 1, "2023-01-31": 2}
    assert parse("dates")(days) == Hierarchy.dates(days)
    assert parse("dates:year, month")(days) == Hierarchy.dates(days, levels=["month", "year"])


def test_by_order_and_by_frequency():
    assert parse("by-order")(AGES) == Hierarchy.by_order(AGES)
    assert parse("by-order:3")(AGES) == Hierarchy.by_order(AGES, fanout=3)
    assert parse("by-frequency")(AGES) == Hierarchy.by_frequency(AGES)
    assert parse("by-frequency:3")(AGES) == Hierarchy.by_frequency(AGES, fanout=3)


def test_flat():
    assert parse("flat")(AGES) == Hierarchy.flat(AGES)


def test_ordered():
    assert parse("ordered:low, middle,high") == Ordered(["low", "middle", "high"])


@pytest.mark.parametrize("content", ["*\n\ta\n\tb\n", "a,*\nb,*\n", "a;*\nb;*\n"])
def test_a_file_of_any_format(file, content):
    assert parse(str(file(content))) == Hierarchy.flat("ab")


def test_an_unknown_spelling_is_refused():
    assert refusal(parse, "interval:5") == (
        "'interval:5' is neither a file nor a way to build a hierarchy. Write one of: intervals:5,10,20@16, "
        "cuts:18,30,45,65/30,65, prefix, "
        "dates:month,year, by-order:3, by-frequency:3, flat, ordered:low,middle,high, file.txt. "
        "Did you mean 'intervals'?"
    )


@pytest.mark.parametrize("spelling", ["intervals", "intervals:", "intervals:@16"])
def test_intervals_without_widths_are_refused(spelling):
    assert refusal(parse, spelling) == (
        f"{spelling!r} names no widths: write intervals:5,10,20 or intervals:5,10,20@16."
    )


@pytest.mark.parametrize(
    ("spelling", "part"), [("prefix:a", "a"), ("prefix:2,-4", "-4"), ("by-order:1.5", "1.5"), ("by-frequency:x", "x")]
)
def test_numbers_that_are_not_whole_are_refused(spelling, part):
    assert refusal(parse, spelling) == f"{spelling!r}: {part!r} is not a whole number."


@pytest.mark.parametrize("name", ["by-order", "by-frequency"])
def test_two_fanouts_are_refused(name):
    assert refusal(parse, f"{name}:2,3") == f"'{name}:2,3' names 2 fanouts: write one, as in {name}:3."


def test_an_order_without_values_is_refused():
    assert refusal(parse, "ordered:") == "'ordered:' names no values: write ordered:low,middle,high."


@pytest.mark.parametrize(
    ("spelling", "sentence"),
    [
        (
            "intervals:5,12",
            "The interval widths 5, 12 do not nest: each must be a multiple of the one before, and wider.",
        ),
        ("intervals:5@x", "The interval origin 'x' is not a number: write one such as 5 or 0.5."),
        ("dates:week", "There is no date level 'week': choose from day, month, quarter, year, decade."),
        ("by-order:1", "The fanout 1 is too small: a group needs at least 2 members."),
        ("prefix:0", "The masking steps 0 must grow from 1 upwards."),
    ],
)
def test_what_a_builder_refuses_is_refused(spelling, sentence):
    assert refusal(parse(spelling), AGES) == sentence
