"""The review stops a release on the command line: exit code 1, a sentence, and nothing written."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

import pytest

from shoal.release.reuse.generalization import _checksum

VISITS = "patient_id,age,sex,disease\n" + "".join(
    f"P-{1000 + row // 3},{30 + row // 30},{'mf'[row // 3 % 2]},{['flu', 'cold', 'mumps'][row % 3]}\n"
    for row in range(60)
)
ONCE = "\n".join(re.sub(r"^P-\d+", f"P-{row}", line) for row, line in enumerate(VISITS.splitlines())) + "\n"
ROLES = "--quasi age,sex --sensitive disease --identifying patient_id --k 3 --algorithm mondrian"
REMEDY = (
    "Name the column that says whose row it is (unit='patient_id', --unit patient_id), or say that each row is a "
    "different person (rows_are_people=True, --rows-are-people).\n"
)
START = "shoal: Values of 'patient_id' repeat: 60 rows are of 20 people, and classes would count rows, not people. "
SMALLEST = "The smallest class of this release would have rows of 5 people. "
SAID = "Each row was taken as one person, as asked, although values of “patient_id” repeat."


@pytest.fixture
def visits(folder):
    """A folder with a table of visits, as a file and in a database, and an earlier release."""
    (folder / "visits.csv").write_text(VISITS)
    (folder / "safe.csv").write_text("as before")
    with closing(sqlite3.connect(folder / "clinic.db")) as database, database:
        database.execute("CREATE TABLE visits (patient_id TEXT, age INTEGER, sex TEXT, disease TEXT)")
        rows = [line.split(",") for line in VISITS.splitlines()[1:]]
        database.executemany("INSERT INTO visits VALUES (?, ?, ?, ?)", rows)
    return folder


@pytest.mark.parametrize("report", ["", "--report safe.json --report safe.html"])
def test_repeated_people_stop_a_release(visits, run, report):
    result = run(f"anonymize visits.csv {ROLES} -o safe.csv {report}")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", START + SMALLEST + REMEDY)
    assert (visits / "safe.csv").read_text() == "as before"
    assert sorted(path.name for path in visits.iterdir()) == ["clinic.db", "patients.csv", "safe.csv", "visits.csv"]


@pytest.mark.parametrize("output", ["safe.csv", "parts"])
def test_repeated_people_stop_a_release_of_files(visits, run, output):
    result = run(f"anonymize visits.csv {ROLES} --memory 2GB -o {output}")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", START + REMEDY)
    assert (visits / "safe.csv").read_text() == "as before"
    assert sorted(path.name for path in visits.iterdir()) == ["clinic.db", "patients.csv", "safe.csv", "visits.csv"]


def test_repeated_people_stop_a_release_of_a_database(visits, run):
    line = f"anonymize sqlite:///clinic.db#visits {ROLES} -o sqlite:///clinic.db#safe"
    result = run(line)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", START + SMALLEST + REMEDY)
    with closing(sqlite3.connect(visits / "clinic.db")) as database:
        tables = database.execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("visits",)]
    assert run(f"{line} --rows-are-people -q").exit_code == 0


@pytest.mark.parametrize("scale", ["", "--memory 2GB"])
def test_rows_are_people_if_the_caller_says_so(visits, run, scale):
    line = f"anonymize visits.csv {ROLES} {scale} --rows-are-people -o new.csv --report new.json --report new.html"
    result = run(line)
    assert result.exit_code == 0, result.stderr
    assert "Each row was taken as one person, as asked" in result.stdout
    report = json.loads((visits / "new.json").read_text())
    assert report["statements"] == [SAID]
    assert report["parameters"]["rows_are_people"] is True
    assert SAID in (visits / "new.html").read_text()
    assert "rows_are_people=True," in (visits / "new.html").read_text()


def test_a_configuration_says_it_and_a_certificate_can_be_made(visits, run):
    (visits / "shoal.toml").write_text(
        '[data]\nfile = "visits.csv"\n[roles]\nquasi = ["age", "sex"]\nidentifying = "patient_id"\n'
        'rows_are_people = true\n[model]\nk = 3\n[algorithm]\nname = "mondrian"\n[output]\nfile = "safe.csv"\n'
    )
    assert run("anonymize --config shoal.toml -q").exit_code == 0
    assert run("certify safe.csv --against visits.csv --config shoal.toml -q").exit_code == 0


def test_the_next_delivery_is_reviewed_as_the_first(visits, run):
    (visits / "first.csv").write_text(ONCE)
    first = f"anonymize first.csv {ROLES} -o one.csv --report one.json -q"
    assert run(first).exit_code == 0
    following = "apply one.json visits.csv -o two.csv"
    refused = run(following)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith("warning: The roles and the order of rows are those of the earlier release")
    assert START in refused.stderr
    made = run(f"{following} --rows-are-people --report two.html")
    assert made.exit_code == 0, made.stderr
    assert "rows_are_people=True)" in (visits / "two.html").read_text()
    assert run(f"{first} --rows-are-people").exit_code == 0
    assert run(f"{following} -q").exit_code == 0  # as before


def test_a_report_of_an_earlier_version_says_nothing_of_people(visits, run):
    (visits / "first.csv").write_text(ONCE)
    assert run(f"anonymize first.csv {ROLES} -o one.csv --report one.json -q").exit_code == 0
    report = json.loads((visits / "one.json").read_text())
    plain = report["generalization"]
    del plain["sha256"], plain["options"]["rows_are_people"]
    plain["sha256"] = _checksum(plain)
    (visits / "one.json").write_text(json.dumps(report))
    assert run("apply one.json first.csv -o two.csv -q").exit_code == 0
    assert run("apply one.json visits.csv -o two.csv -q").exit_code == 1
