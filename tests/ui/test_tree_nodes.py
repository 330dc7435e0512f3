"""The drawn part of a tree stays small, whatever the size of the tree."""

from __future__ import annotations

import json
from typing import Any

import shoal
from pace import stopwatch
from shoal.ui.trees.facts import rows_of
from shoal.ui.trees.nodes import MAX_NODES, STEP, TreeNodes


def nodes_of(tree: shoal.Hierarchy, counts: dict[str, int] | None = None) -> TreeNodes:
    return TreeNodes(tree, rows_of(tree, counts or dict.fromkeys(tree.leaves, 1)))


def all_of(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for node in nodes for one in (node, *all_of(node.get("children", [])))]


def test_labels_come_with_values_and_rows() -> None:
    tree = shoal.Hierarchy.from_nested({"a": ["1", "2"], "b": ["3"]})
    [root] = nodes_of(tree, {"1": 2000, "3": 1}).drawn(opened={0, 1}, shown={})
    assert (root["label"], root["facts"]) == ("*", "3 values · 2,001 rows")
    a, b = root["children"]
    assert [(child["label"], child["facts"], child["empty"]) for child in a["children"]] == [
        ("1", "2,000 rows", False),
        ("2", "0 rows", True),
    ]
    assert b["children"][0]["id"] == "closed:4"  # closed, but it can be opened


def test_ten_thousand_leaves_are_drawn_in_parts() -> None:
    tree = shoal.Hierarchy.flat(range(10_000))
    nodes = nodes_of(tree)
    with stopwatch() as watch:
        [root] = nodes.drawn(opened={0}, shown={})
    assert watch.seconds < 0.5
    assert len(root["children"]) == STEP + 1
    assert root["children"][-1]["label"] == "… 9,800 more"
    assert len(json.dumps(root)) < 40_000
    [root] = nodes.drawn(opened={0}, shown={0: 2 * STEP})
    assert root["children"][-1]["label"] == "… 9,600 more"


def test_all_opened_groups_together_stay_below_a_bound() -> None:
    tree = shoal.Hierarchy.prefix([f"{number:04}" for number in range(10_000)])
    drawn = all_of(nodes_of(tree).drawn(opened=range(len(tree.labels)), shown={}))
    assert len([one for one in drawn if isinstance(one["id"], int)]) <= MAX_NODES + 1


def test_the_filter_finds_values_with_their_groups() -> None:
    tree = shoal.Hierarchy.prefix([f"{number:04}" for number in range(10_000)])
    [root], way, rest = nodes_of(tree).found("0777", opened=set(), shown={})
    labels = [one["label"] for one in all_of([root])]
    assert labels == ["****", "0***", "07**", "077*", "0777"]
    assert [tree.labels[node] for node in way] == labels[:-1]
    assert rest == 0


def test_the_filter_says_how_many_it_does_not_draw() -> None:
    _, _, rest = nodes_of(shoal.Hierarchy.flat(range(1_000))).found("1", opened=set(), shown={})
    assert rest == 271 - STEP


def test_a_filter_without_hits_leaves_the_root_alone() -> None:
    [root], way, _ = nodes_of(shoal.Hierarchy.flat(["a", "b"])).found("x", opened={0}, shown={})
    assert "children" not in root
    assert way == []


def test_a_group_that_was_found_can_be_opened() -> None:
    tree = shoal.Hierarchy.from_nested({"Higher": ["BSc", "MSc"], "School": ["11th", "12th"]})
    closed, _, _ = nodes_of(tree).found("high", opened={0}, shown={})
    opened, _, _ = nodes_of(tree).found("high", opened={0, tree.labels.index("Higher")}, shown={})
    assert [one["label"] for one in all_of(closed)] == ["*", "Higher", "…"]
    assert [one["label"] for one in all_of(opened)] == ["*", "Higher", "BSc", "MSc"]


def test_a_chain_of_a_thousand_groups_can_be_sent() -> None:
    deep = shoal.Hierarchy.from_parents([f"n{depth}" for depth in range(1_000)], list(range(-1, 999)))
    nodes = nodes_of(deep)
    assert len(all_of(nodes.drawn(opened=range(1_000), shown={}))) < 60
    assert len(all_of(nodes.found("n999", opened=set(), shown={})[0])) < 60
