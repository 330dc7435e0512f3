"""Strata lose as few events, and then as few people, as the best of all ways."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from oracles.bags import fewest_dropped
from shoal.algorithms.people.strata import strata_of


def lost(numbers, strata):
    """The dropped events, those of suppressed people included, and the suppressed people."""
    released = sum(stratum.events * stratum.people.size for stratum in strata)
    return sum(numbers) - released, len(numbers) - sum(stratum.people.size for stratum in strata)


@given(numbers=st.lists(st.integers(1, 5), min_size=1, max_size=6), k=st.integers(1, 4))
@settings(max_examples=300, deadline=None)
def test_the_fewest_events_and_people_are_lost(numbers, k):
    strata = strata_of(np.array(numbers), k)
    assert lost(numbers, strata) == fewest_dropped(numbers, k)
    everyone = np.concatenate([np.zeros(0, np.int64), *(stratum.people for stratum in strata)])
    assert np.unique(everyone).size == everyone.size
    for stratum in strata:
        assert stratum.people.size >= k
        assert all(numbers[person] >= stratum.events for person in stratum.people)
    released = [stratum.events for stratum in strata]
    assert released == sorted(set(released), reverse=True)


@pytest.mark.parametrize(
    ("numbers", "k", "strata"),
    [
        ([1, 1, 2, 2], 2, {2: 2, 1: 2}),
        ([2, 2, 3], 3, {2: 3}),  # the only one with three drops one
        ([1, 2, 2, 2], 2, {2: 2, 1: 2}),  # to suppress the first would lose one row, too, and a person
        ([9, 9, 9, 8], 2, {9: 2, 8: 2}),  # one drops an event, so that another one need not be suppressed
        ([5000, 3, 3], 2, {3: 3}),
        ([1, 7, 7, 7, 7, 7], 5, {7: 5}),  # a person is suppressed where keeping them would drop thirty events
    ],
)
def test_strata_of_a_few_people(numbers, k, strata):
    assert {one.events: one.people.size for one in strata_of(np.array(numbers), k)} == strata


def test_many_different_numbers_take_no_time():
    numbers = np.arange(1, 3001)
    strata = strata_of(numbers, 100)
    assert min(stratum.people.size for stratum in strata) >= 100
    assert lost(numbers.tolist(), strata)[1] < 100
