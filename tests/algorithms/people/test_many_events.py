"""People with very many events, strata of very many slots, and blocks."""

from __future__ import annotations

import time

import numpy as np
import pytest

from bag_tables import ANY, events, loss, shared
from shoal import InfeasibleError
from shoal.algorithms.people import grouping
from shoal.algorithms.people.bags import group_bags


def random_events(numbers, seed=1):
    random = np.random.RandomState(seed)
    rows = [
        (person, int(random.randint(1, 25)), "ABCDEFGH"[random.randint(8)], person % 7)
        for person, number in enumerate(numbers)
        for _ in range(number)
    ]
    return events(rows, "month", "ward", "age")


def check(table, owners, made, k):
    counted = shared(table, owners, made)
    assert min(counted.values()) >= k
    return len(counted)


def test_one_person_of_5000_events_drops_most_of_them():
    numbers = [5000] + [1 + person % 5 for person in range(200)]
    table, owners = random_events(numbers)
    start = time.process_time()
    made = group_bags(table, owners, k=5, max_dropped=ANY)
    assert time.process_time() - start < 20
    assert check(table, owners, made, 5) == 201
    assert 4995 <= made.dropped <= 5200
    with pytest.raises(InfeasibleError, match=r"^At least 4995 of 5600 rows must be dropped"):
        group_bags(table, owners, k=5, max_dropped=4994)


def test_many_slots_are_matched_in_parts():
    table, owners = random_events([600, 600, 610, 640, 700, 650])
    made = group_bags(table, owners, k=3, max_dropped=1000)
    assert check(table, owners, made, 3) == 6
    assert loss(table, made) < 0.6


def test_blocks_cost_little(monkeypatch):
    table, owners = random_events([3] * 400)
    whole = group_bags(table, owners, k=4, max_dropped=0)
    monkeypatch.setattr(grouping, "BLOCK", 50)
    blocks = group_bags(table, owners, k=4, max_dropped=0)
    assert check(table, owners, blocks, 4) == 400
    assert loss(table, whole) <= loss(table, blocks) < 1.15 * loss(table, whole)


def test_groups_grown_anew_cost_less(monkeypatch):
    table, owners = random_events([3] * 300)
    found = loss(table, group_bags(table, owners, k=4, max_dropped=0))
    monkeypatch.setattr(grouping, "STEPS", (0, 0))
    assert found < 0.97 * loss(table, group_bags(table, owners, k=4, max_dropped=0))


def test_a_small_stratum_is_lowered_if_that_costs_less():
    numbers = [4] * 200 + [5] * 4
    table, owners = random_events(numbers)
    assert group_bags(table, owners, k=4, max_dropped=0).dropped == 0
    free = group_bags(table, owners, k=4, max_dropped=ANY)
    assert free.dropped == 4
    assert loss(table, free) < loss(table, group_bags(table, owners, k=4, max_dropped=3))


def test_progress_rises_to_the_end():
    table, owners = random_events([1, 2, 3] * 30)
    shares = []
    group_bags(table, owners, k=3, max_dropped=0, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
