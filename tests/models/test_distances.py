"""Closeness where values are missing, empty, unknown, or named like the missing one."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from oracles import models as oracle
from oracles.second_verifier.models import Group, closeness as second_opinion
from pace import stopwatch
from shoal import Closeness, Hierarchy, InputError
from shoal.data.classes import Classes, Overall


def distance(model, labels, counts, table):
    """The distance of a class with these counts of the values, in a table with those."""
    overall = {"s": Overall(tuple(labels), np.array(table, np.int64))}
    return model.measured(Classes(np.array([sum(counts)]), overall, lambda name: np.array([counts])), "s")[0]


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
    assert str(refusal.value) == "The hierarchy of the sensitive attribute 's' lacks the value 'c': add it."


def test_a_missing_value_is_no_value_that_is_named_missing():
    # x has missing, missing′ and a under it; the missing value itself stands beside x, as far away as can be.
    tree = Hierarchy.from_parents(["*", "x", "missing", "missing′", "a"], [-1, 0, 1, 1, 1])
    model = Closeness(0.5, distance="hierarchical", hierarchy=tree)
    assert distance(model, ["missing", None, "a"], [1, 0, 0], [1, 1, 1]) == pytest.approx(1 / 3 + 1 / 6)
    assert distance(model, [None, "a"], [1, 0], [1, 1]) == pytest.approx(1 / 2)
    assert distance(model, ["missing", "missing′", "a"], [1, 0, 0], [1, 1, 1]) == pytest.approx(1 / 3)


SPELLINGS = ["1.5", "1.50", "15e-1", "+1.5", "3/2", "2", "2.0", "0", "-0", "0.0", "-7", "1e400", "1.50000000000000001"]


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(SPELLINGS)), min_size=1, max_size=9), st.randoms())
@settings(max_examples=200, deadline=None)
def test_spellings_of_one_number_are_one_place(rows, random):
    table = [value for _, value in rows]
    model = Closeness(0.5, distance="ordered")
    expected = {
        group: oracle.ordered_distance(
            [Fraction(value) for own, value in rows if own == group],
            [Fraction(value) for value in table],
            sorted({Fraction(value) for value in table}),
        )
        for group in {group for group, _ in rows}
    }
    for _ in range(2):
        labels = list(dict.fromkeys(table))
        overall = {"s": Overall(tuple(labels), np.array([table.count(label) for label in labels]))}
        lines = np.array([[sum(row == (group, label) for row in rows) for label in labels] for group in expected])
        classes = Classes(lines.sum(axis=1), overall, lambda name, lines=lines: lines)
        for group, distance in expected.items():
            own = model.measured(classes, "s")[list(expected).index(group)]
            assert own == pytest.approx(float(distance), abs=1e-12)
        random.shuffle(table)


def test_the_order_of_rows_changes_no_distance():
    rows = [(1, "1.5"), (1, "2"), (2, "1.50"), (2, "2"), (2, "1.5"), (1, "3")]
    for turned in (rows, rows[::-1]):
        table = pa.table({"q": [q for q, _ in turned], "s": [s for _, s in turned]})
        found = shoal.assess(table, quasi_identifiers="q", sensitive="s").sensitive["s"]
        # Of the places 1.5, 2 and 3 the first class has 1/3 each, the second 2/3 and 1/3, the table 1/2, 1/3 and 1/6.
        assert found.t_ordered == pytest.approx((1 / 6 + 1 / 6) / 2)
        assert found.values == 4
        model = Closeness(Fraction(1, 6), distance="ordered")
        assert all(v.holds for v in shoal.check(table, model, quasi_identifiers="q", sensitive="s"))
        below = Closeness(Fraction(1, 6) - Fraction(1, 10**9), distance="ordered")
        assert not all(v.holds for v in shoal.check(table, below, quasi_identifiers="q", sensitive="s"))


def group(values):
    return Group([{"s": value} for value in values], ["s"])


@given(st.lists(st.sampled_from(SPELLINGS), min_size=1, max_size=6), st.sampled_from([0, "0.1", "0.25", "0.5"]))
@settings(max_examples=100, deadline=None)
def test_the_second_verifier_agrees(values, t):
    table = values + SPELLINGS[:3]
    labels = list(dict.fromkeys(table))
    overall = {"s": Overall(tuple(labels), np.array([table.count(label) for label in labels]))}
    classes = Classes(
        np.array([len(values)]), overall, lambda name: np.array([[values.count(label) for label in labels]])
    )
    verdict = Closeness(Fraction(t), distance="ordered").satisfied(classes)[0]
    model = {"t": t, "distance": "ordered"}
    assert second_opinion(model, group(values), "s", group(table)) == verdict


def test_numbers_beyond_all_measure_are_put_in_order_at_once():
    labels = ["1e999999999", "7", "-1e999999999", "1e-999999999", "0"]
    with stopwatch() as watch:
        model = Closeness(0.5, distance="ordered")
        found = [distance(model, labels, [int(at == one) for at in range(5)], [1] * 5) for one in (2, 4, 3, 1, 0)]
    assert all(abs(one) < abs(two) for one, two in pairwise(found[2:]))
    assert found[0] == found[-1] == pytest.approx(0.5)
    assert watch.seconds < 5
