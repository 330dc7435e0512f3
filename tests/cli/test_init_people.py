"""shoal init: whose rows they are."""

from __future__ import annotations

import json
import tomllib

import pyarrow as pa
import pyarrow.csv
import pytest

import shoal


def visits(people=100, rows=3):
    return pa.table(
        {
            "patient_id": [f"p{row // rows}" for row in range(people * rows)],
            "household": [f"h{row // rows // 2}" for row in range(people * rows)],
            "age": [20 + row // rows % 50 for row in range(people * rows)],
            "ward": ["ABCD"[row % 4] for row in range(people * rows)],
        }
    )


def write(folder, table):
    pyarrow.csv.write_csv(table, folder / "t.csv")


def test_a_column_that_repeats_and_says_whose_row_it_is_is_the_unit(folder, run):
    write(folder, visits().drop(["household"]))
    result = run("init t.csv --k 4")
    assert (result.exit_code, result.stderr) == (0, "")
    written = (folder / "shoal.toml").read_text()
    assert '\nunit = "patient_id"  # it says whose row it is: 300 rows are of 100 people\n' in written
    assert "k = 4  # the fewest people in a class of rows that look the same" in written
    assert "group" not in tomllib.loads(written)["roles"]
    assert "patient_id" not in tomllib.loads(written)["roles"]["identifying"]
    report = json.loads(run("anonymize --config shoal.toml --json").stdout)
    assert report["people"]["people"] == 100
    assert report["k"] >= 4


def test_a_household_beside_a_person_is_a_commented_group_that_runs(folder, run):
    table = visits()
    write(folder, table.set_column(1, "hh_id", table["household"]))
    assert run("init t.csv --k 2 -q").exit_code == 0
    written = (folder / "shoal.toml").read_text()
    roles = tomllib.loads(written)["roles"]
    assert (roles["unit"], roles["identifying"]) == ("patient_id", ["hh_id"])
    line = '# group = "hh_id"  # at least k households share the rows of their members\n'
    assert line in written
    (folder / "shoal.toml").write_text(written.replace(line, line.removeprefix("# ")))
    result = run("anonymize --config shoal.toml --json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["people"]["promise"] == "households"


def test_a_household_alone_is_the_unit_unless_each_row_is_a_member(folder, run):
    write(folder, visits().drop(["patient_id"]).rename_columns(["household_id", "age", "ward"]))
    assert run("init t.csv -q").exit_code == 0
    written = (folder / "shoal.toml").read_text()
    assert tomllib.loads(written)["roles"]["unit"] == "household_id"
    assert '# group = "household_id"  # at least k households share the rows of their members instead of' in written


def test_rows_without_a_person_are_left_to_the_reader(folder, run):
    table = visits()
    people = pa.array([None if row < 2 else value for row, value in enumerate(table["patient_id"].to_pylist())])
    write(folder, table.set_column(0, "patient_id", people))
    assert run("init t.csv -q").exit_code == 0
    written = (folder / "shoal.toml").read_text()
    assert '# missing_units = "own"  # takes each of the 2 rows without one as another person' in written
    assert run("anonymize --config shoal.toml -q").exit_code == 2


@pytest.mark.parametrize(
    ("names", "unit"),
    [
        (("case_id", "patient_id"), "patient_id"),
        (("record_id", "Kundennr"), "Kundennr"),
        (("household_id", "case_id"), "case_id"),
        (("hospital_id", "ward_no"), None),
        (("first_name", "town"), None),
    ],
)
def test_which_of_several_columns_it_is(names, unit):
    table = visits(50).select(["patient_id", "household", "age"]).rename_columns([*names, "age"])
    found = {one.column: one for one in shoal.suggest_roles(table)}
    assert [name for name, one in found.items() if one.role == "unit"] == ([] if unit is None else [unit])
    if unit is not None:
        assert {found[name].role for name in names} == {"unit", "identifying"}


def test_people_with_one_row_each_are_no_unit(folder, run):
    write(folder, visits(100, 1))
    assert run("init t.csv -q").exit_code == 0
    roles = tomllib.loads((folder / "shoal.toml").read_text())["roles"]
    assert "patient_id" in roles["identifying"]
    assert roles.get("unit") in (None, "household")


def test_the_visits_of_the_datasets():
    found = {one.column: one.role for one in shoal.suggest_roles(shoal.datasets.visits(300))}
    assert found["person"] == "unit"
