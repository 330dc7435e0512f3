"""shoal hierarchy show, check, build, convert."""

from __future__ import annotations

import json

import pytest

from shoal import Hierarchy

TREE = "*\n\told\n\t\t47\n\t\t48\n\t\t49\n\tyoung\n\t\t30\n\t\t31\n\t\t32\n"


@pytest.fixture
def folder(folder):
    (folder / "age.txt").write_text(TREE)
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_show_draws_the_tree(run):
    result = run("hierarchy show age.txt")
    assert result.stdout == "* (6)\n  old (3)\n    47\n    48\n    49\n  young (3)\n    30\n    31\n    32\n"


def test_show_stops_at_a_limit(run):
    assert run("hierarchy show age.txt --limit 2").stdout == (
        "* (6)\n  old (3)\n… and 7 more lines (--limit shows more)\n"
    )


def test_show_takes_labels_as_they_are(folder, run):
    (folder / "odd.txt").write_text("[bold]*\n\t[red]a\n")
    assert run("hierarchy show odd.txt").stdout == "[bold]*\n  [red]a\n"


def test_show_speaks_json(run):
    found = json.loads(run("hierarchy show age.txt --json").stdout)
    assert (found["root"], found["height"], found["paths"][0]) == ("*", 2, ["47", "old", "*"])


def test_check_tells_what_it_found(run):
    result = run("hierarchy check age.txt --data patients.csv")
    assert result.exit_code == 0
    assert result.stdout == "age.txt: tab-tree, 6 values, height 2, root '*', contains every value of column 'age'\n"
    assert run("hierarchy check age.txt -q").stdout == ""


def test_check_names_the_values_that_are_not_known(folder, run):
    (folder / "t.csv").write_text("years\n30\n33\n33\n")
    result = run("hierarchy check age.txt --data t.csv --column years")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "shoal: Column 'years': the hierarchy lacks '33' (1 value, 2 rows). "
        "Add the missing values, or name them as missing.\n"
    )
    assert run("hierarchy check age.txt --data t.csv --column years --missing 33").exit_code == 0


def test_check_refuses_what_is_malformed(folder, run):
    (folder / "bad.txt").write_text("*\n\ta\n\ta\n")
    result = run("hierarchy check bad.txt")
    assert result.exit_code == 2
    assert result.stderr.startswith("shoal: bad.txt")


@pytest.mark.parametrize(
    ("spelling", "column", "path"),
    [
        ("intervals:5,10@30", "age", ("30", "30-34", "30-39", "*")),
        ("prefix", "zip", ("13053", "1305*", "130**", "13***", "1****", "*****")),
        ("by-order:3", "age", ("30", "30 - 32", "*")),
        ("by-frequency:2", "disease", ("mumps", "cold | mumps", "*")),
        ("flat", "sex", ("f", "*")),
    ],
)
@pytest.mark.parametrize("to", ["tab-tree", "levels"])
def test_build_writes_a_hierarchy_that_fits_the_column(folder, run, spelling, column, path, to):
    line = f"hierarchy build {spelling} --data patients.csv --column {column}"
    result = run(f"{line} -o tree.txt --to {to}")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("tree.txt: ")
    assert sorted(Hierarchy.from_file("tree.txt").path(path[0])) == sorted(path)
    assert run(f"hierarchy check tree.txt --data patients.csv --column {column}").exit_code == 0
    assert run(f"{line} -o tree.txt -q").stdout == ""


@pytest.mark.parametrize("to", ["tab-tree", "pairs", "levels"])
def test_convert_keeps_the_tree(folder, run, to):
    result = run(f"hierarchy convert age.txt other.csv --to {to}")
    assert result.stdout == f"other.csv: 6 values as {to}\n"
    before, after = Hierarchy.from_file("age.txt"), Hierarchy.from_file("other.csv")
    assert {leaf: after.path(leaf) for leaf in after.leaves} == {leaf: before.path(leaf) for leaf in before.leaves}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("show none.txt", "none.txt: cannot be read (No such file or directory)."),
        (
            "convert age.txt age.txt --to pairs",
            "age.txt: this is the input, which shoal never overwrites. Choose another file.",
        ),
        (
            "convert age.txt x.txt --to xml",
            "There is no hierarchy format 'xml': choose one of levels, pairs, tab-tree.",
        ),
        ("convert age.txt none/x.txt --to pairs", "none/x.txt: cannot be written (No such file or directory)."),
        (
            "build flat --data patients.csv --column sex -o patients.csv",
            "patients.csv: this is the input, which shoal never overwrites. Choose another file.",
        ),
        (
            "build flat --data patients.csv --column sxe -o x.txt",
            "There is no column 'sxe'. Did you mean 'sex'?",
        ),
        (
            "build ordered:f,m --data patients.csv --column sex -o x.txt",
            "'ordered:f,m' does not build a hierarchy: there is nothing to write.",
        ),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(folder, run, line, sentence):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    result = run(f"hierarchy {line}")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"shoal: {sentence}\n")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_interrupted_build_leaves_the_old_file(folder, run, monkeypatch):
    def write(content, file):
        file.write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr("shoal.data.hierarchies.write_text", write)
    assert run("hierarchy build flat --data patients.csv --column age -o age.txt").exit_code == 130
    assert (folder / "age.txt").read_text() == TREE
    assert names(folder) == ["age.txt", "patients.csv"]


def test_hierarchies_are_written_as_whole_files(folder, run, monkeypatch):
    targets = []
    monkeypatch.setattr("shoal.data.hierarchies.replace_whole", lambda writers: targets.extend(writers))
    run("hierarchy convert age.txt x.txt --to pairs")
    assert [str(target) for target in targets] == ["x.txt"]
