from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from hierarchies.trees import refusal
from shoal import Hierarchy
from shoal.data.label_cover import covers

AGES = [[18, 30, 45, 65], [30, 65]]


def test_whole_numbers():
    tree = Hierarchy.cuts([17, 18, 29, 30, 64, 65, 90], bounds=AGES)
    assert [tree.path(age) for age in ("17", "18", "29", "30", "64", "65", "90")] == [
        ("17", "< 18", "< 30", "*"),
        ("18", "18-29", "< 30", "*"),
        ("29", "18-29", "< 30", "*"),
        ("30", "30-44", "30-64", "*"),
        ("64", "45-64", "30-64", "*"),
        ("65", ">= 65", ">= 65", "*"),
        ("90", ">= 65", ">= 65", "*"),
    ]


def test_decimals():
    tree = Hierarchy.cuts(["1.5", "1.99", "2", "-3"], bounds=[["1.5", 2], [2]])
    assert tree.path("1.99") == ("1.99", "[1.5,2)", "< 2", "*")
    assert tree.path("2") == ("2", ">= 2", ">= 2", "*")
    assert tree.path("-3") == ("-3", "< 1.5", "< 2", "*")
    assert Hierarchy.cuts([20.5], bounds=[[18, 30]]).path("20.5")[1] == "[18,30)"


def test_the_style_is_for_ranges_with_two_ends():
    tree = Hierarchy.cuts([17, 20], bounds=[[18, 30]], style="{low} to {last}")
    assert (tree.path("17")[1], tree.path("20")[1]) == ("< 18", "18 to 29")


@given(
    st.lists(st.decimals(-50, 50, places=1), min_size=1, max_size=20),
    st.sets(st.decimals(-50, 50, places=1), min_size=3, max_size=8),
    st.data(),
)
def test_every_value_is_under_one_group_of_each_level_and_groups_nest(values, first, data):
    levels = [first]
    while len(levels[-1]) > 1 and len(levels) < 4:
        levels.append(data.draw(st.sets(st.sampled_from(sorted(levels[-1])), min_size=1, max_size=len(levels[-1]) - 1)))
    tree = Hierarchy.cuts(values, bounds=[[str(bound) for bound in sorted(level)] for level in levels])
    assert set(tree.leaves) == set(map(str, values))
    assert tree.depths[tree.leaf_nodes].tolist() == [len(levels) + 1] * len(tree.leaves)
    groups: list[dict[str, tuple]] = [{} for _ in levels]
    for value in tree.leaves:
        labels = tree.path(value)[1:-1]
        for level, label, known in zip(levels, labels, groups, strict=True):
            below = [bound for bound in level if bound <= Decimal(value)]
            above = [bound for bound in level if bound > Decimal(value)]
            own = max(below, default=None), min(above, default=None)
            assert known.setdefault(label, own) == own
            assert covers([label], [value]).all()
    for known in groups:
        assert len(set(known.values())) == len(known)


@pytest.mark.parametrize(
    ("bounds", "sentence"),
    [
        (
            [[18, 30], [25]],
            "The bounds 25 do not nest: 25 is not a bound of the level before, 18, 30.",
        ),
        ([[30, 18]], "The bounds 30, 18 do not ascend: write the smallest first, each once."),
        ([[18, 18.0]], "The bounds 18, 18.0 do not ascend: write the smallest first, each once."),
        ([[18, 30], [18, 30]], "The bounds 18, 30 are those of the level before: leave out one level."),
        ([["x"]], "The bound 'x' is not a number: write one such as 5 or 0.5."),
        ([18, 30], "The bounds [18, 30] must be lists of numbers, one for each level: [[18, 30, 65], [30]]."),
        ([[18], []], "The bounds [[18], []] must be lists of numbers, one for each level: [[18, 30, 65], [30]]."),
        ([], "The bounds [] must be lists of numbers, one for each level: [[18, 30, 65], [30]]."),
        ("18", "The bounds '18' must be lists of numbers, one for each level: [[18, 30, 65], [30]]."),
    ],
)
def test_bounds_that_make_no_levels_are_refused(bounds, sentence):
    assert refusal(Hierarchy.cuts, [1], bounds=bounds) == sentence


def test_a_value_that_is_no_number_is_refused():
    assert refusal(Hierarchy.cuts, [1, "old"], bounds=AGES) == (
        "The value 'old' is not a number: fix it, or name it as missing."
    )
