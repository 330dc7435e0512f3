"""Matching and costs of slots against literal versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from oracles.bags import cheapest_match
from shoal.algorithms.cost_arrays import space_of
from shoal.algorithms.people.grouping import group_stratum
from shoal.algorithms.people.people import People
from shoal.algorithms.people.strata import Stratum
from shoal.data.domain import SetDomain
from shoal.data.recoding import Recoding
from shoal.kernels.people import cells
from shoal.kernels.people.matching import match, scratch
from shoal.metrics import METRICS
from strategies import domains, tables


@given(data=st.data(), slots=st.integers(1, 4), more=st.integers(0, 2))
@settings(max_examples=300, deadline=None)
def test_matching_is_the_cheapest_of_all(data, slots, more):
    line = st.lists(st.integers(0, 9), min_size=slots + more, max_size=slots + more)
    costs = np.array(data.draw(st.lists(line, min_size=slots, max_size=slots)), np.int64)
    room = scratch(6, 9)
    for _ in range(2):  # the room is used again
        total = match(costs, slots, slots + more, room)
        given_to = room.slot_of[1 : slots + more + 1] - 1
        assert sorted(given_to[given_to >= 0].tolist()) == list(range(slots))
        assert sum(costs[slot, event] for event, slot in enumerate(given_to) if slot >= 0) == total
        assert total == cheapest_match(costs.tolist())


@given(domain=domains(), data=st.data())
@settings(max_examples=300, deadline=None)
def test_a_cell_costs_its_loss(domain, data):
    codes = np.array(data.draw(st.lists(st.integers(0, len(domain) - 1), min_size=1, max_size=6)), np.int32)
    space = space_of([domain], exact=100)
    values = cells.values_of(space, codes[:, None])[:, 0]
    low, high = cells.begin(space, 0, values[0])
    for value in values[1:]:
        low, high = cells.join(space, 0, low, high, value)
    expected = domain.loss(domain.join(codes, np.zeros(codes.size, np.int32), 1))[0]
    assert cells.cost(space, 0, low, high) / space.full[0] == pytest.approx(expected)


@pytest.mark.parametrize("codes", [[5], [5, 6], [0, 62], [1, 64, 199]])
def test_sets_of_many_values_cost_about_their_loss(codes):
    domain = SetDomain(tuple(f"v{i:03}" for i in range(200)))
    space = space_of([domain], exact=100)
    values = cells.values_of(space, np.array(codes, np.int32)[:, None])[:, 0]
    low, high = cells.begin(space, 0, values[0])
    for value in values[1:]:
        low, high = cells.join(space, 0, low, high, value)
    alike = len({code % 63 for code in codes})
    assert cells.cost(space, 0, low, high) / space.full[0] == pytest.approx((alike - 1) / 199)


@given(table=tables(max_rows=40), events=st.integers(1, 4), k=st.integers(1, 5))
@settings(max_examples=200, deadline=None)
def test_what_a_stratum_costs_is_the_loss_of_its_rows(table, events, k):
    owners = np.arange(len(table.weights)) // events
    people = People.of(table, owners)
    space = space_of(people.table.domains, exact=table.codes.size)
    stratum = Stratum(events, np.flatnonzero(people.events == events))
    if stratum.people.size < k:
        return
    grouped = group_stratum(people, space, stratum, k=k, seed=1)
    assert np.bincount(grouped.home).min() >= k
    person = np.repeat(np.arange(stratum.people.size), events)
    ids = (grouped.home[person] * events + grouped.slot).astype(np.int32)
    part = people.table.some(grouped.rows)
    loss = METRICS["loss"](part, Recoding.of_groups(part, ids))
    assert grouped.cost / int(space.full[0]) == pytest.approx(loss * part.codes.size)
