"""shoal assess."""

from __future__ import annotations

import json
import sys

import pytest

QUASI = "assess patients.csv --quasi sex --sensitive disease"


def test_the_table_is_described(run):
    result = run(f"{QUASI},age")
    assert (result.exit_code, result.stderr) == (0, "")
    words = " ".join(result.stdout.split())
    assert "rows 6 classes 2, 3.0 rows on average k 3 unique rows 0 (0.0%)" in words
    assert "│ distinct l │ 2 │ 3 │" in words
    assert "│ recursive c (l = 3) │ ∞ │ 1 │" in words
    assert "│ t, ordered distance │ – │ 0.1667 │" in words
    assert "│ prosecutor: knows who is in the table │ 33.33% │ 33.33% │ 6 (100.0%) │" in words
    assert "the journalist's risk equals the prosecutor's" in words


def test_json_alone_is_on_standard_output(run):
    result = run("assess patients.csv --quasi age,sex --sensitive disease --json")
    found = json.loads(result.stdout)
    assert result.stderr == ""
    assert (found["rows"], found["classes"], found["k"], found["unique_rows"]) == (6, 6, 1, 6)
    assert found["class_sizes"] == {"1": 6}
    assert found["sensitive"]["disease"]["distinct_l"] == 1
    assert found["sensitive"]["disease"]["delta"] is None
    assert found["prosecutor"] == {"highest": 1.0, "average": 1.0, "rows_above": 6, "share_above": 1.0}
    assert found["riskiest"][1] == {"row": 2, "class_size": 1, "values": {"age": "31", "sex": "m"}}


def test_quiet_prints_nothing(run):
    result = run("assess patients.csv --quasi age -q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_missing_values_are_one_class(folder, run):
    (folder / "t.csv").write_text("sex,n\n?,1\n,1\nf,1\nf,1\n")
    found = json.loads(run("assess t.csv --quasi sex --missing '?' --missing '' --json").stdout)
    assert (found["k"], found["classes"]) == (2, 2)
    assert json.loads(run("assess t.csv --quasi sex --json").stdout)["k"] == 1


def test_a_release_can_be_assessed(run):
    run("anonymize patients.csv --keep name --quasi age,sex --k 3 -q -o safe.csv")
    assert json.loads(run("assess safe.csv --quasi age,sex --json").stdout)["k"] == 3


def test_requirements_decide_the_exit_code(run):
    assert run(f"{QUASI} --require 'k>=3, risk<=0.4' --require 'l>=2' -q").exit_code == 0
    result = run(f"{QUASI} --require 'k>=3, distinct l>=3, average risk<=0.1'")
    words = " ".join(result.stdout.split())
    assert (result.exit_code, result.stderr) == (1, "")
    assert "│ k>=3 │ yes │" in words
    assert "│ distinct l>=3 │ no │ 2 classes, 6 rows │ row 1, class of 3: sex=f │" in words
    assert "│ average risk<=0.1 │ no │ 2 classes, 6 rows │ the table as a whole │" in words
    found = json.loads(run(f"{QUASI} --require k>=4 --json").stdout)["requirements"]
    assert found[0]["example"] == {"labels": {"sex": "f"}, "size": 3, "first_row": 1}


def test_a_requirement_that_is_not_known_is_bad_input(run):
    result = run(f"{QUASI} --require 'privacy>=9'")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("shoal: The requirement 'privacy>=9' is not known: write k>=…, distinct l>=…")


def test_columns_are_searched_without_quasi_identifiers(run):
    result = run("assess patients.csv --columns-up-to 2")
    words = " ".join(result.stdout.split())
    assert (result.exit_code, result.stderr) == (0, "")
    assert "│ zip │ 66.67% │ 86.6667% │" in words
    assert "Minimal sets that identify every row: name; age; sex, zip; zip, disease" in words
    found = json.loads(run("assess patients.csv --columns-up-to 1 --columns sex,zip --json").stdout)
    assert [one["columns"] for one in found["columns"]] == [["zip"], ["sex"]]
    both = json.loads(run("assess patients.csv --columns-up-to 1 --quasi sex --json").stdout)
    assert (both["k"], len(both["columns"])) == (3, 5)


def test_population_and_sampling_fraction(folder, run):
    (folder / "people.csv").write_text("sex\n" + "f\n" * 9 + "m\n" * 3)
    result = run("assess patients.csv --quasi sex --population people.csv --sampling-fraction 0.5 --threshold 0.3")
    words = " ".join(result.stdout.split())
    assert "│ journalist: among 12 people │ 33.33% │ 22.22% │ 3 (50.0%) │" in words
    assert "0 rows are unique in the population." in words
    assert "People unique in a population of 12, estimated Pitman 0 (0.00%)" in words


def test_hierarchies_of_sensitive_columns(run):
    found = json.loads(run(f"{QUASI} --sensitive-hierarchy disease=flat --json").stdout)["sensitive"]["disease"]
    assert found["t_hierarchical"] == found["t_equal"]


def test_suppressed_rows_are_left_out(folder, run):
    (folder / "t.csv").write_text("x,y\na,1\na,1\n*,any\n")
    found = json.loads(run("assess t.csv --quasi x,y --suppressed '*' --suppressed any --json").stdout)
    assert (found["k"], found["suppressed_rows"]) == (2, 1)
    assert "rows 3, 1 of them suppressed" in " ".join(
        run("assess t.csv --quasi x,y --suppressed '*' --suppressed any").stdout.split()
    )


def test_a_plot_is_written(folder, run):
    pytest.importorskip("matplotlib")
    result = run(f"{QUASI} --plot risk.svg -q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert (folder / "risk.svg").exists()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "Name the quasi-identifiers with --quasi, or look for them with --columns-up-to 3."),
        (
            "--columns-up-to 2 --require k>=2",
            "--require and --plot need classes: name the quasi-identifiers with --quasi.",
        ),
        ("--quasi sex --plot risk.jpg", "risk.jpg: a plot is a .png, .svg or .pdf file."),
        ("--quasi sex --threshold 2", "threshold = 2.0 is out of range: choose a number from 0 to 1."),
        ("--quasi sex --sensitive-hierarchy x", "--sensitive-hierarchy 'x' must have the form name=value."),
    ],
)
def test_what_cannot_be_is_refused(run, line, sentence):
    result = run(f"assess patients.csv {line}")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"shoal: {sentence}\n")


def test_without_matplotlib_nothing_is_done(folder, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = run(f"{QUASI} --plot risk.png")
    assert (result.exit_code, result.stderr) == (2, "shoal: Plots need matplotlib: pip install 'shoal[plots]'.\n")


def test_estimators_that_disagree_are_told_with_the_careful_choice(folder, run):
    rows = [f"{number}" for number in range(870) for _ in range(2 if number > 348 else 1)]
    (folder / "drawn.csv").write_text("\n".join(["who", *rows, ""]))
    line = "assess drawn.csv --quasi who --sampling-fraction 0.02"
    words = " ".join(run(line).stdout.split())
    found = json.loads(run(f"{line} --json").stdout)
    estimate = found["population_uniqueness"]
    assert (estimate["rule"], estimate["disagree"], estimate["uniques"]) == ("pitman", True, estimate["highest"])
    low, high = (f"{estimate[name]:,.0f}" for name in ("lowest", "highest"))
    assert f"they disagree from {low} to {high} people" in words
    assert "the careful choice" in words
    assert "Dankar's rule takes Pitman" in words
    assert f"at most {estimate['at_most']:,.0f}, the unique rows" in words
    assert any(f"from {low} to {high} people" in note for note in found["notes"])
