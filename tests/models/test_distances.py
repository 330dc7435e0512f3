"""Closeness where values are missing, empty, unknown, or named like the missing one."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import Closeness, Hierarchy, InputError
from shoal.table import Classes, Overall


def distance(model, labels, counts, table):
    """The distance of a class with these counts of the values, in a table with those."""
    overall = {"s": Overall(tuple(labels), np.array(table, np.int64))}
    return model.distances(Classes(np.array([sum(counts)]), overall, lambda name: np.array([counts])), "s")[0]


def test_a_missing_value_stands_before_every_number():
    model = Closeness(0.5, distance="ordered")
    for missing in (None, ""):
        # The order is missing, -99999, 7: all three from the lowest alone are (2/3 + 1/3) / 2 away.
        labels = ["7", missing, "-99999"]
        assert distance(model, labels, [0, 1, 0], [1, 1, 1]) == pytest.approx(0.5)
        assert distance(model, labels, [0, 0, 1], [1, 1, 1]) == pytest.approx(1 / 3)
        assert distance(model, labels, [1, 0, 0], [1, 1, 1]) == pytest.approx(0.5)


def test_a_missing_value_stands_before_an_order_and_an_empty_text_where_the_order_says():
    first = Closeness(0.5, distance="ordered", order=["a", "b"])
    assert distance(first, ["a", "", "b"], [0, 1, 0], [1, 1, 1]) == pytest.approx(0.5)
    assert distance(first, ["a", None, "b"], [1, 0, 0], [1, 1, 1]) == pytest.approx(1 / 3)
    middle = Closeness(0.5, distance="ordered", order=["a", "", "b"])
    assert distance(middle, ["a", "", "b"], [0, 1, 0], [1, 1, 1]) == pytest.approx(1 / 3)
    assert distance(middle, ["a", "", "b"], [1, 0, 0], [1, 1, 1]) == pytest.approx(0.5)


def test_a_value_that_the_order_does_not_have_is_told():
    with pytest.raises(InputError) as refusal:
        distance(Closeness(0.5, distance="ordered", order=["a", "b"]), ["a", "c"], [1, 1], [1, 1])
    assert str(refusal.value) == (
        "The ordered distance of 's' needs an order of its values, and 'c' is not in the order: give order=[…]."
    )


def test_a_value_that_the_hierarchy_does_not_have_is_told():
    tree = Hierarchy.from_parents(["*", "a", "b"], [-1, 0, 0])
    with pytest.raises(InputError) as refusal:
        distance(Closeness(0.5, distance="hierarchical", hierarchy=tree), ["a", "c"], [1, 1], [1, 1])
    assert str(refusal.value) == "The hierarchy of the sensitive attribute 's' does not know the value 'c'."


def test_a_missing_value_is_no_value_that_is_named_missing():
    # x has missing, missing′ and a under it; the missing value itself stands beside x, as far away as can be.
    tree = Hierarchy.from_parents(["*", "x", "missing", "missing′", "a"], [-1, 0, 1, 1, 1])
    model = Closeness(0.5, distance="hierarchical", hierarchy=tree)
    assert distance(model, ["missing", None, "a"], [1, 0, 0], [1, 1, 1]) == pytest.approx(1 / 3 + 1 / 6)
    assert distance(model, [None, "a"], [1, 0], [1, 1]) == pytest.approx(1 / 2)
    assert distance(model, ["missing", "missing′", "a"], [1, 0, 0], [1, 1, 1]) == pytest.approx(1 / 3)
