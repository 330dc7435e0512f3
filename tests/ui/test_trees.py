"""Edits of trees: what each does, what it refuses, and that no sequence of them loses a value."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import shoal
from shoal.ui.trees import edits as trees
from shoal.ui.trees.edits import children_of
from shoal.ui.trees.facts import rows_of

SCHOOLS = shoal.Hierarchy.from_nested(
    {"Higher": ["BSc", "MSc"], "School": {"Upper": ["11th"], "Lower": ["1st", "2nd"]}}
)


def node(tree: shoal.Hierarchy, label: str) -> int:
    return tree.labels.index(label)


def nodes(tree: shoal.Hierarchy, *labels: str) -> list[int]:
    return [node(tree, label) for label in labels]


def test_a_group_is_renamed_and_nothing_else_changes() -> None:
    renamed = trees.rename(SCHOOLS, node(SCHOOLS, "Higher"), label=" Degrees ", values={"BSc"})
    assert renamed.path("MSc") == ("MSc", "Degrees", "*")
    assert renamed.leaves == SCHOOLS.leaves


def test_a_value_of_the_table_keeps_its_name_and_another_leaf_does_not() -> None:
    with pytest.raises(shoal.InputError, match="'BSc' is a value of the table and keeps its name"):
        trees.rename(SCHOOLS, node(SCHOOLS, "BSc"), label="Bachelor", values={"BSc"})
    assert "Bachelor" in trees.rename(SCHOOLS, node(SCHOOLS, "BSc"), label="Bachelor", values={"MSc"}).leaves


@pytest.mark.parametrize(
    ("label", "sentence"), [(" ", "name is empty"), ("a\tb", "tab or a line break"), ("a\nb", "tab")]
)
def test_a_name_that_no_file_could_hold_is_refused(label: str, sentence: str) -> None:
    with pytest.raises(shoal.InputError, match=sentence):
        trees.rename(SCHOOLS, 0, label=label)


def test_renaming_to_another_value_would_make_a_leaf_twice() -> None:
    with pytest.raises(shoal.HierarchyError, match="'MSc' is a leaf twice"):
        trees.rename(SCHOOLS, node(SCHOOLS, "BSc"), label="MSc")


def test_moved_nodes_take_what_is_below_them_and_emptied_groups_go() -> None:
    moved = trees.move(SCHOOLS, nodes(SCHOOLS, "Lower", "Upper"), under=node(SCHOOLS, "Higher"))
    assert moved.path("1st") == ("1st", "Lower", "Higher", "*")
    assert "School" not in moved.labels
    assert set(moved.leaves) == set(SCHOOLS.leaves)


def test_moved_nodes_stand_among_the_others_in_their_old_order() -> None:
    tree = shoal.Hierarchy.from_nested({"a": ["1", "2"], "b": ["3", "4"]})
    assert trees.move(tree, nodes(tree, "2"), under=node(tree, "b")).leaves == ("1", "2", "3", "4")
    assert trees.move(tree, nodes(tree, "3"), under=node(tree, "a")).leaves == ("1", "2", "3", "4")


@pytest.mark.parametrize(
    ("chosen", "under", "sentence"),
    [
        (["School"], "Lower", "'School' cannot be moved under itself"),
        (["School"], "School", "'School' cannot be moved under itself"),
        (["Higher"], "1st", "'1st' is a value, not a group"),
        (["BSc", "MSc"], "Higher", "under 'Higher' already"),
        (["*"], "Higher", "'\\*' covers every value and stays on top"),
        ([], "Higher", "Nothing is chosen"),
    ],
)
def test_a_move_that_makes_no_tree_is_refused(chosen: list[str], under: str, sentence: str) -> None:
    with pytest.raises(shoal.InputError, match=sentence):
        trees.move(SCHOOLS, nodes(SCHOOLS, *chosen), under=node(SCHOOLS, under))


def test_siblings_are_grouped_where_the_first_of_them_stood() -> None:
    tree = shoal.Hierarchy.flat(["a", "b", "c", "d"])
    grouped = trees.group(tree, nodes(tree, "b", "d"), label="even")
    assert grouped.leaves == ("a", "b", "d", "c")
    assert grouped.path("d") == ("d", "even", "*")


def test_nodes_of_several_groups_are_grouped_under_what_holds_them_all() -> None:
    grouped = trees.group(SCHOOLS, nodes(SCHOOLS, "11th", "2nd"), label="Some")
    assert grouped.path("2nd") == ("2nd", "Some", "School", "*")
    assert "Upper" not in grouped.labels  # it was left empty


def test_what_lies_under_a_chosen_node_goes_with_it() -> None:
    grouped = trees.group(SCHOOLS, nodes(SCHOOLS, "Lower", "1st"), label="Early")
    assert grouped.path("1st") == ("1st", "Lower", "Early", "School", "*")


def test_a_dissolved_group_leaves_its_members_in_its_place() -> None:
    flat = trees.dissolve(SCHOOLS, nodes(SCHOOLS, "School", "Lower", "Upper", "Higher"))
    assert flat == shoal.Hierarchy.flat(SCHOOLS.leaves)
    with pytest.raises(shoal.InputError, match="cannot be dissolved"):
        trees.dissolve(SCHOOLS, [0])
    with pytest.raises(shoal.InputError, match="'BSc' is a value"):
        trees.dissolve(SCHOOLS, nodes(SCHOOLS, "BSc"))


def test_missing_values_are_added_under_the_root_or_a_group() -> None:
    assert trees.add(SCHOOLS, ["PhD", "BSc"]).path("PhD") == ("PhD", "*")
    assert trees.add(SCHOOLS, ["PhD"], under=node(SCHOOLS, "Higher")).path("PhD") == ("PhD", "Higher", "*")
    with pytest.raises(shoal.InputError, match="nothing to add"):
        trees.add(SCHOOLS, ["BSc"])
    with pytest.raises(shoal.InputError, match="'MSc' is a value"):
        trees.add(SCHOOLS, ["PhD"], under=node(SCHOOLS, "MSc"))


def test_a_tree_of_one_value_keeps_it() -> None:
    assert trees.add(shoal.Hierarchy.from_parents(["only"], [-1]), ["next"]).leaves == ("only", "next")


def test_leaves_without_rows_are_removed_with_the_groups_that_they_leave_empty() -> None:
    smaller = trees.remove(SCHOOLS, ["11th", "1st"], values={"BSc", "MSc", "2nd"})
    assert smaller.leaves == ("BSc", "MSc", "2nd")
    assert "Upper" not in smaller.labels
    with pytest.raises(shoal.InputError, match="Rows of the table have the value 'BSc'"):
        trees.remove(SCHOOLS, ["BSc"], values={"BSc"})
    with pytest.raises(shoal.InputError, match="No value would be left"):
        trees.remove(SCHOOLS, SCHOOLS.leaves, values=())


def edited(tree: shoal.Hierarchy, kind: str, chosen: list[int], counts: dict[str, int], name: str) -> shoal.Hierarchy:
    """One edit with nodes that are in the tree."""
    places = [place % len(tree.labels) for place in chosen]
    if kind == "rename":
        return trees.rename(tree, places[0], label=name, values=counts)
    if kind == "move":
        return trees.move(tree, places[1:], under=places[0])
    if kind == "group":
        return trees.group(tree, places, label=name)
    if kind == "dissolve":
        return trees.dissolve(tree, places)
    if kind == "add":
        return trees.add(tree, counts, under=places[0])
    return trees.remove(tree, [leaf for leaf in tree.leaves if leaf not in counts], values=counts)


@st.composite
def trees_with_rows(draw: st.DrawFn) -> tuple[shoal.Hierarchy, dict[str, int]]:
    """A tree with labels that tell leaves (v) and groups (g) apart, and rows for some leaves and for other values."""
    size = draw(st.integers(2, 14))
    parents = [-1, *(draw(st.integers(0, place - 1)) for place in range(1, size))]
    labels = [f"{'g' if place in parents else 'v'}{place}" for place in range(size)]
    tree = shoal.Hierarchy.from_parents(labels, parents)
    had = draw(st.lists(st.sampled_from([*tree.leaves, "w1", "w2"]), unique=True))
    return tree, {value: draw(st.integers(1, 9)) for value in had}


KINDS = st.sampled_from(["rename", "move", "group", "dissolve", "add", "remove"])
EDITS = st.lists(st.tuples(KINDS, st.lists(st.integers(0, 40), min_size=2, max_size=4)), max_size=12)


@given(trees_with_rows(), EDITS)
def test_no_sequence_of_edits_loses_a_value_or_a_row(start: tuple[shoal.Hierarchy, dict[str, int]], edits: Any) -> None:
    tree, counts = start
    for number, (kind, chosen) in enumerate(edits):
        known = {value for value in counts if value in tree.codes}
        try:
            # A leaf that is no value of the table may be renamed too, so a new name begins with neither v nor g.
            tree = edited(tree, kind, chosen, counts, f"n{number}")
        except shoal.InputError:
            continue
        assert known <= set(tree.leaves)
        assert not any(label.startswith("g") for label in tree.leaves), "a group has become a value"
        rows = rows_of(tree, counts)
        assert rows[0] == sum(counts[value] for value in counts if value in tree.codes)
        for place, below in enumerate(children_of(tree)):
            assert not below or rows[place] == rows[below].sum()
        assert np.array_equal(np.sort(tree.leaf_nodes), np.flatnonzero([not below for below in children_of(tree)]))
