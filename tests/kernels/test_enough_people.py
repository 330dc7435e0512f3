"""Whether both sides of cuts have enough people, and whose rows differ, against the definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from oracles import people as oracle
from shoal.data.rows import group_rows
from shoal.kernels.mondrian import Cuts, Partitions
from shoal.kernels.people.cut_sides import MAX_UNSORTED_CUTS, enough_people, surely_enough
from shoal.kernels.people.holders import BITS, holders_of, rows_beside, rows_held
from shoal.kernels.people.varying import several_values


def prepared(codes, units, halves):
    """The different rows in two partitions, in an order of their own, with the people who have them."""
    place, firsts = group_rows(list(codes.T), [int(codes.max()) + 1] * codes.shape[1], len(codes))
    side = halves[: firsts.size] if halves.size else np.zeros(firsts.size, np.int64)
    order = np.argsort(side[::-1], kind="stable")
    middle = int((side == 0).sum())
    bounds = [(0, middle), (middle, firsts.size)] if 0 < middle < firsts.size else [(0, firsts.size)]
    starts, ends = np.array(bounds).T
    weights = np.bincount(place).astype(np.int64)
    partitions = Partitions(np.ascontiguousarray(codes[firsts]), weights, order, starts.copy(), ends.copy())
    return partitions, holders_of(place, units, firsts.size), place


def cuts_of(chosen):
    """Cuts of (partition, attribute, low, high), grouped by partition and attribute."""
    columns = np.array(sorted(chosen, key=lambda cut: cut[:2]), np.int64).reshape(-1, 4).T
    none = np.zeros(columns.shape[1], np.int64)
    return Cuts(*columns, none, none, none, none)


def sides(partitions, place, cuts):
    """The rows of the table on the left of each cut, and those on the right."""
    found = []
    for p, j, low, high in zip(cuts.partition, cuts.attribute, cuts.low, cuts.high, strict=True):
        rows = [
            r for i in partitions.order[partitions.starts[p] : partitions.ends[p]] for r in np.flatnonzero(place == i)
        ]
        inside = [low <= partitions.codes[place[r], j] <= high for r in rows]
        left = [r for r, here in zip(rows, inside, strict=True) if here]
        found.append((left, [r for r, here in zip(rows, inside, strict=True) if not here]))
    return found


@st.composite
def cases(draw):
    """Rows of a few people or of many, cut at a few places or at many."""
    people = draw(st.sampled_from([2, 6, BITS + 40]))
    rows = draw(st.integers(2, 40 if people <= BITS else 400))
    width, highest = draw(st.integers(1, 3)), draw(st.sampled_from([1, 4, 30]))
    random = np.random.RandomState(draw(st.integers(0, 2**32 - 1)))
    codes = random.randint(0, highest + 1, (rows, width)).astype(np.int32)
    units = random.randint(0, people, rows).astype(np.int32)
    halves = random.randint(0, 2, rows) if draw(st.booleans()) else np.zeros(0, np.int64)
    partitions, holders, place = prepared(codes, units, halves)
    ends = [np.sort(random.randint(0, highest + 1, 2)) for _ in range(draw(st.integers(1, 3 * MAX_UNSORTED_CUTS)))]
    ends += [(0, high) for high in range(highest)] + [(low, highest) for low in range(1, highest + 1)]
    chosen = [
        (random.randint(partitions.starts.size), random.randint(width), *ends[i]) for i in random.permutation(len(ends))
    ]
    return partitions, holders, place, units, cuts_of(chosen), draw(st.integers(1, people + 1))


@given(cases())
@settings(max_examples=400, deadline=None)
def test_enough_people_on_both_sides(case):
    partitions, holders, place, units, cuts, least = case
    expected = [
        all(oracle.number([(int(units[r]), None) for r in side]) >= least for side in both)
        for both in sides(partitions, place, cuts)
    ]
    assert enough_people(partitions, holders, cuts, least).tolist() == expected
    surely = surely_enough(partitions, holders, cuts, least)
    assert not (surely & ~np.array(expected)).any()
    large = (partitions.ends - partitions.starts)[cuts.partition] > BITS
    assert (surely == expected)[large].all()
    assert not holders.seen.any()


@given(cases())
@settings(max_examples=100, deadline=None)
def test_rows_on_both_sides(case):
    partitions, holders, place, units, cuts, _ = case
    ids, rows = rows_beside(partitions, holders, cuts)
    for cut, both in enumerate(sides(partitions, place, cuts)):
        for number, expected in zip((cut, cuts.low.size + cut), both, strict=True):
            assert sorted(rows[ids == number].tolist()) == sorted(expected)
    held = [
        sum(int((place == i).sum()) for i in partitions.order[a:b])
        for a, b in zip(partitions.starts, partitions.ends, strict=True)
    ]
    assert rows_held(partitions, holders).tolist() == held
    assert all(
        sorted(holders.people[a:b].tolist()) == sorted(units[place == i].tolist())
        for i, (a, b) in enumerate(zip(holders.starts, holders.ends, strict=True))
    )


@pytest.mark.parametrize("again", [1, 6])  # a few cuts are counted by themselves, more of them together
def test_months_of_four_people(again):
    units = np.array([0, 0, 1, 1, 2, 3, 3], np.int32)
    codes = np.array([[1], [2], [2], [3], [3], [1], [4]], np.int32) - 1
    partitions, holders, _ = prepared(codes, units, np.zeros(0, np.int64))
    cuts = cuts_of([(0, 0, 0, high) for high in range(3)] * again)
    assert (cuts.low.size > MAX_UNSORTED_CUTS) == (again > 1)
    people = {0: (2, 4), 1: (3, 3), 2: (4, 1)}
    for least in (1, 2, 3, 4, 5):
        expected = [min(people[high]) >= least for high in cuts.high.tolist()]
        assert enough_people(partitions, holders, cuts, least).tolist() == expected


def test_marks_that_people_share_do_not_make_more_of_them():
    units = np.array([0, BITS, 2 * BITS, 1], np.int32)  # the first three have the same mark
    partitions, holders, _ = prepared(np.array([[0], [1], [2], [3]], np.int32), units, np.zeros(0, np.int64))
    assert holders.marks.tolist() == [1, 1, 1, 2]
    cuts = cuts_of([(0, 0, 0, 1), (0, 0, 0, 2)])
    assert enough_people(partitions, holders, cuts, 2).tolist() == [True, False]
    assert surely_enough(partitions, holders, cuts, 2).tolist() == [False, False]


@given(st.integers(1, 30), st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_people_with_several_values(rows, width, people, seed):
    random = np.random.RandomState(seed)
    codes, units = (
        random.randint(0, 3, (rows, width)).astype(np.int32),
        random.randint(0, people, rows).astype(np.int32),
    )
    expected = [sum(len(set(codes[units == person, j].tolist())) > 1 for person in range(people)) for j in range(width)]
    assert several_values(codes, units, people).tolist() == expected
