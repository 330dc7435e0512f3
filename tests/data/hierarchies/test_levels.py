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
    with_own_labels,
)
from shoal import Hierarchy

EDUCATION = "Bachelors;Undergraduate;Higher;*\n11th;School;Secondary;*\nMasters;Graduate;Higher;*\n"


def test_each_line_is_the_path_of_a_value(file):
    tree = Hierarchy.from_levels(file(EDUCATION))
    assert tree.path("Masters") == ("Masters", "Graduate", "Higher", "*")
    assert tree.labels == (
        *("*", "Higher", "Undergraduate", "Bachelors", "Graduate", "Masters"),
        *("Secondary", "School", "11th"),
    )


@pytest.mark.parametrize(
    "content",
    [
        EDUCATION.replace("\n", "\r\n"),
        EDUCATION.rstrip("\n"),
        EDUCATION + "\n\n",
        "\ufeff" + EDUCATION,
        EDUCATION.replace(";", " ; "),
        EDUCATION.replace(";", ","),
        EDUCATION.replace("Higher", '"Higher"'),
    ],
    ids=["CRLF", "no final newline", "blank end", "BOM", "blanks", "commas", "quotes"],
)
def test_line_ends_blanks_bom_separator_and_quotes_do_not_matter(file, content):
    assert Hierarchy.from_levels(file(content)) == Hierarchy.from_levels(file(EDUCATION, "plain.csv"))


def test_labels_may_hold_commas_where_semicolons_separate(file):
    assert Hierarchy.from_levels(file("10;[10,14);Any\n11;[10,14);Any\n")).path("10") == ("10", "[10,14)", "Any")


def test_lines_may_differ_in_length(file):
    tree = Hierarchy.from_levels(file("Private;*\nLocal-gov;gov;*\nState-gov;gov;*\nMayor;local;gov;*\n"))
    assert tree.path("Private") == ("Private", "*")
    assert tree.path("Mayor") == ("Mayor", "local", "gov", "*")
    assert tree.depths[tree.leaf_nodes].tolist() == [1, 2, 2, 3]


def test_a_value_may_bear_the_name_of_its_group(file):
    tree = Hierarchy.from_levels(file("Never-married;Never-married;*\nDivorced;Was-married;*\n"))
    assert tree.path("Never-married") == ("Never-married", "Never-married", "*")
    assert len(tree.labels) == 5


def test_a_value_may_bear_the_name_of_a_group_beside_it(file):
    tree = Hierarchy.from_levels(file("g;*\na;g;*\n"))
    assert tree.labels == ("*", "g", "g", "a")
    assert tree.parents.tolist() == [-1, 0, 0, 2]


def test_a_value_may_bear_the_name_of_the_top(file):
    path = file("a;*\n*;*\n")
    for read in (Hierarchy.from_levels, Hierarchy.from_file):
        assert read(path).leaves == ("a", "*")


def test_a_group_may_bear_one_name_at_two_levels(file):
    assert Hierarchy.from_levels(file("a;g;g;*\nb;h;g;*\n")).labels == ("*", "g", "g", "a", "h", "b")


def test_the_values_of_a_group_need_not_stand_together(file):
    tree = Hierarchy.from_levels(file("a;g;*\nb;h;*\nc;g;*\n"))
    assert tree.leaves == ("a", "c", "b")


def test_labels_are_quoted_as_in_csv(file):
    tree = Hierarchy.from_levels(file('"a;b";"say ""hi""";*\nc;*\n'))
    assert tree.path("a;b") == ("a;b", 'say "hi"', "*")


def test_a_value_may_be_empty(file):
    assert Hierarchy.from_levels(file(";g;*\na;g;*\n")).path("") == ("", "g", "*")


def test_one_label_is_a_tree_of_one_value(file):
    assert Hierarchy.from_levels(file("a\r\n")) == Hierarchy.from_parents(["a"], [-1])


def test_a_group_with_two_parents_is_refused(file):
    path = file("a;g;x;*\n\nb;g;y;*\n")
    assert refusal(Hierarchy.from_levels, path) == (
        f"{path}, line 3: 'g' has two parents, 'y' and 'x' (line 1). Keep one."
    )


@pytest.mark.parametrize("second", ["a;g;*", "a;h;*"])
def test_a_duplicate_value_is_refused(file, second):
    path = file(f"a;g;*\nb;g;*\n{second}\n")
    assert refusal(Hierarchy.from_levels, path) == (
        f"{path}, line 3: the value 'a' is already in line 1. Remove one of the two."
    )


def test_two_roots_are_refused(file):
    path = file("a;g;*\nb;g;Any\n")
    assert refusal(Hierarchy.from_levels, path) == (
        f"{path}, line 2: 'Any' is a second root besides '*'. End every line with the same root."
    )


@pytest.mark.parametrize("line", ["b;g;*;", "b;;*", "b;"])
def test_a_group_without_a_name_is_refused(file, line):
    path = file(f"a;g;*\n{line}\n")
    assert refusal(Hierarchy.from_levels, path) == (
        f"{path}, line 2: 'b' has a group without a name. Name it, or remove the separator."
    )


@pytest.mark.parametrize("read", [Hierarchy.from_levels, Hierarchy.from_file])
@pytest.mark.parametrize("line", ["b", "b,*"])
def test_a_line_without_the_separator_is_refused(file, read, line):
    path = file(f"a;g;*\n{line}\n")
    assert refusal(read, path) == (
        f"{path}, line 2: {line!r} is not separated by ';' as line 1 is. "
        f"Write value;…;top or child,parent on each line."
    )


def test_an_open_quote_is_refused(file):
    path = file('a;g;*\n"b;g";"*\n')
    assert refusal(Hierarchy.from_levels, path) == f'{path}, line 2: \'"b;g";"*\' has an unclosed or misplaced quote.'


def test_an_empty_file_is_refused(file):
    path = file("\n")
    assert refusal(Hierarchy.from_levels, path) == f"{path}: the file is empty. A hierarchy needs at least a root."


def test_a_file_that_is_not_utf8_is_refused(file):
    path = file("a;*\n".encode("utf-16"))
    assert refusal(Hierarchy.from_levels, path) == f"{path}, line 1: not UTF-8 text. Save the file as UTF-8."


def test_a_missing_file_is_refused(tmp_path):
    path = tmp_path / "age.csv"
    assert refusal(Hierarchy.from_levels, path) == f"{path}: cannot be read (No such file or directory)."


def test_the_written_file(file, tmp_path):
    tree = Hierarchy.from_levels(file('"a,b",g,*\nc,*\n"d;e",g,*\n'))
    assert tree.save(tmp_path / "out.csv", format="levels").read_bytes() == b'"a,b";g;*\n"d;e";g;*\nc;*\n'


@settings(deadline=None)
@given(trees(min_nodes=2))
def test_every_tree_of_different_labels_is_read_back(folder, tree):
    assert is_read_back(with_own_labels(tree), folder / "levels.csv", "levels")


@settings(deadline=None)
@given(trees(ANY_LABELS, max_nodes=8))
def test_every_tree_is_read_back_or_refused(folder, tree):
    assert is_read_back_or_refused(tree, folder / "levels-twisted.csv", "levels")


def test_a_label_at_two_places_of_one_level_cannot_be_written(tmp_path):
    tree = Hierarchy.from_parents(["*", "g", "g", "a", "b"], [-1, 0, 0, 1, 2])
    assert refusal(tree.save, tmp_path / "out.csv", format="levels") == (
        "The label 'g' appears twice at one level, which a level table cannot distinguish: write a tab tree instead."
    )


@pytest.mark.parametrize("label", ["a,b", "a;b", 'a"b'])
def test_one_label_that_looks_like_more_cannot_be_written(tmp_path, label):
    assert refusal(Hierarchy.from_parents([label], [-1]).save, tmp_path / "out.csv", format="levels") == (
        f"A tree of one label ({label!r}) has no levels: write a tab tree instead."
    )


def test_fifty_thousand_values_are_read_fast(tmp_path):
    assert seconds_to_read_fifty_thousand(tmp_path, "levels") < 2
