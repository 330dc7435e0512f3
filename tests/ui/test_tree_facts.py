"""Problems of trees, named with values and rows, and the table of levels."""

from __future__ import annotations

import shoal
from shoal.ui.trees.facts import levels_of, problems_of, rows_of

TREE = shoal.Hierarchy.from_nested({"Higher": ["BSc", "MSc"], "School": ["11th"]})


def kinds(tree: shoal.Hierarchy, counts: dict[str, int]) -> dict[str, str]:
    return {problem.kind: problem.sentence for problem in problems_of(tree, counts)}


def test_rows_of_each_node_add_up() -> None:
    rows = dict(zip(TREE.labels, rows_of(TREE, {"BSc": 5, "11th": 2, "PhD": 9}).tolist(), strict=True))
    assert rows == {"*": 7, "Higher": 5, "BSc": 5, "MSc": 0, "School": 2, "11th": 2}


def test_values_that_the_tree_does_not_know_are_counted_and_named() -> None:
    [problem] = [one for one in problems_of(TREE, {"BSc": 1, "PhD": 9, "None": 2}) if one.serious]
    assert problem.sentence.startswith("The tree lacks 2 values of the table (11 rows): 'PhD', 'None'.")
    assert problem.values == ("PhD", "None")


def test_only_the_first_few_values_are_named() -> None:
    many = {f"x{number}": 1 for number in range(8)}
    assert "'x4' and 3 more." in kinds(TREE, many)["unknown"]


def test_leaves_without_rows_lone_groups_and_labels_that_stand_twice() -> None:
    found = kinds(TREE, {"BSc": 1, "11th": 1})
    assert found["unused"].startswith("1 value of the tree is in no row: 'MSc'")
    assert found["lone"].startswith("1 group with only one member: 'School'")
    twice = shoal.Hierarchy.from_parents(["*", "a", "a", "b"], [-1, 0, 1, 0])
    assert "several times: 'a'" in kinds(twice, {"a": 1, "b": 1})["twice"]


def test_uneven_depth_is_only_a_note() -> None:
    uneven = shoal.Hierarchy.from_nested({"Higher": ["BSc", "MSc"], "School": {"Upper": ["11th", "12th"]}})
    [note] = [one for one in problems_of(uneven, dict.fromkeys(uneven.leaves, 1)) if one.kind == "uneven"]
    assert not note.serious
    assert "2 to 3 levels below the top" in note.sentence


def test_a_good_tree_has_no_problems() -> None:
    tree = shoal.Hierarchy.from_nested({"a": ["1", "2"], "b": ["3", "4"]})
    assert problems_of(tree, {"1": 1, "2": 1, "3": 1, "4": 1}) == []


def test_levels_show_the_most_frequent_and_the_rarest_values() -> None:
    tree = shoal.Hierarchy.intervals(range(20), widths=[5])
    levels = levels_of(tree, {str(number): 100 - number for number in range(20)}, max_values=4)
    assert [row[0] for row in levels.rows] == ["0", "1", "18", "19"]
    assert levels.rows[0] == ["0", "0-4", "*"]
    assert levels.labels == [20, 4, 1]


def test_the_top_fills_the_levels_of_a_value_that_is_less_deep() -> None:
    uneven = shoal.Hierarchy.from_parents(["*", "g", "a", "b"], [-1, 0, 1, 0])
    assert levels_of(uneven, {"a": 1, "b": 1}).rows == [["a", "g", "*"], ["b", "*", "*"]]
