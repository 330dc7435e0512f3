"""The tree itself: its numbering, its covers and its losses."""

from __future__ import annotations

import numpy as np
import pytest
from hierarchies.trees import refusal, trees
from hypothesis import given, settings, strategies as st

from shoal import Hierarchy
from shoal.errors import HierarchyError

# Any > a, g > (b, h > (c, d)), e
RAGGED = Hierarchy.from_parents(["Any", "a", "g", "b", "h", "c", "d", "e"], [-1, 0, 0, 2, 2, 4, 4, 0])

literal = settings(deadline=None, max_examples=60)


def children(tree, node):
    return [child for child, parent in enumerate(tree.parents.tolist()) if parent == node]


def leaves_under(tree, node):
    below = children(tree, node)
    return [leaf for child in below for leaf in leaves_under(tree, child)] if below else [node]


def node_path(tree, node):
    return [node, *node_path(tree, int(tree.parents[node]))] if node else [0]


def test_nodes_are_numbered_depth_first_whatever_their_order():
    shuffled = Hierarchy.from_parents(["d", "h", "g", "Any", "a", "b", "c", "e"], [1, 2, 3, -1, 3, 2, 1, 3])
    assert shuffled.labels == ("Any", "g", "h", "d", "c", "b", "a", "e")
    assert shuffled.parents.tolist() == [-1, 0, 1, 2, 2, 1, 0, 0]
    assert shuffled.depths.tolist() == [0, 1, 2, 3, 3, 2, 1, 1]


def test_the_leaves_of_a_node_are_consecutive():
    assert RAGGED.leaves == ("a", "b", "c", "d", "e")
    assert RAGGED.codes == {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}
    assert list(zip(RAGGED.labels, RAGGED.lows.tolist(), RAGGED.highs.tolist(), strict=True))[:5] == [
        *[("Any", 0, 4), ("a", 0, 0), ("g", 1, 3), ("b", 1, 1), ("h", 2, 3)],
    ]


def test_height_root_and_words():
    assert (RAGGED.height, RAGGED.root) == (3, "Any")
    assert repr(RAGGED) == "Hierarchy(5 values, height 3, root 'Any')"
    assert list(RAGGED.walk())[:4] == [(0, "Any", 5), (1, "a", 1), (1, "g", 3), (2, "b", 1)]


def test_the_loss_of_each_node():
    assert RAGGED.loss.tolist() == [1, 0, 2 / 4, 0, 1 / 4, 0, 0, 0]


def test_a_tree_of_one_value_loses_nothing():
    chain = Hierarchy.from_parents(["*", "g", "a"], [-1, 0, 1])
    assert chain.loss.tolist() == [0, 0, 0]
    assert Hierarchy.from_parents(["a"], [-1]).loss.tolist() == [0]


def test_going_up_past_the_root_stays_at_the_root():
    leaves = RAGGED.leaf_nodes
    assert [[RAGGED.labels[node] for node in RAGGED.ancestors(leaves, steps)] for steps in range(5)] == [
        ["a", "b", "c", "d", "e"],
        ["Any", "g", "h", "h", "Any"],
        ["Any", "Any", "g", "g", "Any"],
        ["Any", "Any", "Any", "Any", "Any"],
        ["Any", "Any", "Any", "Any", "Any"],
    ]
    assert leaves.tolist() == [1, 3, 5, 6, 7]


def test_the_cover_of_an_interval_is_the_smallest_node_over_it():
    low, high = np.array([0, 2, 1, 0, 2, 2]), np.array([0, 3, 2, 1, 4, 2])
    assert [RAGGED.labels[node] for node in RAGGED.cover(low, high)] == ["a", "h", "g", "Any", "Any", "c"]


def test_the_cover_of_one_value_is_the_value_even_in_a_group_of_its_own():
    chain = Hierarchy.from_parents(["*", "g", "a"], [-1, 0, 1])
    assert chain.cover([0], [0]).tolist() == [2]


@literal
@given(trees())
def test_leaves_are_numbered_depth_first(tree):
    assert [int(node) for node in tree.leaf_nodes] == leaves_under(tree, 0)
    assert tree.leaves == tuple(tree.labels[node] for node in leaves_under(tree, 0))
    assert [tree.codes[leaf] for leaf in tree.leaves] == list(range(len(tree.leaves)))
    assert all(parent < node for node, parent in enumerate(tree.parents.tolist()))


@literal
@given(trees())
def test_the_leaves_of_each_node_are_exactly_its_interval(tree):
    for node in range(len(tree.labels)):
        interval = tree.leaf_nodes[tree.lows[node] : tree.highs[node] + 1]
        assert interval.tolist() == leaves_under(tree, node)
        assert tree.depths[node] == len(node_path(tree, node)) - 1
        assert tree.loss[node] == (len(interval) - 1) / max(1, len(tree.leaves) - 1)
    assert tree.height == max(tree.depths)


@literal
@given(trees(), st.data())
def test_the_cover_is_the_lowest_common_ancestor(tree, data):
    codes = data.draw(st.lists(st.integers(0, len(tree.leaves) - 1), min_size=1, max_size=5))
    (cover,) = tree.cover([min(codes)], [max(codes)])
    paths = [node_path(tree, int(tree.leaf_nodes[code])) for code in codes]
    assert cover == next(node for node in paths[0] if all(node in path for path in paths))


@literal
@given(trees(), st.integers(0, 45))
def test_ancestors_follow_the_path_and_stay_at_the_root(tree, steps):
    nodes = np.arange(len(tree.labels), dtype=np.int32)
    paths = [node_path(tree, int(node)) for node in nodes]
    assert tree.ancestors(nodes, steps).tolist() == [path[min(steps, len(path) - 1)] for path in paths]


@literal
@given(trees())
def test_the_path_of_a_value_leads_to_the_root(tree):
    for value, node in zip(tree.leaves, tree.leaf_nodes.tolist(), strict=True):
        assert tree.path(value) == tuple(tree.labels[step] for step in node_path(tree, node))


@literal
@given(trees(min_nodes=2))
def test_one_more_value_stands_under_the_root_and_changes_no_other(tree):
    more = tree.with_value("a new value")
    assert more.path("a new value") == ("a new value", tree.root)
    assert more.leaves == (*tree.leaves, "a new value")
    assert [more.path(value) for value in tree.leaves] == [tree.path(value) for value in tree.leaves]


def test_a_known_value_is_not_added_but_one_named_as_a_group_is():
    assert RAGGED.with_value("c") is RAGGED
    assert RAGGED.with_value("h").path("h") == ("h", "Any")


def test_a_root_that_is_the_only_value_stays_one_when_another_is_added():
    both = Hierarchy.from_parents(["a"], [-1]).with_value("?")
    assert both.leaves == ("a", "?")
    assert both.path("a") == ("a", "a")


def test_trees_are_equal_by_labels_and_shape():
    again = Hierarchy.from_parents(list(RAGGED.labels), RAGGED.parents.tolist())
    assert again == RAGGED
    assert hash(again) == hash(RAGGED)
    assert Hierarchy.from_parents(["*", "a", "b"], [-1, 0, 0]) != Hierarchy.from_parents(["*", "a", "b"], [-1, 0, 1])
    assert Hierarchy.flat("ab") != Hierarchy.flat("ba")
    assert RAGGED != "Any"


def test_a_very_deep_tree_needs_no_recursion():
    depth = 20_000
    chain = Hierarchy.from_parents(list(map(str, range(depth))), list(range(-1, depth - 1)))
    assert chain.height == depth - 1
    assert len(chain.path(str(depth - 1))) == depth


def test_an_unknown_value_has_no_path():
    with pytest.raises(HierarchyError, match=r"^The value 'x' is not in the hierarchy\.$"):
        RAGGED.path("x")


def test_a_group_is_no_value():
    assert refusal(RAGGED.path, "g") == "The value 'g' is not in the hierarchy."


def test_a_duplicate_leaf_is_refused():
    assert refusal(Hierarchy.from_parents, ["*", "g", "a", "a"], [-1, 0, 1, 0]) == (
        "The value 'a' is a leaf twice: keep one of the two."
    )


@pytest.mark.parametrize(
    ("labels", "parents", "found"),
    [
        ([], [], "0 labels with 0 parents and 0 roots"),
        (["a", "b"], [-1, -1], "2 labels with 2 parents and 2 roots"),
        (["a", "b"], [1, 0], "2 labels with 2 parents and 0 roots"),
        (["a", "b"], [-1], "2 labels with 1 parents and 1 roots"),
        (["a", "b"], [-1, 2], "2 labels with 2 parents and 1 roots"),
    ],
)
def test_what_is_no_tree_is_refused(labels, parents, found):
    assert refusal(Hierarchy.from_parents, labels, parents) == (
        f"{found} are not a tree: give each label the position of its parent, and −1 to the one root."
    )


def test_a_cycle_beside_the_root_is_refused():
    assert refusal(Hierarchy.from_parents, ["*", "a", "b", "c"], [-1, 0, 3, 2]) == (
        "The label 'b' is not under the root: break the cycle of its parents."
    )
