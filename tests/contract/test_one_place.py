"""A new model, measure or algorithm takes one line in its list; everything else finds it there."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

import shoal
from contract.lists import DEFINITIONS
from shoal.algorithms import ALGORITHMS
from shoal.algorithms.algorithm import Algorithm
from shoal.analysis.comparison.results import title
from shoal.cli.app import app
from shoal.data.classes import ROWS
from shoal.data.recoding import Recoding
from shoal.metrics import METRICS, Metric
from shoal.models import MODELS, Form, Parameter, SensitiveModel
from shoal.ui.state.models import model_of, offers
from shoal.ui.state.project import algorithms

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")

TABLE = "age,zip,disease\n" + "".join(
    f"{30 + row % 4},1305{row % 3},{('flu', 'cold', 'mumps')[row % 3]}\n" for row in range(24)
)
RELEASE = "anonymize patients.csv --quasi age,zip --sensitive disease --algorithm mondrian --k 2 -o safe.csv"


@dataclass(frozen=True)
class SecondValue(SensitiveModel):
    """At least `m` rows of every class do not have its most frequent sensitive value."""

    m: int
    sensitive: str | None = None

    name: ClassVar[str] = "second-value"
    label: ClassVar[str] = "m = {m} others"
    forms: ClassVar[tuple[Form, ...]] = (
        Form("others>={m}", "Other answers", "|E| − max c(s) ≥ m", (Parameter("m", 1, 20, 1, 1, "rows, at least"),)),
    )
    parameter: ClassVar[str] = "m"
    at_least: ClassVar[bool] = True
    monotone: ClassVar[bool] = True

    def holds(self, classes, name):
        """Return for each class whether enough rows have another value."""
        return self.measured(classes, name) >= self.m

    def measured(self, classes, name):
        """Return how many rows have another value."""
        return classes.sizes - classes.counts(name).most

    def words(self, noun=ROWS):
        """Say what the model promises."""
        return f"In every class at least {self.m} {noun.many} have another value of {self.column_words} than most."


@dataclass(frozen=True)
class OneClass(Algorithm):
    """Put every row into one class."""

    gap: int = 0

    name: ClassVar[str] = "one-class"
    title: ClassVar[str] = "everything in one class"
    summary: ClassVar[str] = "nothing is left"

    def recode(self, table, model, *, max_suppressed=0, progress=None):
        """Group all rows."""
        return Recoding.of_groups(table, np.zeros(len(table.weights), np.int32))


def rows_per_class(table, recoding):
    """ROWS: rows / classes."""
    return table.rows / recoding.sizes.size


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command line in a folder with a table of patients."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patients.csv").write_text(TABLE)
    return lambda line: CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)


@pytest.fixture
def new_model(monkeypatch):
    """Add the model to the list."""
    MODELS.append(SecondValue)
    yield
    MODELS.remove(SecondValue)


@pytest.mark.usefixtures("new_model")
def test_a_new_model_is_written_reported_kept_and_applied(run, tmp_path):
    made = run(f"{RELEASE} --require 'others>=3 of disease' --report safe.json --report safe.html")
    assert made.exit_code == 0, made.output
    assert "m = 3 others" in made.output
    assert "In every class at least 3 rows have another value of “disease” than most." in (
        tmp_path / "safe.html"
    ).read_text(encoding="utf-8")
    kept = json.loads((tmp_path / "safe.json").read_text())["generalization"]["model"]
    assert kept[1] == {"name": "SecondValue", "m": 3, "sensitive": "disease"}
    again = run("apply safe.json patients.csv -o again.csv")
    assert again.exit_code == 0, again.output
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "safe.csv").read_bytes()


@pytest.mark.usefixtures("new_model")
def test_a_new_model_is_certified(run, tmp_path):
    line = "anonymize patients.csv --quasi age --sensitive disease --algorithm mondrian --k 2 -o safe.csv -q"
    assert run(f"{line} --require 'others>=3'").exit_code == 0
    certificate = shoal.certify(
        "safe.csv",
        "patients.csv",
        quasi_identifiers="age",
        sensitive="disease",
        model=shoal.KAnonymity(2) & SecondValue(3),
        algorithm="mondrian",
    ).to_dict("case.json")
    check = next(check for check in certificate["checks"] if check["check"] == "m = 3 others")
    assert check["required"] == {"m": 3}
    assert check["measured"] == {"m": 4}


@pytest.mark.usefixtures("new_model")
def test_a_new_model_is_assessed(run):
    shown = run("assess patients.csv --quasi age --sensitive disease --require 'others>=9'")
    assert shown.exit_code == 1
    assert "others>=9" in shown.output
    assert "others" in shown.output.partition("What every class satisfies")[2].partition("Requirements")[0]
    found = shoal.assess("patients.csv", quasi_identifiers="age", sensitive="disease")
    assert found.sensitive["disease"].others == found.to_dict()["sensitive"]["disease"]["others"] == 4
    unknown = run("assess patients.csv --quasi age --require 'privacy>=9'")
    assert "others>=…" in unknown.output


@pytest.mark.usefixtures("new_model")
def test_a_new_model_is_offered_by_the_workbench():
    offer = offers()["others"]
    assert (offer.title, offer.requirement({"m": 2})) == ("Other answers", "others>=2")
    assert model_of({"k": {"k": 2}, "others": {"m": 2}}, ["disease"]) == shoal.KAnonymity(2) & SecondValue(2)
    assert offer.promise({"m": 2}, ["disease"]) == SecondValue(2).words()


def test_every_model_can_be_written_and_is_offered():
    offered = {offer.model for offer in offers().values()}
    assert offered == set(MODELS)
    assert all(model.forms and model.name and model.label for model in MODELS)
    defined = {type(part) for model, _ in DEFINITIONS for part in model.parts}
    assert {model for model in MODELS if model.per_class and not model.uses_population} == defined


def test_p_sensitivity_and_presence_are_requirements(run, tmp_path):
    (tmp_path / "people.csv").write_text(TABLE * 3)
    line = "anonymize patients.csv --quasi age,zip --sensitive disease --hierarchy zip=prefix"
    line += " --algorithm full-domain"
    assert run(f"{line} --require 'p-sensitive(2, 3)' -o one.csv").exit_code == 0
    made = run(f"{line} --require 'presence(0.1, 0.5), k-map>=4' --population people.csv -o two.csv --json")
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["parameters"]["model"] == "(0.1, 0.5)-presence and 4-map"
    alone = run(f"{line} --require 'presence(0.1, 0.5)' -o three.csv")
    assert alone.exit_code == 2
    assert "needs a population table" in alone.output


def test_a_new_measure_is_listed_computed_and_compared(run, monkeypatch):
    monkeypatch.setitem(METRICS, "rows_per_class", Metric("rows_per_class", "rows (R)", "R", rows_per_class))
    assert "ROWS: rows / classes." in run("metrics").output
    assert run(f"{RELEASE} -q").exit_code == 0
    measured = run("metrics patients.csv safe.csv --quasi age,zip --measure rows_per_class --json")
    assert json.loads(measured.stdout)["rows_per_class"] >= 2
    compared = run(
        "compare patients.csv --quasi age,zip --algorithms mondrian --k 2 --repeat 1 --measures rows_per_class"
    )
    assert compared.exit_code == 0, compared.output
    assert title("rows_per_class") == "rows (R)"


def test_a_new_algorithm_is_accepted_by_name(run, monkeypatch, tmp_path):
    monkeypatch.setitem(ALGORITHMS, "one-class", OneClass)
    release = shoal.anonymize(
        "patients.csv",
        quasi_identifiers=["age", "zip"],
        sensitive="disease",
        model=shoal.KAnonymity(2),
        algorithm="one-class",
    )
    assert release.report.classes == 1
    line = "anonymize patients.csv --quasi age,zip --sensitive disease --k 2 --algorithm one-class --set gap=3"
    made = run(f"{line} -o safe.csv --report safe.html")
    assert made.exit_code == 0, made.output
    assert "everything in one class (gap: 3)" in made.output
    assert "everything in one class (gap: 3)" in (tmp_path / "safe.html").read_text(encoding="utf-8")
    assert algorithms()["one-class"] == "everything in one class: nothing is left"
