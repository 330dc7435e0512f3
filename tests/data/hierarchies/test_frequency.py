from __future__ import annotations

import heapq
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from hierarchies.trees import refusal
from shoal import Hierarchy


def test_the_rarest_are_grouped_first():
    tree = Hierarchy.by_frequency({"cold": 90, "flu": 40, "mumps": 4, "rabies": 1})
    assert tree.path("rabies") == ("rabies", "mumps | rabies", "flu | mumps | rabies", "*")
    assert tree.path("flu") == ("flu", "flu | mumps | rabies", "*")
    assert tree.path("cold") == ("cold", "*")


def test_another_fanout_fills_the_last_join():
    tree = Hierarchy.by_frequency({"a": 8, "b": 4, "c": 2, "d": 1}, fanout=3)
    assert tree.path("d") == ("d", "c | d", "*")
    assert tree.path("b") == ("b", "*")


def test_a_group_of_more_than_four_is_not_spelled_out():
    tree = Hierarchy.by_frequency({"z": 100} | dict.fromkeys("abcde", 1))
    assert tree.path("e")[-2:] == ("a | … | e (5 values)", "*")
    assert tree.path("z") == ("z", "*")


def test_one_value_stands_under_the_root():
    assert Hierarchy.by_frequency({"a": 3}) == Hierarchy.flat(["a"])


def test_ties_go_by_name_and_not_by_the_order_of_the_counts():
    counts = dict.fromkeys("abcdefg", 1)
    assert Hierarchy.by_frequency(counts) == Hierarchy.by_frequency(dict(reversed(counts.items())))


def test_values_are_named_as_in_a_table_and_their_counts_added():
    tree = Hierarchy.by_frequency({39: 5, "39": 5, 40.0: 9, "41": 1, None: 100})
    assert set(tree.leaves) == {"39", "40", "41"}
    assert tree.path("39") == ("39", "*")


def test_counts_may_come_from_a_counter():
    assert Hierarchy.by_frequency(Counter("aaabbc")).path("c") == ("c", "b | c", "*")


def test_values_that_look_like_groups_change_nothing():
    tree = Hierarchy.by_frequency({"a | b": 9, "a": 1, "b": 1})
    assert tree.path("a") == ("a", "a | b", "*")
    assert tree.path("a | b") == ("a | b", "*")


@given(st.lists(st.integers(0, 50), min_size=2, max_size=30), st.integers(2, 5))
def test_no_tree_of_this_fanout_has_a_smaller_mean_depth(counts, fanout):
    named = {f"v{place}": count for place, count in enumerate(counts)}
    tree = Hierarchy.by_frequency(named, fanout=fanout)
    assert set(tree.leaves) == set(named)
    assert max((tree.parents == node).sum() for node in range(len(tree.labels))) <= fanout
    depths = tree.depths[tree.leaf_nodes].tolist()
    heap = counts + [0] * (-(len(counts) - 1) % (fanout - 1))
    heapq.heapify(heap)
    best = 0
    while len(heap) > 1:
        joined = sum(heapq.heappop(heap) for _ in range(fanout))
        best += joined
        heapq.heappush(heap, joined)
    assert sum(named[value] * depth for value, depth in zip(tree.leaves, depths, strict=True)) == best


@pytest.mark.parametrize("fanout", [1, 0, -2])
def test_a_fanout_below_two_is_refused(fanout):
    assert refusal(Hierarchy.by_frequency, {"a": 1}, fanout=fanout) == (
        f"The fanout {fanout} is too small: a group needs at least 2 members."
    )


def test_no_values_are_refused():
    assert refusal(Hierarchy.by_frequency, {}) == "A hierarchy needs at least one value, and none was given."
