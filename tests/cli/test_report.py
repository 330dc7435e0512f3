"""--report of shoal anonymize and shoal demo."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import shoal.api

ACCEPTED = "--accept range-ends,rare-value"
EXAMPLE = Path(__file__).parent.parent.parent / "docs" / "example_report.html"
ROLES = "--quasi age,sex --sensitive disease --identifying name --k 3"


def test_several_reports_are_written(folder, run):
    result = run(
        f"anonymize patients.csv {ROLES} {ACCEPTED} -o safe.csv --report r.html --report r.pdf --report r.json"
    )
    assert (result.exit_code, result.stderr) == (0, "")
    page = (folder / "r.html").read_text(encoding="utf-8")
    command = f"shoal anonymize patients.csv {ROLES} {ACCEPTED}"
    assert f"{command} -o safe.csv --report r.html --report r.pdf --report r.json" in page
    assert (folder / "r.pdf").read_bytes()[:5] == b"%PDF-"
    assert json.loads((folder / "r.json").read_text())["k"] == 3


@pytest.mark.parametrize(
    ("reports", "sentence"),
    [
        ("--report r.doc", "r.doc: a report cannot have the suffix '.doc': use .json, .html, .htm, .pdf."),
        ("--report no/r.html", "no/r.html: there is no folder 'no'. Make it first."),
        ("--report r.html --report ./r.html", "r.html: this report is named twice. Name each file once."),
        ("--report safe.csv", "safe.csv: the release and its report need two files."),
        (
            "--report patients.csv",
            "patients.csv: this is the input, which shoal never overwrites. Choose another file.",
        ),
        ("--report r.html --groups r.html", "r.html: this file is already named for something else."),
    ],
)
def test_a_report_that_cannot_be_is_refused_before_any_work(folder, run, monkeypatch, reports, sentence):
    monkeypatch.setattr(shoal.api, "anonymize", None)
    result = run(f"anonymize patients.csv {ROLES} -o safe.csv {reports}")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"shoal: {sentence}")
    assert [path.name for path in folder.iterdir()] == ["patients.csv"]


def test_the_demo_is_reported_with_and_without_its_release(folder, run, small_adult):
    assert run("demo --k 5 -q --report a.html").exit_code == 0
    assert run("demo --k 5 -q -o safe.csv --report b.html").exit_code == 0
    assert "shoal.datasets.adult()" in (folder / "a.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in folder.iterdir()) == ["a.html", "b.html", "patients.csv", "safe.csv"]
    assert run("demo --report r.doc").exit_code == 2


@pytest.mark.deep("anonymizes the whole Adult table")
def test_the_example_of_the_documentation_is_up_to_date(folder, run):
    def content(path):
        return re.sub(r"<style>.*?</style>|Made with [^<]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)

    run("demo -q --report example_report.html")
    made = folder / "example_report.html"
    assert content(made) == content(EXAMPLE), "make it: cd docs; shoal demo -q --report example_report.html"
    assert EXAMPLE.stat().st_size < 200_000


@pytest.mark.parametrize(
    "target", ["-o tree.csv", "-o safe.csv --report tree.html", "-o safe.csv --statistics tree.csv"]
)
def test_the_tree_of_a_sensitive_column_is_not_overwritten(folder, run, target):
    values = sorted({line.split(",")[-1] for line in (folder / "patients.csv").read_text().splitlines()[1:]})
    for name in ("tree.csv", "tree.html"):
        (folder / name).write_text("".join(f"{value},all\n" for value in values))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    tree = target.split()[-1]
    given = f"--require 'hierarchical t<=0.9' --sensitive-hierarchy disease={tree}"
    result = run(f"anonymize patients.csv {ROLES} {given} {target}")
    assert result.exit_code == 2
    assert f"{tree}: this" in result.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_release_and_report_are_one_set(folder, run):
    (folder / "safe.csv").write_text("old")
    result = run(f"anonymize patients.csv {ROLES} -o safe.csv --report {'x' * 253}.html")
    assert result.exit_code == 2
    assert "File name too long" in result.stderr
    assert (folder / "safe.csv").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["patients.csv", "safe.csv"]


def test_no_quasi_identifier_is_told(folder, run):
    (folder / "shoal.toml").write_text('[data]\nfile = "patients.csv"\n[roles]\nquasi = []\n[model]\nk = 3\n')
    result = run("anonymize --config shoal.toml")
    assert result.exit_code == 2
    assert "No quasi-identifier is named: name the columns" in result.stderr
