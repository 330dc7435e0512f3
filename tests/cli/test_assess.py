"""shoal assess."""

from __future__ import annotations

import json


def test_the_table_is_described(run):
    result = run("assess patients.csv --quasi sex --sensitive disease")
    assert (result.exit_code, result.stderr) == (0, "")
    words = " ".join(result.stdout.split())
    assert "rows 6 classes 2, 3.0 rows on average k 3 distinct l of disease 2" in words
    assert "unique rows 0 (0.0%) highest risk 33.3%" in words


def test_json_alone_is_on_standard_output(run):
    result = run("assess patients.csv --quasi age,sex --sensitive disease --json")
    assert result.stderr == ""
    assert json.loads(result.stdout) == {
        "rows": 6,
        "classes": 6,
        "k": 1,
        "average_class_size": 1.0,
        "unique_rows": 6,
        "highest_risk": 1.0,
        "average_risk": 1.0,
        "distinct_sensitive": {"disease": 1},
        "class_sizes": {"1": 6},
    }


def test_quiet_prints_nothing(run):
    result = run("assess patients.csv --quasi age -q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_missing_values_are_one_class(folder, run):
    (folder / "t.csv").write_text("sex,n\n?,1\n,1\nf,1\nf,1\n")
    found = json.loads(run("assess t.csv --quasi sex --missing '?' --missing '' --json").stdout)
    assert (found["k"], found["classes"]) == (2, 2)
    assert json.loads(run("assess t.csv --quasi sex --json").stdout)["k"] == 1


def test_a_release_can_be_assessed(run):
    run("anonymize patients.csv --quasi age,sex --k 3 -q -o safe.csv")
    assert json.loads(run("assess safe.csv --quasi age,sex --json").stdout)["k"] == 3
