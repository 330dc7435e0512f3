"""Addresses of databases on the command line and in configuration files."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow.csv
import pytest
from typer.testing import CliRunner

from shoal.cli.app import app
from shoal.cli.options import complete_column

ROLES = "--quasi age,sex,zip --sensitive disease --identifying name --k 2"
PAGE = Path(__file__).parents[2] / "docs" / "databases.md"


@pytest.fixture
def clinic(folder):
    """A SQLite file with the patients."""
    table = pyarrow.csv.read_csv(folder / "patients.csv")
    with closing(sqlite3.connect(folder / "clinic.db")) as database:
        database.execute("CREATE TABLE patients (name TEXT, age INTEGER, sex TEXT, zip TEXT, disease TEXT)")
        database.executemany(
            "INSERT INTO patients VALUES (?, ?, ?, ?, ?)", zip(*table.to_pydict().values(), strict=True)
        )
        database.commit()
    return folder


def rows(query):
    with closing(sqlite3.connect("clinic.db")) as database:
        return database.execute(query).fetchall()


def test_a_table_is_anonymized_into_a_table(clinic, run):
    result = run(f"anonymize 'sqlite:///clinic.db#patients' {ROLES} -o 'sqlite:///clinic.db#safe' --report r.json")
    assert result.exit_code == 0, result.output
    assert "sqlite:///clinic.db#safe" in result.stdout
    assert len(rows("SELECT age, sex, zip, disease FROM safe")) == 6
    assert json.loads(Path("r.json").read_text())["input"]["file"] == "patients"
    assert run("assess 'sqlite:///clinic.db#safe' --quasi age,sex,zip --require k>=2").exit_code == 0


def test_what_is_refused_is_refused_before_any_work(clinic, run, monkeypatch):
    monkeypatch.setattr("shoal.io.source.Source.of", lambda *_, **__: 1 / 0)
    run_ = f"anonymize 'sqlite:///clinic.db#patients' {ROLES} -o "
    for target, part in (
        ("'sqlite:///clinic.db#patients' --replace", "this is the input, which shoal never overwrites"),
        ("'sqlite:///clinic.db#patients'", "this is the input"),
        ("'sqlite:///no/clinic.db#safe'", "there is no folder 'no'"),
        ("'sqlite:///clinic.db'", "name the table to write after #"),
        ("safe.xlsx", "shoal reads such files but does not write them"),
        ("'clinic.xlsx#safe'", "shoal reads such files but does not write them"),
    ):
        result = run(run_ + target)
        assert (result.exit_code, result.stdout) == (2, "")
        assert part in result.stderr


def test_a_table_that_is_there_needs_replace(clinic, run):
    line = f"anonymize patients.csv {ROLES} -o 'sqlite:///clinic.db#safe'"
    assert run(line).exit_code == 0
    result = run(line)
    assert result.exit_code == 2
    assert result.stderr == (
        "shoal: sqlite:///clinic.db#safe: this table already exists. "
        "Choose another one, or say --replace (replace=True).\n"
    )
    assert run(f"{line} --replace").exit_code == 0


def test_a_query_and_its_repetition(clinic, run):
    query = "SELECT age, zip FROM patients WHERE age > 30"
    line = f'anonymize sqlite:///clinic.db --query "{query}" --quasi age,zip --k 2 -o safe.csv --report r.html'
    assert run(line).exit_code == 0
    page = Path("r.html").read_text()
    assert "data = shoal.read(&quot;sqlite:///clinic.db&quot;, query=&quot;SELECT age, zip" in page
    refused = run("anonymize patients.csv --query 'SELECT 1' --quasi age --k 2")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "shoal: A query needs a database, and 'patients.csv' is not one; write an address such as sqlite:///clinic.db.\n",
    )


def test_no_password_is_shown(clinic, run, monkeypatch):
    from shoal.release.release import Release

    for place in ("shoal.release.release", "shoal.io.outputs"):
        monkeypatch.setattr(f"{place}.check_targets", lambda *_, **__: None)
    monkeypatch.setattr(Release, "save", lambda self, *_, **__: self.save_report("r.html"))
    secret = "hunter2#@:"
    url = f"postgresql://me:{secret}@host/db?password=hunter3#t"
    assert run(f"anonymize patients.csv {ROLES} -o '{url}'").exit_code == 0
    page = Path("r.html").read_text()
    assert "postgresql://…/db#t" in page
    assert "hunter" not in page
    assert "me@host" not in page
    Path("shoal.toml").write_text(f'[data]\nfille = "{url}"')
    result = run("anonymize --config shoal.toml")
    assert result.exit_code == 2
    assert "hunter" not in result.stderr


def test_paths_of_databases_in_a_configuration_are_relative_to_it(clinic, run):
    (clinic / "study").mkdir()
    assert run("init 'sqlite:///clinic.db#patients' -o study/shoal.toml").exit_code == 0
    text = Path("study/shoal.toml").read_text()
    assert 'file = "sqlite:///../clinic.db#patients"' in text
    assert 'file = "sqlite:///../clinic.db#patients_safe"' in text
    assert 'report = ["patients-safe.html", "patients-safe.json"]' in text
    result = run("anonymize --config study/shoal.toml --k 2 --l 1")
    assert result.exit_code == 0, result.stderr
    assert len(rows("SELECT * FROM patients_safe")) == 6
    assert Path("study/patients-safe.html").exists()


def test_init_of_a_query_and_of_an_absolute_file(clinic, run):
    assert run(f"init 'sqlite:///{clinic}/clinic.db' --query 'SELECT age FROM patients'").exit_code == 0
    text = Path("shoal.toml").read_text()
    assert f'file = "sqlite:///{clinic}/clinic.db"\nquery = "SELECT age FROM patients"' in text
    assert f'file = "sqlite:///{clinic}/clinic.db#query_safe"' in text


def test_init_leaves_a_password_out(folder, run, monkeypatch):
    import pyarrow as pa

    monkeypatch.setattr("shoal.io.source.read_database", lambda *_, **__: pa.table({"age": [1, 2]}))
    assert run("init 'postgresql://me:hunter2@host/db#a.people'").exit_code == 0
    text = Path("shoal.toml").read_text()
    assert 'file = "postgresql://me@host/db#a.people"' in text
    assert 'file = "postgresql://me@host/db#a.people_safe"' in text
    assert "hunter2" not in text


def test_the_other_commands_take_addresses(clinic, run):
    data, safe = "'sqlite:///clinic.db#patients'", "'sqlite:///clinic.db#safe'"
    for line in (
        f"anonymize {data} {ROLES} -o {safe}",
        f"attack {safe} --original {data} --sample 1 --columns age,zip",
        f"metrics {data} {safe} --quasi age,zip",
        f"compare {data} --quasi age,zip --algorithms mondrian --k 2 --repeat 1 --measures loss",
        f"hierarchy build intervals:5 --data {data} --column age -o age.txt",
        f"hierarchy check age.txt --data {data}",
        f"assess {data} --quasi age --population {data}",
        f"anonymize {data} --quasi age --identifying name --k-map 2 --population {data} -o k.csv",
    ):
        result = run(line)
        assert result.exit_code == 0, (line, result.output)


def test_plots_and_hierarchies_do_not_overwrite_a_database(clinic, run):
    Path("age.txt").symlink_to("clinic.db")
    assert (
        run("hierarchy build intervals:5 --data 'sqlite:///clinic.db#patients' --column age -o age.txt").exit_code == 2
    )
    Path("plot.png").symlink_to("clinic.db")
    assert run("assess 'sqlite:///clinic.db#patients' --quasi age --plot plot.png").exit_code == 2
    assert len(rows("SELECT * FROM patients")) == 6


def test_columns_of_a_database_are_completed(clinic, monkeypatch):
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "shoal assess 'sqlite:///clinic.db#patients' --quasi age,s")
    assert complete_column("age,s") == ["age,sex"]
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "shoal assess sqlite:///no.db#patients --quasi age,s")
    assert complete_column("age,s") == []


def test_the_commands_of_the_documentation_run(clinic):
    openpyxl, pyreadstat = pytest.importorskip("openpyxl"), pytest.importorskip("pyreadstat")
    pytest.importorskip("python_calamine")
    import pandas as pd

    table = pyarrow.csv.read_csv("patients.csv")
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Visits")
    for row in (table.column_names, *(list(one.values()) for one in table.to_pylist())):
        sheet.append(row)
    book.save("clinic.xlsx")
    pyreadstat.write_sav(pd.DataFrame(table.to_pydict()), "survey.sav")
    for number in (1, 2):
        pyarrow.csv.write_csv(table.take(list(range(table.num_rows))[::number]), f"visits-{number}.csv")
    blocks = re.findall("^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    # With tests of their own: servers, and the standard streams.
    elsewhere = ("postgresql://", "mysql://", "mssql://", " - ")
    commands = [shlex.split(line)[1:] for line in lines if line and not any(mark in line for mark in elsewhere)]
    assert len(commands) == 6
    for command in commands:
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, (command, result.output)
    assert Path("safe.csv").exists()
    assert Path("safe.html").exists()


@pytest.mark.parametrize(
    "place", ["host=h password=hush dbname=db.csv", "me:hush@localhost/db.csv", "sqlite:///clinic.db?key=hush#patients"]
)
def test_secrets_in_other_forms_are_shown_at_no_door(folder, run, place):
    before = {path.name for path in folder.iterdir()}
    for words in (
        f"anonymize '{place}' {ROLES} -o safe.csv",
        f"anonymize patients.csv {ROLES} -o '{place}'",
        f"anonymize patients.csv {ROLES} --memory 1GB -o '{place}'",
        f"anonymize '{place}' {ROLES} --memory 1GB -o safe.csv",
        f"assess '{place}' --quasi age",
        f"init '{place}'",
        f"metrics '{place}' patients.csv --quasi age",
        f"attack patients.csv --known '{place}'",
    ):
        result = run(words)
        assert result.exit_code == 2, words
        assert "hush" not in result.output
        assert "sqlite:///" in result.output, (words, result.output)
    assert {path.name for path in folder.iterdir()} == before


def test_a_file_whose_name_looks_like_a_secret_is_named_with_a_dot_before(folder, run):
    Path("patients.csv").rename("me:x@y.csv")
    result = run(f"anonymize './me:x@y.csv' {ROLES} -o './user=a password=b.csv'")
    assert result.exit_code == 0, result.output
    assert Path("user=a password=b.csv").exists()
