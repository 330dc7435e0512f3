"""shoal metrics."""

from __future__ import annotations

import json
import shlex

import pytest
import typer
from typer.testing import CliRunner

from shoal.cli.commands.metrics import metrics
from shoal.metrics import METRICS

SAFE = """\
name,age,sex,zip,disease
Ann,30-32,*,13053,flu
Bob,30-32,*,13068,flu
Cid,30-32,*,13053,cold
Dan,[47,50),*,14850,cold
Eve,"[47,50)",*,14853,flu
Fay,"[47,50)",*,14850,mumps
"""


@pytest.fixture
def run(folder):
    """Run the command in a folder with a table and a release of it."""
    (folder / "safe.csv").write_text(SAFE.replace("Dan,[47,50)", 'Dan,"[47,50)"'))
    app = typer.Typer()
    app.command()(metrics)
    return lambda line: CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)


def test_without_tables_every_measure_is_listed_with_its_formula(run):
    result = run("")
    assert (result.exit_code, result.stderr) == (0, "")
    assert all(name in result.stdout for name in METRICS)
    formulas = json.loads(run("--json").stdout)
    assert list(formulas) == sorted(METRICS)
    assert formulas["discernibility"].startswith("DM: the sum of the squared class sizes;")


def test_a_release_is_measured(run):
    result = run("patients.csv safe.csv --quasi age,sex --sensitive disease")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "discernibility 18" in " ".join(result.stdout.split())


def test_json_alone_is_on_standard_output(run):
    result = run("patients.csv safe.csv --quasi age,sex --hierarchy sex=flat --measure loss,distortion --json")
    assert result.stderr == ""
    assert json.loads(result.stdout) == {"loss": pytest.approx((6 * 2 / 19 + 6) / 12), "distortion": 12}


def test_a_folder_of_hierarchies(folder, run):
    (folder / "trees").mkdir()
    (folder / "trees" / "sex.txt").write_text("*\n\tf\n\tm\n")
    found = json.loads(run("patients.csv safe.csv --quasi sex --hierarchies trees --measure loss --json").stdout)
    assert found == {"loss": 1.0}


@pytest.mark.parametrize("line", ["patients.csv", "patients.csv safe.csv", "patients.csv --quasi age"])
def test_what_is_left_out_is_asked_for(run, line):
    result = run(line)
    assert result.exit_code == 2
    assert "Two tables and their quasi-identifiers are needed" in result.stderr


def test_a_label_that_does_not_fit_is_one_sentence(folder, run):
    (folder / "odd.csv").write_text(SAFE.replace("30-32", "40-50", 1).replace("[47,50),", "47-49,"))
    result = run("patients.csv odd.csv --quasi age")
    assert result.exit_code == 2
    assert result.stderr.startswith("shoal: Row 1 of the release, column 'age': '40-50' does not cover")
