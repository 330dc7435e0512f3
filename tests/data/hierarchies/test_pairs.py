from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from hierarchies.trees import (
    ANY_LABELS,
    is_read_back,
    is_read_back_or_refused,
    refusal,
    seconds_to_read_fifty_thousand,
    trees,
    with_own_labels,
)
from shoal import Hierarchy

MARITAL = "NM,*\nleave,*\nNever-married,NM\nDivorced,leave\nSeparated,leave\n"


def test_each_line_is_a_child_and_its_parent(file):
    tree = Hierarchy.from_pairs(file(MARITAL))
    assert tree.labels == ("*", "NM", "Never-married", "leave", "Divorced", "Separated")
    assert tree.path("Separated") == ("Separated", "leave", "*")


@pytest.mark.parametrize(
    "content",
    [
        MARITAL.replace("\n", "\r\n"),
        MARITAL.rstrip("\n"),
        MARITAL + "\n\n",
        MARITAL.replace("\n", "\r\n") + "\r\n",
        "\ufeff" + MARITAL,
        MARITAL.replace(",", " , "),
        MARITAL.replace(",", ";"),
        MARITAL.replace("leave", '"leave"'),
    ],
    ids=["CRLF", "no final newline", "blank end", "CRLF, blank end", "BOM", "blanks", "semicolons", "quotes"],
)
def test_line_ends_blanks_bom_and_quotes_do_not_matter(file, content):
    assert Hierarchy.from_pairs(file(content)) == Hierarchy.from_pairs(file(MARITAL, "plain.txt"))


def test_the_lines_may_come_in_any_order(file):
    lines = MARITAL.splitlines()
    for seed in range(20):
        random.Random(seed).shuffle(lines)
        tree = Hierarchy.from_pairs(file("\n".join(lines)))
        assert {value: tree.path(value) for value in tree.leaves} == {
            "Never-married": ("Never-married", "NM", "*"),
            "Divorced": ("Divorced", "leave", "*"),
            "Separated": ("Separated", "leave", "*"),
        }


def test_the_root_is_the_parent_without_a_parent(file):
    assert Hierarchy.from_pairs(file("a,g\ng,日本\n")).root == "日本"


def test_labels_are_quoted_as_in_csv(file):
    tree = Hierarchy.from_pairs(file('"a,b","say ""hi"""\n"say ""hi""",*\n5" pipe,*\n'))
    assert tree.path("a,b") == ("a,b", 'say "hi"', "*")
    assert tree.leaves == ("a,b", '5" pipe')


def test_a_quoted_semicolon_in_every_line_separates_nothing(file):
    assert Hierarchy.from_pairs(file('"a;b","c;d"\n"e;f","c;d"\n')).leaves == ("a;b", "e;f")


def test_a_value_may_be_empty(file):
    assert Hierarchy.from_pairs(file(",*\na,*\n")).leaves == ("", "a")


def test_two_parents_are_refused(file):
    path = file("a,g\ng,*\n\nh,*\na,h\n")
    assert refusal(Hierarchy.from_pairs, path) == (
        f"{path}, line 5: 'a' has two parents, 'h' and 'g' (line 1). Keep one."
    )


def test_a_line_twice_is_refused(file):
    path = file("a,*\nb,*\na,*\n")
    assert refusal(Hierarchy.from_pairs, path) == f"{path}, line 3: 'a' is already in line 1. Remove one of the two."


def test_a_cycle_is_refused(file):
    path = file("a,*\nb,c\nc,d\nd,b\n")
    assert refusal(Hierarchy.from_pairs, path) == (
        f"{path}, line 2: 'b' is its own ancestor (b → c → d → b). Break the cycle."
    )


def test_a_value_that_leads_into_a_cycle_is_not_part_of_it(file):
    path = file("a,b\nb,c\nc,b\n")
    assert refusal(Hierarchy.from_pairs, path) == (
        f"{path}, line 2: 'b' is its own ancestor (b → c → b). Break the cycle."
    )


def test_a_root_that_is_its_own_parent_is_a_cycle(file):
    path = file("a,*\n*,*\n")
    for read in (Hierarchy.from_pairs, Hierarchy.from_file):
        assert refusal(read, path) == f"{path}, line 2: '*' is its own ancestor (* → *). Break the cycle."


def test_two_roots_are_refused(file):
    path = file("a,*\nb,*\nc,Any\n")
    assert refusal(Hierarchy.from_pairs, path) == (
        f"{path}, line 3: 'Any' is a second root besides '*'. Give one of them a parent."
    )


def test_more_than_two_fields_are_refused(file):
    path = file("a,*\nb,g,*\n")
    assert refusal(Hierarchy.from_pairs, path) == (f"{path}, line 2: ['b', 'g', '*'] has 3 fields. Write child,parent.")


def test_a_parent_without_a_name_is_refused(file):
    path = file("a,*\nb,\n")
    assert refusal(Hierarchy.from_pairs, path) == (
        f"{path}, line 2: 'b' has a parent without a name. Write child,parent."
    )


def test_a_line_without_a_separator_is_refused(file):
    path = file("a,*\nb\n")
    assert refusal(Hierarchy.from_pairs, path) == (
        f"{path}, line 2: 'b' is not separated by ',' as line 1 is. Write value;…;top or child,parent on each line."
    )


def test_lines_without_any_separator_are_refused(file):
    path = file("\na\nb\n")
    assert refusal(Hierarchy.from_pairs, path) == (
        f"{path}, line 2: 'a' has no separator. Write value;…;top or child,parent on each line."
    )


def test_an_open_quote_is_refused(file):
    path = file('a,*\n"b,*\n')
    assert refusal(Hierarchy.from_pairs, path) == f"{path}, line 2: '\"b,*' has an unclosed or misplaced quote."


@pytest.mark.parametrize("content", ["", "\r\n\r\n"])
def test_an_empty_file_is_refused(file, content):
    path = file(content)
    assert refusal(Hierarchy.from_pairs, path) == f"{path}: the file is empty. A hierarchy needs at least a root."


def test_a_file_that_is_not_utf8_is_refused(file):
    path = file("a,*\né,*\n".encode("latin-1"))
    assert refusal(Hierarchy.from_pairs, path) == f"{path}, line 2: not UTF-8 text. Save the file as UTF-8."


def test_a_missing_file_is_refused(tmp_path):
    path = tmp_path / "age.csv"
    assert refusal(Hierarchy.from_pairs, path) == f"{path}: cannot be read (No such file or directory)."


def test_the_written_file(file, tmp_path):
    tree = Hierarchy.from_pairs(file('"a,b",g\n;,g\ng,*\nh,*\n'))
    assert tree.save(tmp_path / "out.csv", format="pairs").read_bytes() == b'g,*\n"a,b",g\n";",g\nh,*\n'


@settings(deadline=None)
@given(trees(min_nodes=2))
def test_every_tree_of_different_labels_is_read_back(folder, tree):
    assert is_read_back(with_own_labels(tree), folder / "pairs.csv", "pairs")


@settings(deadline=None)
@given(trees(ANY_LABELS, max_nodes=8))
def test_every_tree_is_read_back_or_refused(folder, tree):
    assert is_read_back_or_refused(tree, folder / "pairs-twisted.csv", "pairs")


def test_a_label_at_two_places_cannot_be_written(tmp_path):
    tree = Hierarchy.from_parents(["*", "a", "a", "b"], [-1, 0, 1, 0])
    assert refusal(tree.save, tmp_path / "out.csv", format="pairs") == (
        "The label 'a' appears 2 times, which pairs cannot distinguish: write a tab tree instead."
    )


def test_one_label_cannot_be_written(tmp_path):
    assert refusal(Hierarchy.from_parents(["a"], [-1]).save, tmp_path / "out.csv", format="pairs") == (
        "A tree of one label ('a') has no pairs: write a tab tree instead."
    )


def test_fifty_thousand_values_are_read_fast(tmp_path):
    assert seconds_to_read_fifty_thousand(tmp_path, "pairs") < 2
