"""shoal init: its configuration runs unchanged."""

from __future__ import annotations

import csv
import gzip
import json
import re
import tomllib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import odd_tables
import shoal


def write(path, table):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))


def test_a_small_table(folder, run):
    result = run("init patients.csv --k 3")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith(
        "These are guesses: read shoal.toml, correct it, then run: shoal anonymize --config shoal.toml\n"
    )
    written = (folder / "shoal.toml").read_text()
    assert '\n    "age",  # the name says an age; 6 different values, rows with one of their own: 6 (100.0%)' in written
    found = tomllib.loads(written)
    assert found == {
        "data": {"file": "patients.csv"},
        "roles": {"quasi": ["age", "sex", "zip"], "sensitive": ["disease"], "identifying": ["name"]},
        "hierarchies": {"zip": "prefix"},
        "model": {"k": 3, "l": 2},
        "algorithm": {"name": "auto"},
        "limits": {"max_suppression": 0},
        "output": {"file": "patients-safe.csv", "report": ["patients-safe.html", "patients-safe.json"]},
    }
    assert run("anonymize --config shoal.toml").exit_code == 0
    assert (folder / "patients-safe.csv").read_text().splitlines()[0] == "age,sex,zip,disease"
    assert run("assess patients-safe.csv --quasi age,sex,zip --sensitive disease --require 'k>=3, l>=2'").exit_code == 0


def uncommented(text):
    """Yield the file with each commented hierarchy in turn."""
    before, hierarchies, after = re.split(r"\[hierarchies\]\n|(?=\[model\])", text)
    lines = hierarchies.splitlines()
    for line in lines:
        if re.match(r"# \S+ = ", line):
            taken = line.removeprefix("# ")
            name = taken.partition(" = ")[0]
            kept = [other for other in lines if not other.startswith((f"{name} = ", "#"))]
            yield "\n".join([before + "[hierarchies]", *kept, taken, after])


@pytest.mark.deep("anonymizes the whole Adult table by each offered hierarchy")
def test_adult(folder, run):
    pq.write_table(shoal.datasets.adult(), folder / "adult.parquet")
    assert run("init adult.parquet --k 10 -q").exit_code == 0
    assert run("anonymize --config shoal.toml -q --algorithm mondrian").exit_code == 0
    found = json.loads((folder / "adult-safe.json").read_text())
    assert found["k"] >= 10
    assert found["warnings"] == []
    assert found["parameters"]["identifying"] == ["fnlwgt"]
    # Every comment that offers a hierarchy can be used as it stands.
    forms = list(uncommented((folder / "shoal.toml").read_text()))
    assert len(forms) > 20
    assert any("group 1" in form for form in forms)
    for form in forms:
        (folder / "other.toml").write_text(form)
        result = run("anonymize --config other.toml -q --algorithm mondrian")
        assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("name", ["patients", *odd_tables.ODD])
def test_what_is_written_for_odd_tables_runs(folder, run, name):
    table, quasi = odd_tables.ODD.get(name) or (odd_tables.patients(), ["age"])
    write(folder / "t.csv", table)
    result = run("init t.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    roles = tomllib.loads((folder / "shoal.toml").read_text(encoding="utf-8"))["roles"]
    assert set(quasi) <= set(roles["quasi"])
    done = run("anonymize --config shoal.toml --json")
    if not quasi:
        assert "No column looks quasi-identifying." in result.stdout
        assert "NOTHING LOOKS QUASI-IDENTIFYING" in (folder / "shoal.toml").read_text(encoding="utf-8")
        assert done.exit_code == 2
        assert "No quasi-identifier is named" in done.stderr
    else:
        assert done.exit_code == 0, done.stderr
        report = json.loads(done.stdout)
        assert report["k"] >= 5
        assert report["parameters"]["identifying"] == roles["identifying"]
        with (folder / "t-safe.csv").open(encoding="utf-8", newline="") as file:
            assert next(csv.reader(file)) == [name for name in table if name not in roles["identifying"]]


def test_paths_are_relative_to_the_file(folder, run):
    (folder / "study").mkdir()
    assert run("init patients.csv -o study/shoal.toml -q").exit_code == 0
    assert tomllib.loads((folder / "study" / "shoal.toml").read_text())["data"]["file"] == "../patients.csv"
    assert run("anonymize --config study/shoal.toml -q").exit_code == 0
    assert (folder / "study" / "patients-safe.csv").exists()


def test_an_existing_file_is_left_alone_without_force(folder, run):
    (folder / "shoal.toml").write_text("mine")
    result = run("init patients.csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "shoal: shoal.toml: this file already exists. Name another one with -o, or replace it with --force.\n"
    )
    assert (folder / "shoal.toml").read_text() == "mine"
    assert run("init patients.csv --force").exit_code == 0
    assert "[roles]" in (folder / "shoal.toml").read_text()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "init patients.csv -o patients.csv --force",
            "patients.csv: the configuration is a .toml file. Name one, such",
        ),
        ("init patients.csv -o no/shoal.toml", "no/shoal.toml: cannot be written (No such file or directory)."),
        ("init no.csv", "no.csv: cannot be read (No such file or directory)."),
    ],
)
def test_what_is_refused(folder, run, line, message):
    result = run(line)
    assert result.exit_code == 2
    assert message in result.stderr
    assert [path.name for path in folder.iterdir()] == ["patients.csv"]


def test_k_below_two_is_refused(folder, run):
    assert run("init patients.csv --k 1").exit_code == 2
    assert [path.name for path in folder.iterdir()] == ["patients.csv"]


def test_too_few_rows_are_told(folder, run):
    (folder / "t.csv").write_text("age\n1\n2\n")
    assert run("init t.csv").stdout.endswith(" The table has 2 rows, too few for k = 5: lower k.\n")


def test_the_guesses_as_json(folder, run):
    found = json.loads(run("init patients.csv --json").stdout)
    assert found[0]["column"] == "name"
    assert found[0]["role"] == "identifying"
    assert found[3]["hierarchy"] == "prefix"
    assert (folder / "shoal.toml").exists()


def test_how_the_table_is_read_stands_in_the_file(folder, run):
    (folder / "t.csv").write_bytes("age:größe\n30:-\n31:-\n".encode("latin-1"))
    assert run("init t.csv --separator : --encoding latin-1 --missing - --k 2 -q").exit_code == 0
    assert tomllib.loads((folder / "shoal.toml").read_text())["data"] == {
        "file": "t.csv",
        "separator": ":",
        "encoding": "latin-1",
        "missing": ["-"],
    }
    assert run("anonymize --config shoal.toml -q").exit_code == 0


def test_missing_values_that_are_found_stand_in_the_file(folder, run):
    (folder / "t.csv").write_text("age,sex\n30,?\n31,f\n,NA\n32,f\n33,m\n")
    assert run("init t.csv -q").exit_code == 0
    assert 'missing = ["", "?", "NA"]  # found in the table' in (folder / "shoal.toml").read_text()


def test_no_rare_value_of_the_table_is_written(folder, run):
    table = odd_tables.patients(200)
    write(folder / "t.csv", table | {"race": ["common", "usual", "plain"] * 66 + ["quite alone", "plain"]})
    assert run("init t.csv -q").exit_code == 0
    written = (folder / "shoal.toml").read_text()
    for value in ("quite alone", "person 1", "P00", "town", "13053", "flu", "1950", "never the same"):
        assert value not in written
    assert '{ "group 1" = ["married"], "group 2" = ["single", "widowed"] }' in written


def test_many_columns_are_shown_in_few_lines(folder, run):
    write(folder / "t.csv", odd_tables.ODD["200 columns"][0])
    shown = run("init t.csv").stdout
    assert all(f"v{number}," in shown for number in range(198))
    assert len(shown.splitlines()) < 60


def test_names_are_no_markup(folder, run):
    pq.write_table(pa.table({"[/bold]": ["a", "b"] * 5, "[red]age": [1, 2] * 5}), folder / "t.parquet")
    result = run("init t.parquet")
    assert result.exit_code == 0
    assert "[/bold]" in result.stdout
    assert run("anonymize --config shoal.toml -q").exit_code == 0
    assert (folder / "t-safe.parquet").exists()


def test_a_compressed_table_is_released_compressed(run, folder):
    (folder / "p.csv.gz").write_bytes(gzip.compress((folder / "patients.csv").read_bytes()))
    assert run("init p.csv.gz").exit_code == 0
    text = (folder / "shoal.toml").read_text()
    assert 'file = "p.csv.gz"' in text
    assert 'file = "p-safe.csv.gz"' in text
    assert '"p-safe.html"' in text
