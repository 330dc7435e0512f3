from __future__ import annotations

import pytest
from hypothesis import given, settings

from hierarchies.trees import (
    ANY_LABELS,
    is_read_back,
    is_read_back_or_refused,
    refusal,
    seconds_to_read_fifty_thousand,
    trees,
)
from shoal import Hierarchy

AGES = "Any\n\t[10,14)\n\t\t10\n\t\t14\n\t[15,19)\n\t\t15\n"


def test_depth_is_the_number_of_tabs(file):
    tree = Hierarchy.from_tab_tree(file(AGES))
    assert tree.labels == ("Any", "[10,14)", "10", "14", "[15,19)", "15")
    assert tree.parents.tolist() == [-1, 0, 1, 1, 0, 4]
    assert tree.path("14") == ("14", "[10,14)", "Any")


@pytest.mark.parametrize(
    "content",
    [
        AGES.replace("\n", "\r\n"),
        AGES.rstrip("\n"),
        AGES.replace("\n", "\r\n").rstrip("\r\n"),
        AGES + "\n\n",
        AGES + "\r\n\t\r\n  \n",
        AGES.replace("10\n", "10 \t\n"),
        "\ufeff" + AGES,
    ],
    ids=["CRLF", "no final newline", "CRLF, none at the end", "blank end", "white end", "trailing blanks", "BOM"],
)
def test_line_ends_blanks_and_bom_do_not_matter(file, content):
    assert Hierarchy.from_tab_tree(file(content)) == Hierarchy.from_tab_tree(file(AGES, "plain.txt"))


@pytest.mark.parametrize("root", ["*", "Any", "[0,99)", "日本", "a b", "?"])
def test_the_first_line_is_the_root_whatever_it_is(file, root):
    assert Hierarchy.from_tab_tree(file(f"{root}\n\ta\n")).root == root


def test_values_may_stand_at_different_depths(file):
    tree = Hierarchy.from_tab_tree(file("Any\n\ta\n\tg\n\t\th\n\t\t\tb\n\tc\n"))
    assert tree.leaves == ("a", "b", "c")
    assert tree.depths[tree.leaf_nodes].tolist() == [1, 3, 1]


def test_a_value_may_bear_the_name_of_its_group_and_groups_the_same_name(file):
    tree = Hierarchy.from_tab_tree(file("x\n\tx\n\t\tx\n\t\ta\n\tx\n\t\tb\n"))
    assert tree.leaves == ("x", "a", "b")
    assert tree.path("x") == ("x", "x", "x")


def test_one_label_is_a_tree_of_one_value(file):
    tree = Hierarchy.from_tab_tree(file("[10,14)"))
    assert (tree.root, tree.leaves, tree.height) == ("[10,14)", ("[10,14)",), 0)


def test_labels_keep_blanks_and_tabs_inside(file):
    assert Hierarchy.from_tab_tree(file("Any\n\ta  b\tc\n")).leaves == ("a  b\tc",)


def test_a_second_root_is_refused(file):
    path = file("Any\n\ta\nOther\n")
    assert refusal(Hierarchy.from_tab_tree, path) == (
        f"{path}, line 3: 'Other' is a second root besides 'Any'. Indent it with tabs."
    )


def test_blanks_are_no_indentation(file):
    path = file("Any\n    a\n")
    assert refusal(Hierarchy.from_tab_tree, path) == (
        f"{path}, line 2: '    a' is a second root besides 'Any'. Indent it with tabs."
    )


def test_a_jump_of_indentation_is_refused(file):
    path = file("Any\n\tg\n\n\t\t\ta\n")
    assert refusal(Hierarchy.from_tab_tree, path) == (
        f"{path}, line 4: 'a' is indented by 3 tabs below a line with 1. "
        f"Indent a child by one tab more than its parent."
    )


def test_an_indented_root_is_refused(file):
    path = file("\n\tAny\n\t\ta\n")
    assert refusal(Hierarchy.from_tab_tree, path) == f"{path}, line 2: the root 'Any' must not be indented."


@pytest.mark.parametrize("second", ["\tg\n\t\ta\n", "\ta\n"])
def test_a_duplicate_value_is_refused(file, second):
    path = file("Any\n\tf\n\t\ta\n" + second)
    line = 3 + second.count("\n")
    assert refusal(Hierarchy.from_tab_tree, path) == (
        f"{path}, line {line}: the value 'a' is already in line 3. Keep it under one parent."
    )


@pytest.mark.parametrize("content", ["", "\n\n", "\r\n", "\t\n", "\ufeff"])
def test_an_empty_file_is_refused(file, content):
    path = file(content)
    assert refusal(Hierarchy.from_tab_tree, path) == f"{path}: the file is empty. A hierarchy needs at least a root."


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_a_file_that_is_not_utf8_is_refused(file, start):
    path = file(start + b"Any\n\t\xe9t\xe9\n")
    assert refusal(Hierarchy.from_tab_tree, path) == f"{path}, line 2: not UTF-8 text. Save the file as UTF-8."


def test_a_missing_file_is_refused(tmp_path):
    path = tmp_path / "age.txt"
    assert refusal(Hierarchy.from_tab_tree, path) == f"{path}: cannot be read (No such file or directory)."


def test_the_written_file(file, tmp_path):
    path = Hierarchy.from_tab_tree(file(AGES.replace("\n", "\r\n"))).save(tmp_path / "out.txt")
    assert path.read_bytes() == AGES.encode()


@settings(deadline=None)
@given(trees())
def test_every_tree_is_read_back(folder, tree):
    assert is_read_back(tree, folder / "tree.txt", "tab-tree")


@settings(deadline=None)
@given(trees(ANY_LABELS, max_nodes=8))
def test_twisted_labels_are_read_back_or_refused(folder, tree):
    assert is_read_back_or_refused(tree, folder / "twisted.txt", "tab-tree")


def test_a_value_without_a_label_cannot_be_written(tmp_path):
    assert refusal(Hierarchy.flat([""]).save, tmp_path / "out.txt") == (
        "A value without a label cannot be written in a tab tree: write pairs or levels instead."
    )


def test_fifty_thousand_values_are_read_fast(tmp_path):
    assert seconds_to_read_fifty_thousand(tmp_path, "tab-tree") < 2
