"""shoal attack."""

from __future__ import annotations

import json

import pytest

SAFE = """\
age,sex,zip,disease
30-32,*,130**,flu
30-32,*,130**,flu
30-32,*,130**,cold
47-49,*,1485*,cold
47-49,*,1485*,flu
47-49,*,1485*,mumps
"""
SAMPLE = "attack safe.csv --original patients.csv --sample 0.5 --columns age,zip --sensitive disease"


@pytest.fixture(autouse=True)
def files(folder):
    """Make a release of the patients, and a table of what is known about two of them and a stranger."""
    (folder / "safe.csv").write_text(SAFE)
    (folder / "people.csv").write_text("name,age,zip\nAnn,30,13053\nEve,48,14853\nZoe,80,99999\n")


def words(result):
    return " ".join(result.stdout.split())


def test_before_and_after_stand_side_by_side(run):
    result = run("attack safe.csv --known people.csv --sensitive disease --original patients.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    shown = words(result)
    assert "An attacker who knows age, zip of 3 people before after" in shown
    assert "found: exactly one row matches 2 (66.7%) 0 (0.0%)" in shown
    assert "not found: no row matches 1 (33.3%) 1 (33.3%)" in shown
    assert "fewest rows that match a person 1 3" in shown
    assert "disease learned with certainty 2 (66.7%) 0 (0.0%)" in shown
    assert "disease guessed, average confidence 100.0% 50.0%" in shown
    assert "average gain over blind guessing +50.0% +16.7%" in shown
    assert "2 to 4 rows ···················· 0 █████████████······· 2" in shown


def test_without_the_original_there_is_one_column(run):
    shown = words(run("attack safe.csv --known people.csv --columns age"))
    assert "who knows age of 3 people found found: exactly one row matches 0 (0.0%) not found" in shown


def test_a_sample_of_the_original(run):
    found = json.loads(run(f"{SAMPLE} --seed 1 --json").stdout)
    assert (found["known"], found["people"]) == (["age", "zip"], 3)
    assert (found["original"]["linked"], found["released"]["sizes"]) == (3, {"3": 3})
    assert run(f"{SAMPLE} --seed 1 --json").stdout == run(f"{SAMPLE} --seed 1 --json").stdout


def test_json_alone_is_on_standard_output(run):
    result = run("attack safe.csv --known people.csv --sensitive disease --json")
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert found == {
        "known": ["age", "zip"],
        "people": 3,
        "released": {
            "rows": 6,
            "people": 3,
            "linked": 0,
            "unmatched": 1,
            "smallest": 3,
            "average": 3.0,
            "sizes": {"3": 2},
            "learned": {
                "disease": {
                    "certain": 0,
                    "average_confidence": pytest.approx(1 / 2),
                    "highest_confidence": pytest.approx(2 / 3),
                    "average_gain": pytest.approx(1 / 6),
                    "highest_gain": pytest.approx(1 / 6),
                }
            },
            "candidates": "rows",
            "linked_by_one_row": 0,
        },
        "original": None,
        "unread": {},
        "unit": None,
        "k": 2,
    }


def test_quiet_prints_nothing(run):
    result = run(f"{SAMPLE} -q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_labels_that_cover_nobody_are_pointed_out(folder, run):
    (folder / "safe.csv").write_text("age,zip\nyoung,north\nold,north\n")
    result = run("attack safe.csv --known people.csv")
    assert result.exit_code == 0
    assert result.stderr == (
        "warning: Column 'age': 2 labels, such as 'young', cannot be read, and someone who can learns more. Name the "
        "hierarchy if there is one.\n"
        "warning: Column 'zip': 'north' cannot be read, and someone who can learns more. Name the "
        "hierarchy if there is one.\n"
    )
    assert run("attack safe.csv --known people.csv -q").stderr == ""


def test_hierarchies_from_a_folder_and_by_name(folder, run):
    (folder / "safe.csv").write_text("age,zip\nyoung,1305x\nold,1485x\n")
    (folder / "trees").mkdir()
    (folder / "trees" / "age.txt").write_text("all\n\tyoung\n\t\t30\n\told\n\t\t48\n\t\t80\n")
    (folder / "zip.txt").write_text("13053,1305x\n14853,1485x\n1305x,*\n1485x,*\n99999,*\n")
    result = run("attack safe.csv --known people.csv --hierarchies trees --hierarchy zip=zip.txt --json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["released"]["linked"] == 2


def test_ranges_in_their_own_style(folder, run):
    (folder / "safe.csv").write_text("age\n30 bis 32\n47 bis 49\n")
    found = json.loads(run("attack safe.csv --known people.csv --ranges '{low} bis {high}' --json").stdout)
    assert found["released"]["linked"] == 2


def test_column_names_are_no_markup(folder, run):
    (folder / "safe.csv").write_text("[/bold],[red]x\n30,a\n")
    (folder / "people.csv").write_text("[/bold],n\n30,1\n")
    result = run("attack safe.csv --known people.csv --sensitive [red]x")
    assert result.exit_code == 0
    assert "who knows [/bold] of 1 people" in words(result)
    assert "[red]x learned with certainty 1 (100.0%)" in words(result)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("attack none.csv --known people.csv", "none.csv: cannot be read (No such file or directory)."),
        (
            "attack safe.csv",
            "Nobody is attacked: give a table of people the attacker knows, or a sample of the original.",
        ),
        (
            "attack safe.csv --known people.csv --columns ag",
            "In the attacker's table, there is no column 'ag'. Did you mean 'age'?",
        ),
        (
            "attack safe.csv --known people.csv --sensitive zip",
            "Column 'zip' is both known and sensitive: whoever knows it has nothing to learn. "
            "Leave it out of one of the two.",
        ),
        (
            "attack safe.csv --sample 0.1 --columns age",
            "A sample is drawn from the original table, and no original is given.",
        ),
        (f"{SAMPLE} --sample 2", "sample = 2.0 is not a share of the people: give a number above 0, up to 1."),
        (f"{SAMPLE} --seed -1", "seed = -1 must be a whole number from 0 to 4294967295."),
        (
            "attack safe.csv --original patients.csv --sample 0.5",
            "No known column is named: name what the attacker knows about people, such as age or sex.",
        ),
        (f"{SAMPLE} --hierarchy sex=flat", "--hierarchy sex=…: 'sex' is not among the known columns (age, zip)."),
        (f"{SAMPLE} --hierarchies .", ".: no file is named for one of the known columns (age, zip)."),
    ],
)
def test_bad_input_is_one_sentence(run, line, sentence):
    result = run(line)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"shoal: {sentence}\n")
