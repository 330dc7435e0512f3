"""shoal apply and shoal intersect on the command line."""

from __future__ import annotations

import json

import pytest

FIRST = "anonymize patients.csv --quasi age --sensitive disease --identifying name --k 3 --algorithm mondrian"
NEXT = "name,age,sex,zip,disease\n" + "".join(f"P{i},{30 + i % 3},{'mf'[i % 2]},13053,flu\n" for i in range(6))


@pytest.fixture
def ready(folder, run):
    """A folder with a release, its report and the next delivery."""
    assert run(f"{FIRST} -o safe.csv --report release.json -q").exit_code == 0
    (folder / "next.csv").write_text(NEXT)
    return folder


def test_the_next_delivery_is_released(ready, run):
    result = run("apply release.json next.csv -o next_safe.csv --report next.json --report next.html")
    assert result.exit_code == 0, result.output
    assert "that it holds for the classes of the released labels" in " ".join(result.output.split())
    lines = (ready / "next_safe.csv").read_text().splitlines()
    assert lines[0] == "age,sex,zip,disease"
    assert {line.split(",")[0] for line in lines[1:]} == {"30-32"}
    assert json.loads((ready / "next.json").read_text())["generalization"]["version"] == 1
    assert "shoal apply release.json next.csv" in (ready / "next.html").read_text()


def test_the_same_table_gives_the_same_bytes(ready, run):
    assert run("apply release.json patients.csv -o again.csv -q").exit_code == 0
    assert (ready / "again.csv").read_bytes() == (ready / "safe.csv").read_bytes()


def test_misfits_are_suppressed_within_the_limit_or_refused(ready, run):
    (ready / "next.csv").write_text(NEXT + "Zoe,90,f,13053,flu\n")
    line = "apply release.json next.csv -o out.csv"
    refused = run(line)
    assert refused.exit_code == 3
    assert "1 fits no class (column 'age' has '90' in 1)" in refused.output
    assert not (ready / "out.csv").exists()
    allowed = run(f"{line} --max-suppression 1 --json")
    assert allowed.exit_code == 0
    assert json.loads(allowed.stdout)["suppressed_rows"] == 1
    assert "*,f,13053,flu" in (ready / "out.csv").read_text()
    assert run(f"{line} --max-suppression 1 --misfits refuse").exit_code == 3


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("apply release.json next.csv --report r.json", "--report needs -o: name the file of the release."),
        ("apply release.json next.csv -o next.csv", "next.csv: this is the input, which shoal never overwrites."),
        ("apply release.json next.csv -o o.csv --report release.json", "release.json: this is the input"),
        (
            "apply safe.csv next.csv -o o.csv",
            "safe.csv: this is not a complete JSON file; name the .json report of a release.",
        ),
        (
            "apply release.json next.csv -o o.csv --misfits no",
            "misfits = 'no' is not known: choose suppress or refuse.",
        ),
        ("apply release.json next.csv -o o.csv --max-suppression x", "--max-suppression 'x' must be a share"),
        ("intersect safe.csv --quasi age --same-rows", "An intersection needs several releases"),
        ("intersect safe.csv safe.csv --quasi age", "Say how people are found in the releases"),
    ],
)
def test_what_cannot_be_done_is_refused(ready, run, line, sentence):
    result = run(line)
    assert result.exit_code == 2
    assert sentence in result.output


def test_what_releases_reveal_together_is_told(ready, run):
    (ready / "other.csv").write_text("age,sex,disease\n" + "30-31,*,flu\n" * 2 + "32-49,*,cold\n" * 4)
    line = "intersect safe.csv other.csv --quasi age --sensitive disease --same-rows"
    result = run(line)
    assert result.exit_code == 0
    assert "What 2 releases reveal together" in result.output
    assert "warning: Together the releases leave" in result.output
    found = json.loads(run(f"{line} --json -q").stdout)
    assert found["smallest"] == 1
    assert run(f"{line} --k 2 -q").exit_code == 1
    assert run(f"{line} --k 1 -q").exit_code == 0
    looked_up = run("intersect safe.csv other.csv --quasi age --sensitive disease --people patients.csv --json -q")
    assert json.loads(looked_up.stdout)["linked"] is False


def test_apply_tells_what_it_reveals_with_an_earlier_release(ready, run):
    (ready / "other.csv").write_text("age,sex,disease\n" + "30,m,flu\n30,f,cold\n")
    result = run("apply release.json next.csv --against other.csv -o out.csv --report out.json")
    assert result.exit_code == 0
    assert "warning: Together the releases leave" in result.output
    assert any("Together" in one for one in json.loads((ready / "out.json").read_text())["warnings"])


def test_a_kept_report_says_what_the_next_delivery_needs(folder, run):
    told = " ".join(run(f"{FIRST} -o safe.csv --report a.html --report release.json").output.split())
    assert "next delivery shoal apply release.json gives it the same classes." in told
    assert "such as --max-suppression 0.1, or make both releases with --algorithm full-domain." in told
    assert "next delivery" not in run(f"{FIRST} -o safe.csv --report a.html").output
    assert "next delivery" not in run(f"{FIRST} -o safe.csv").output


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            "--algorithm full-domain --hierarchy age=intervals:20",
            "the same levels. Rows whose class is too small there",
        ),
        ("--ranges mean", "shoal apply cannot give it these classes. It shows the means of numbers"),
        ("--hierarchy age=by-order", "cannot give it these classes. The tree of column 'age' (by-order) depends on"),
        ("--memory 1GB", "gives it the same classes."),
    ],
)
def test_what_it_needs_is_told_for_each_kind_of_release(folder, run, options, sentence):
    result = run(f"{FIRST} {options} -o safe.csv --report release.json")
    assert result.exit_code == 0
    assert sentence in " ".join(result.output.split())


def test_the_refusal_names_the_option_that_helps(ready, run):
    (ready / "next.csv").write_text(NEXT + "Zoe,90,f,13053,flu\n")
    line = "apply release.json next.csv -o out.csv"
    refused = run(line)
    assert "Allow as many (max_suppression=1, --max-suppression 1), or anonymize the table anew." in refused.output
    assert run(f"{line} --max-suppression 1 -q").exit_code == 0
    assert "(misfits='suppress', --misfits suppress) and allow as many" in run(f"{line} --misfits refuse").output


def test_where_no_row_has_a_class_no_option_helps(ready, run):
    (ready / "next.csv").write_text("name,age,sex,zip,disease\n" + "Zoe,90,f,13053,flu\n" * 4)
    refused = run("apply release.json next.csv -o out.csv --max-suppression 1.0")
    assert refused.exit_code == 3
    assert "in 4). Anonymize the table anew." in refused.output
