"""Nested groups."""

from __future__ import annotations

import pytest

from shoal import Hierarchy, HierarchyError


def test_groups_within_groups():
    tree = Hierarchy.from_nested({"Higher": ["BSc", "MSc"], "School": {"High": ["11th", 12], "Low": "9th"}})
    assert tree.leaves == ("BSc", "MSc", "11th", "12", "9th")
    assert tree.path("12") == ("12", "High", "School", "*")


def test_values_beside_groups():
    tree = Hierarchy.from_nested(["f", {"other": ["d", "x"], "none": []}, "m"], root="any")
    assert tree.path("d") == ("d", "other", "any")
    assert tree.path("none") == ("none", "any")
    assert tree.leaves == ("f", "d", "x", "none", "m")


def test_one_group_over_all_is_the_root():
    assert Hierarchy.from_nested({"Any": {"Higher": ["BSc"], "School": ["11th"]}}).path("BSc") == (
        "BSc",
        "Higher",
        "Any",
    )
    assert Hierarchy.from_nested({"Any": ["BSc", "MSc"]}).root == "Any"


def test_any_depth():
    groups = ["leaf"]
    for level in range(3000):
        groups = {f"{level}": groups, f"beside {level}": []}
    assert Hierarchy.from_nested(groups).height == 3001


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([], "A hierarchy needs at least one value, and none was given."),
        ({}, "A hierarchy needs at least one value, and none was given."),
        ({"a": ["x"], "b": ["x"]}, "The value 'x' is a leaf twice: keep one of the two."),
        ({"a": [None]}, "None is not a value of a tree: write values and groups such as {'Higher': ['BSc']}."),
    ],
)
def test_what_is_no_tree(groups, message):
    with pytest.raises(HierarchyError) as error:
        Hierarchy.from_nested(groups)
    assert str(error.value) == message
