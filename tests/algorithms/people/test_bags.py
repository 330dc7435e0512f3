"""Groups of people who release the same multiset of rows: known tables, the best of all groupings, any table."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from bag_tables import ANY, events, groups, loss, people, shared
from oracles.bags import fewest_dropped, labels_of, least_loss, profiles
from shoal import InfeasibleError, InputError
from shoal.algorithms.people.bags import group_bags
from strategies import tables

# Vectors


VISITS = [("a", 1, "W1"), ("a", 2, "W2"), ("b", 1, "W2"), ("b", 2, "W1"), ("c", 5, "W1"), ("d", 5, "W1")]


def test_events_are_matched_not_taken_in_order():
    table, owners = events(VISITS, "month", "ward")
    made = group_bags(table, owners, k=2, max_dropped=0)
    assert groups(made) == {frozenset({0, 1}), frozenset({2, 3})}
    assert Fraction(loss(table, made)).limit_denominator(1000) == Fraction(1, 12)
    labels = labels_of(table, made.recoding(table))
    assert sorted(labels[:2]) == sorted(labels[2:4]) == [("1-2", "W1"), ("1-2", "W2")]
    assert labels[4:] == [("5", "W1")] * 2


def test_an_event_is_dropped_before_a_person_is():
    table, owners = events([("a", 1), ("a", 5), ("b", 1), ("b", 5), ("e", 1), ("e", 3), ("e", 5)], "month")
    made = group_bags(table, owners, k=3, max_dropped=1)
    assert np.flatnonzero(made.slots < 0).tolist() == [5]
    assert made.dropped == 1
    assert labels_of(table, made.recoding(table)) == [("1",), ("5",), ("1",), ("5",), ("1",), None, ("5",)]
    assert Fraction(loss(table, made)).limit_denominator(1000) == Fraction(1, 7)
    with pytest.raises(InfeasibleError) as refusal:
        group_bags(table, owners, k=3, max_dropped=0)
    assert str(refusal.value) == (
        "At least 1 of 7 rows must be dropped so that 3 people release the same, but only 0 may be: "
        "allow more, or lower k."
    )
    assert refusal.value.achievable == "1 rows dropped"


def test_profiles_are_counted_as_multisets():
    rows = ["a1V", "a5W", "b5W", "b1V", "c1W", "c5V", "d1V", "e1V", "f1V", "f1V"]
    assert profiles([row[1:] for row in rows], [row[0] for row in rows]) == {
        "a": 2,
        "b": 2,
        "c": 1,
        "d": 2,
        "e": 2,
        "f": 1,
    }


HOUSEHOLDS = [
    *(("h1", "M", 30), ("h1", "F", 28), ("h2", "F", 28), ("h2", "M", 30)),
    *(("h3", "M", 30), ("h3", "F", 30), ("h4", "F", 40), ("h4", "F", 40)),
]


@pytest.mark.parametrize(("k", "expected"), [(2, Fraction(1, 3)), (3, Fraction(17, 24)), (4, Fraction(17, 24))])
def test_households(k, expected):
    table, owners = events(HOUSEHOLDS, "sex", "age")
    made = group_bags(table, owners, k=k, max_dropped=0)
    assert groups(made) == ({frozenset({0, 1}), frozenset({2, 3})} if k == 2 else {frozenset(range(4))})
    assert Fraction(loss(table, made)).limit_denominator(1000) == expected


# Any table


@given(drawn=people(), k=st.integers(1, 4), slack=st.integers(0, 6), seed=st.integers(0, 9))
@settings(max_examples=400, deadline=None)
def test_every_released_profile_is_shared(drawn, k, slack, seed):
    table, owners = drawn
    numbers = np.unique(owners, return_counts=True)[1].tolist()
    assume(len(numbers) >= k)
    fewest, _ = fewest_dropped_fast(numbers, k)
    made = group_bags(table, owners, k=k, max_dropped=fewest + slack, seed=seed)
    assert fewest <= made.dropped <= fewest + slack
    counted = shared(table, owners, made)
    assert all(count >= k for count in counted.values())
    assert set(counted) == set(np.flatnonzero(made.groups >= 0).tolist())
    recoding = made.recoding(table)
    for domain, shown, codes in zip(table.domains, recoding.shown, table.codes.T, strict=True):
        released = recoding.ids >= 0
        again = domain.join(codes[released], recoding.ids[released], recoding.sizes.size)
        assert (domain.alike(again) == domain.alike(shown)).all()


def fewest_dropped_fast(numbers, k):
    """As the oracle, over numbers of people instead of people."""
    levels = sorted(set(numbers), reverse=True)
    states = {0: (0, 0)}
    for level, below in zip(levels, [*levels[1:], 0], strict=True):
        following = {}
        for came, (lost, gone) in states.items():
            here = came + numbers.count(level)
            for leave in range(here + 1):
                if here - leave == 0 or here - leave >= k:
                    cost = lost + leave * (level - below), gone + leave * (below == 0)
                    following[leave] = min(following.get(leave, cost), cost)
        states = following
    return min(states.values())


@given(numbers=st.lists(st.integers(1, 4), min_size=1, max_size=6), k=st.integers(1, 4))
@settings(max_examples=200, deadline=None)
def test_the_fewest_dropped_events_are_those_of_all_ways(numbers, k):
    assert fewest_dropped_fast(numbers, k) == fewest_dropped(numbers, k)


@given(drawn=people(max_rows=7, people=4), k=st.integers(1, 3), slack=st.integers(0, 2))
@settings(max_examples=150, deadline=None)
def test_no_grouping_is_better_than_the_best(drawn, k, slack):
    table, owners = drawn
    assume(np.unique(owners).size >= k)
    numbers = np.unique(owners, return_counts=True)[1].tolist()
    limit = fewest_dropped(numbers, k)[0] + slack
    found = loss(table, group_bags(table, owners, k=k, max_dropped=limit))
    best = least_loss(table, owners.tolist(), k, limit)
    assert found >= best - 1e-9
    if k == 1:
        assert found == best == 0


@given(table=tables(max_rows=8), data=st.data())
@settings(max_examples=150, deadline=None)
def test_two_people_are_matched_at_best(table, data):
    rows = len(table.weights) // 2 * 2
    assume(rows)
    table = table.some(np.arange(rows))
    owners = np.array(data.draw(st.permutations([0, 1] * (rows // 2))))
    made = group_bags(table, owners, k=2, max_dropped=0)
    assert loss(table, made) == pytest.approx(least_loss(table, owners.tolist(), 2, 0))


@given(drawn=people(max_rows=30), k=st.integers(1, 3), data=st.data())
@settings(max_examples=150, deadline=None)
def test_the_order_of_rows_and_the_numbers_of_people_do_not_matter(drawn, k, data):
    table, owners = drawn
    assume(np.unique(owners).size >= k)
    order = np.array(data.draw(st.permutations(range(owners.size))))
    numbers = np.array(data.draw(st.permutations(range(8))))
    made = group_bags(table, owners, k=k, max_dropped=ANY)
    again = group_bags(table.some(order), numbers[owners][order], k=k, max_dropped=ANY)
    first, second = (labels_of(table, one.recoding(part)) for one, part in ((made, table), (again, table.some(order))))
    assert sorted(map(str, first)) == sorted(map(str, second))
    assert sorted(shared(table, owners, made).values()) == sorted(
        profiles(second, numbers[owners][order].tolist()).values()
    )


# Refusals


def test_fewer_people_than_k_are_refused():
    table, owners = events(HOUSEHOLDS, "sex", "age")
    with pytest.raises(InfeasibleError) as refusal:
        group_bags(table, owners, k=5, max_dropped=ANY)
    assert str(refusal.value) == (
        "The table has 4 people, fewer than the 5 who are to release the same: k can be at most 4."
    )
    assert refusal.value.achievable == "k = 4"


@pytest.mark.parametrize("owners", [[0, 1], [0, 0, 1, 1, 2, 2, 3, -1]])
def test_each_row_needs_a_person(owners):
    table, _ = events(HOUSEHOLDS, "sex", "age")
    with pytest.raises(InputError, match=r"^Each of the 8 rows needs the number of its person, from 0 on\.$"):
        group_bags(table, np.array(owners), k=2, max_dropped=0)
