from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from hierarchies.trees import refusal
from shoal import Hierarchy


def test_neighbours_are_grouped_level_upon_level():
    tree = Hierarchy.by_order(["XS", "S", "M", "L", "XL"])
    assert tree.leaves == ("XS", "S", "M", "L", "XL")
    assert tree.path("S") == ("S", "XS - S", "XS - L", "*")
    assert tree.path("L") == ("L", "M - L", "XS - L", "*")
    assert tree.path("XL") == ("XL", "*")


def test_another_fanout():
    tree = Hierarchy.by_order(range(10), fanout=3)
    assert tree.path("4") == ("4", "3 - 5", "0 - 8", "*")
    assert tree.path("9") == ("9", "*")


def test_the_last_groups_may_be_smaller_and_are_not_repeated():
    assert Hierarchy.by_order("abcdef").path("f") == ("f", "e - f", "*")
    assert Hierarchy.by_order("abcdefg").path("e") == ("e", "e - f", "e - g", "*")


@pytest.mark.parametrize("values", [["a"], ["a", "b"]])
def test_a_group_of_everything_is_the_root(values):
    assert Hierarchy.by_order(values) == Hierarchy.flat(values)


def test_the_order_is_kept_and_values_are_named_once():
    assert Hierarchy.by_order([3, 1.0, 2, "3", None]).leaves == ("3", "1", "2")


def test_labels_that_look_like_groups_change_nothing():
    values = ["a", "1", "2", "3", "a - b", "c", "4", "b - c"]
    tree = Hierarchy.by_order([*values, *"56789"])
    assert tree.path("c") == ("c", "a - b - c", "a - b - b - c", "a - b - c", "*")
    assert tree.leaves == (*values, *"56789")


def test_a_value_may_bear_the_name_of_a_group():
    assert Hierarchy.by_order(["a", "b", "a - b"]).path("a - b") == ("a - b", "*")


def test_empty_text_is_a_value():
    assert Hierarchy.by_order(["", "a", "b"]).path("") == ("", " - a", "*")


@given(st.integers(1, 60), st.integers(2, 5))
def test_every_group_holds_neighbours_and_at_most_a_power_of_the_fanout(size, fanout):
    tree = Hierarchy.by_order(range(size), fanout=fanout)
    assert tree.leaves == tuple(map(str, range(size)))
    for node in set(tree.parents.tolist()) - {-1, 0}:
        low, high = int(tree.lows[node]), int(tree.highs[node])
        assert tree.labels[node] == f"{low} - {high}"
        assert low < high
        assert any(
            low % width == 0 and high in (low + width - 1, size - 1) for width in (fanout**e for e in range(1, 6))
        )
    for node in range(len(tree.labels)):
        assert (tree.parents == node).sum() <= fanout


@pytest.mark.parametrize("fanout", [1, 0, -2])
def test_a_fanout_below_two_is_refused(fanout):
    assert refusal(Hierarchy.by_order, "abc", fanout=fanout) == (
        f"The fanout {fanout} is too small: a group needs at least 2 members."
    )


def test_no_values_are_refused():
    assert refusal(Hierarchy.by_order, []) == "A hierarchy needs at least one value, and none was given."
