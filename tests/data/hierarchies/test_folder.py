"""Files of any format, alone or in a folder."""

from __future__ import annotations

import pytest

from hierarchies.trees import refusal
from shoal import Hierarchy
from shoal.data.hierarchies import detect, find
from shoal.errors import HierarchyError, InputError


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        ("Any\n\ta;x;y\n\tb;x;y\n", "tab-tree"),
        ("Any\r\n\ta,b\r\n", "tab-tree"),
        ("Any", "tab-tree"),
        ("Any\nOther\n", "tab-tree"),
        ("a,*\nb,*\n", "pairs"),
        ("a;*\nb;*\n\n", "pairs"),
        ("a,g\ng,*\n", "pairs"),
        ('"a,b",*\n', "pairs"),
        ("a,g,*\nb,g,*\n", "levels"),
        ("a;*\nb;g;*\n", "levels"),
        ("[1,2);[1,9)\n[2,3);[1,9)\n", "pairs"),
        ("a;*\n*;*\n", "levels"),
        ('"a;b"\n', "tab-tree"),
    ],
)
def test_the_format_is_told_from_the_lines(file, content, format_):
    assert detect(file(content)) == format_


def test_formats_of_one_tree_read_alike(file):
    tree = Hierarchy.from_file(file("*\n\tg\n\t\ta\n\t\tb\n\th\n\t\tc\n"))
    assert Hierarchy.from_file(file("c,h\nh,*\na,g\nb,g\ng,*\n")).leaves == ("c", "a", "b")
    assert Hierarchy.from_file(file("a;g;*\nb;g;*\nc;h;*\n")) == tree


@pytest.mark.parametrize("target", ["tab-tree", "pairs", "levels"])
@pytest.mark.parametrize("source", ["tab-tree", "pairs", "levels"])
def test_every_format_converts_into_every_other(tmp_path, source, target):
    tree = Hierarchy.from_parents(["Any", "g", "a", "é, ü", "b"], [-1, 0, 1, 1, 0])
    first = Hierarchy.from_file(tree.save(tmp_path / "first.txt", format=source))
    assert Hierarchy.from_file(first.save(tmp_path / "second.txt", format=target)) == tree


@pytest.mark.parametrize("format_", ["tab-tree", "pairs", "levels"])
@pytest.mark.parametrize("label", [" a", "a\t", "a\nb", "\ufeffa", "\ud83d"])
def test_a_label_that_no_file_can_hold_is_refused_and_the_old_file_stays(file, format_, label):
    path = file("precious")
    assert refusal(Hierarchy.flat([label]).save, path, format=format_) == (
        f"The label {label!r} cannot be written to a hierarchy file: "
        f"remove blanks at its ends, line ends and invalid Unicode."
    )
    assert path.read_text() == "precious"


@pytest.mark.parametrize("format_", ["tab-tree", "pairs", "levels"])
@pytest.mark.parametrize("labels", [["", "a", "b"], ["*", "", "b"]])
def test_a_group_without_a_label_cannot_be_written(tmp_path, format_, labels):
    tree = Hierarchy.from_parents(labels, [-1, 0, 1])
    assert refusal(tree.save, tmp_path / "out.txt", format=format_) == (
        "A group without a label cannot be written to a hierarchy file: name it."
    )


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(InputError) as caught:
        Hierarchy.flat("ab").save(tmp_path / "out.json", format="json")
    assert str(caught.value) == "There is no hierarchy format 'json': choose one of levels, pairs, tab-tree."
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    path = tmp_path / "nowhere" / "out.txt"
    with pytest.raises(InputError) as caught:
        Hierarchy.flat("ab").save(path)
    assert str(caught.value) == f"{path}: cannot be written (No such file or directory)."


def test_a_folder_is_read_by_the_names_of_its_files(file, tmp_path):
    file("*\n\ta\n", "age group.txt")
    file("b,*\n", "sex.csv")
    file("c;g;*\n", "race.CSV")
    file("not a hierarchy", "notes.md")
    file(b"\x00\xff", "._sex.csv")
    (tmp_path / "older.txt").mkdir()
    assert {name: tree.leaves for name, tree in Hierarchy.from_folder(tmp_path).items()} == {
        "age group": ("a",),
        "race": ("c",),
        "sex": ("b",),
    }


def test_two_files_of_one_name_are_refused(file, tmp_path):
    for name in ("age.csv", "age.old.txt", "age.txt"):
        file("a,*\n", name)
    sentence = (
        f"{tmp_path}: several files could be the hierarchy of column 'age' (age.csv, age.txt). Name one: age=age.csv."
    )
    assert refusal(Hierarchy.from_folder, tmp_path) == sentence
    assert refusal(find, tmp_path, "age") == sentence


def test_a_folder_without_hierarchies_is_refused(tmp_path):
    sentence = f"{tmp_path}: there is no hierarchy file in this folder (.csv or .txt)."
    assert refusal(Hierarchy.from_folder, tmp_path) == sentence


@pytest.mark.parametrize("call", [Hierarchy.from_folder, lambda folder: find(folder, "age")])
def test_a_missing_folder_is_refused(tmp_path, call):
    with pytest.raises(InputError) as caught:
        call(tmp_path / "trees")
    assert str(caught.value) == f"{tmp_path / 'trees'}: there is no folder of hierarchies here."


def test_a_bad_file_of_a_folder_is_named(file, tmp_path):
    path = file("Any\nOther\n", "age.txt")
    assert refusal(Hierarchy.from_folder, tmp_path) == (
        f"{path}, line 2: 'Other' is a second root besides 'Any'. Indent it with tabs."
    )


@pytest.mark.parametrize(
    "name",
    ["marital-status.txt", "Marital_Status.csv", "marital status.txt", "adult_hierarchy_marital-status.csv"],
)
def test_the_file_of_a_column_may_be_named_in_several_ways(file, tmp_path, name):
    path = file("a,*\n", name)
    assert find(tmp_path, "marital-status") == path


def test_a_file_named_exactly_comes_first(file, tmp_path):
    for name in ("adult_age.txt", "Age.txt", "age.txt"):
        file("a,*\n", name)
    assert find(tmp_path, "age") == tmp_path / "age.txt"
    assert find(tmp_path, "AGE_") is None


def test_several_likely_files_are_refused(file, tmp_path):
    file("a,*\n", "adult_sex.csv")
    file("a,*\n", "partner-sex.txt")
    assert refusal(find, tmp_path, "sex") == (
        f"{tmp_path}: several files could be the hierarchy of column 'sex' (adult_sex.csv, partner-sex.txt). "
        f"Name one: sex=adult_sex.csv."
    )


@pytest.mark.parametrize("column", ["height", "ag", "e", "wage"])
def test_a_column_without_a_file_has_none(file, tmp_path, column):
    file("a,*\n", "adult_age.txt")
    assert find(tmp_path, column) is None


def test_every_reference_hierarchy_is_read_and_read_back(reference_data, tmp_path):
    paths = [path for path in sorted(reference_data.rglob("*")) if _is_hierarchy(path)]
    assert paths
    for path in paths:
        tree = Hierarchy.from_file(path)
        assert len(tree.leaves) > 1
        assert Hierarchy.from_file(tree.save(tmp_path / path.name)) == tree
        for format_ in ("pairs", "levels"):
            try:
                copy = tree.save(tmp_path / f"{path.name}.{format_}", format=format_)
            except HierarchyError:
                continue
            assert Hierarchy.from_file(copy) == tree


def _is_hierarchy(path):
    return path.suffix == ".txt" or (path.suffix == ".csv" and "hierarchy" in path.stem)


def test_a_file_belongs_to_the_longest_column_it_is_named_for(tmp_path):
    path = tmp_path / "adult_marital-status.txt"
    path.write_text("*\n\ta\n")
    columns = ["status", "marital-status"]
    assert find(tmp_path, "marital-status", columns) == path
    assert find(tmp_path, "status", columns) is None
    assert find(tmp_path, "status", ["status"]) == path
