"""shoal demo."""

from __future__ import annotations

import json

import pyarrow.csv
import pytest

import shoal


@pytest.mark.deep("anonymizes the whole Adult table")
def test_the_demo_shows_before_after_and_the_code(run):
    result = run("demo --k 100")
    assert (result.exit_code, result.stderr) == (0, "")
    for part in (
        "Before: the first six of 32,561 rows",
        "After",
        "verified",
        "auto picked local",
        "shoal.anonymize(",
        ".save(",
    ):
        assert part in result.stdout


def test_the_demo_writes_its_release_and_speaks_json(folder, run, small_adult):
    result = run("demo --k 5 --l 2 -o safe.csv --json")
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert found["k"] >= 5
    assert pyarrow.csv.read_csv("safe.csv").num_rows == found["rows"] == shoal.datasets.adult().num_rows


def test_the_code_that_the_demo_shows_is_that_of_its_release(folder, run, small_adult, monkeypatch):
    result = run("demo --k 5 --l 2 -o mine.csv")
    code = result.stdout[result.stdout.index("import shoal") :]
    made = (folder / "mine.csv").read_bytes()
    (folder / "mine.csv").unlink()
    exec(compile(code, "demo", "exec"), {})
    assert (folder / "mine.csv").read_bytes() == made


def test_the_demo_can_be_quiet(run, small_adult):
    result = run("demo --k 5 -q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_the_demo_refuses_what_cannot_be(folder, run):
    result = run("demo --k 40000 -o safe.csv")
    assert result.exit_code == 3
    assert "the table has 32561 rows, so k can be at most 32561" in result.stderr
    assert run("demo -o none/safe.csv").exit_code == 2
    assert not (folder / "safe.csv").exists()
