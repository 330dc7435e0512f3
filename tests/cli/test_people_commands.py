"""--unit on the commands that read a table: people are counted, and the terminal says so."""

from __future__ import annotations

import json

import pytest

LINES = [f"p{row // 3},{20 + row * 7 % 30},{'NSW'[row % 3]},{'xyz'[row * 5 % 3]}" for row in range(60)]
KNOWN = "--quasi age,ward --sensitive ill"


@pytest.fixture
def visits(folder):
    (folder / "visits.csv").write_text("\n".join(["who,age,ward,ill", *LINES]) + "\n")
    return folder


def test_assess_counts_people(run, visits):
    found = json.loads(run(f"assess visits.csv {KNOWN} --unit who --json").stdout)
    assert (found["people"]["people"], found["rows"]) == (20, 60)
    shown = run(f"assess visits.csv {KNOWN} --unit who").stdout
    assert "unique people" in shown
    assert "people per class" in shown
    assert "Risk that a person is found" in shown
    assert "unique rows" in run(f"assess visits.csv {KNOWN}").stdout
    failed = run("assess visits.csv --quasi ward --unit who --require k>=21")
    assert failed.exit_code == 1
    assert "3 classes, 20 people" in failed.stdout
    refused = run("assess visits.csv --quasi ward --columns-up-to 2 --unit who")
    assert refused.exit_code == 2
    assert "--columns-up-to compares rows, not people" in refused.stderr


def made(run, visits):
    text = """
[data]
file = "visits.csv"

[output]
file = "safe.csv"
report = ["safe.json"]

[roles]
quasi = ["age", "ward"]
sensitive = ["ill"]
unit = "who"

[model]
k = 3
"""
    (visits / "shoal.toml").write_text(text)
    done = run("anonymize --config shoal.toml")
    assert done.exit_code == 0, done.stderr


def test_a_release_of_people_is_attacked_applied_and_certified(run, visits):
    made(run, visits)
    attack = "attack safe.csv --original visits.csv --sample 1 --columns age,ward --unit who --k 3"
    found = json.loads(run(f"{attack} --json").stdout)
    assert (found["people"], found["original"]["candidates"]) == (20, "people")
    assert (found["released"]["linked_by_one_row"], found["released"]["linked"]) == (0, 20)  # by one, by all visits
    assert "fewer than 3 people match" in run(attack).stdout
    applied = run("apply safe.json visits.csv -o again.csv --report again.json --max-suppression 0.2")
    assert applied.exit_code == 0, applied.stderr
    assert json.loads((visits / "again.json").read_text())["people"]["unit"] == "who"
    certified = run("certify --config shoal.toml")
    assert certified.exit_code == 0, certified.stderr
    assert "The people of column 'who', 20 in all, are counted" in " ".join(certified.stdout.split())
    other = run("certify --config shoal.toml --unit ill")
    assert other.exit_code != 0


def test_compare_counts_people(run, visits):
    line = (
        "compare visits.csv --quasi age,ward --algorithms mondrian --k 3 --repeat 1 --measures loss --unit who -o kept"
    )
    done = run(line)
    assert done.exit_code == 0, done.stderr
    pages = [path.read_text() for path in (visits / "kept").glob("*.html")]
    assert any("k and ℓ are of the 20 people of column" in page for page in pages)
