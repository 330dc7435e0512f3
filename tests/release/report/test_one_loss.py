"""A release has one loss (LM) and, beside suppressed rows, one by released values: each with its name everywhere."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli.app import app

pytest.importorskip("nicegui")
AGES = [20, 21, 22, 23, 24, 25, 40, 41, 42, 43, 44, 90]  # one row is suppressed, and 90 with it
TOWNS = list("abcdefghijkl")  # which must be hidden
CONFIG = """
[data]
file = "people.csv"
[roles]
quasi = ["age", "town"]
[hierarchies]
age = "intervals:10,30"
town = "flat"
[model]
k = 3
[limits]
max_suppression = {limit}
[algorithm]
name = "full-domain"
[output]
file = "safe.csv"
report = ["safe.html", "safe.json"]
"""
LOSS, PUBLISHED = "loss (LM)", "loss (LM) by released values"


def exact(ages, shown, everything):
    """LM by its definition, of the column of ages and of a town that is hidden, with one suppressed row."""
    by_age = [Fraction(sum(value in label for value in everything) - 1, len(everything) - 1) for label in shown]
    return (sum(by_age) + (len(ages) - len(shown)) + len(ages)) / (2 * len(ages))


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("limit", [1, 0])
def test_all_places_agree(tmp_path, monkeypatch, limit):
    from shoal.ui.pages import elements

    monkeypatch.chdir(tmp_path)
    shown = [range(10 * (age // 10), 10 * (age // 10) + 10) for age in AGES[: len(AGES) - 1]]
    ages, towns = (AGES, TOWNS) if limit else (AGES[:-1], TOWNS[:-1])
    lines = [f"{age},{town}" for age, town in zip(ages, towns, strict=True)]
    (tmp_path / "people.csv").write_text("\n".join(["age,town", *lines, ""]))
    (tmp_path / "shoal.toml").write_text(CONFIG.format(limit=limit))

    def run(line):
        result = CliRunner(env={"COLUMNS": "200"}).invoke(app, line.split(), catch_exceptions=False)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    said = " ".join(run("anonymize --config shoal.toml").split())
    report = json.loads((tmp_path / "safe.json").read_text())
    page = (tmp_path / "safe.html").read_text()
    assert report["suppressed_rows"] == limit
    loss = report["metrics"]["loss"]
    assert loss == pytest.approx(float(exact(ages, shown, set(ages))), abs=1e-12)
    expected = {LOSS: f"{loss:.4f}"}
    if limit:
        published = report["by_released_values"]["loss"]
        assert published == pytest.approx(float(exact(ages, shown, set(AGES[:-1]))), abs=1e-12)
        expected[PUBLISHED] = f"{published:.4f}"
        assert len(set(expected.values())) == 2
    else:
        assert report["by_released_values"] is None
    # the terminal, and the page to publish, which must not tell what only suppressed rows have
    assert dict(re.findall(r"(loss \(LM\)(?: by released values)?) ([\d.]+) per cell", said)) == expected
    told = re.findall(r"<th>(loss \(LM\)[^<]*)</th><td>([\d.]+) per cell", page)
    assert set(told) == {(PUBLISHED, expected[PUBLISHED])} if limit else {(LOSS, expected[LOSS])}
    assert len(told) == 2
    # the workbench
    figures = {}
    monkeypatch.setattr(elements, "figure", lambda value, name, meaning: figures.update({name: value}))
    elements.loss_figures(report)
    assert figures == expected
    # the measure of the written release, the comparison, and the certificate
    measured = json.loads(
        run("metrics people.csv safe.csv --quasi age,town --hierarchy age=intervals:10,30 --hierarchy town=flat --json")
    )
    assert measured["loss"] == pytest.approx(loss, abs=1e-15)
    grid = "--hierarchy age=intervals:10,30 --hierarchy town=flat --algorithms full-domain --k 3 --repeat 1"
    compared = json.loads(
        run(f"compare people.csv --quasi age,town {grid} --max-suppression {limit} --measures loss --json")
    )
    assert [value for cell in compared["cells"] for value in figures_in(cell)] == [loss]
    run("certify --config shoal.toml")
    case = json.loads((tmp_path / "certificate.case.json").read_text())
    assert case["case"]["report"]["loss"] == loss
    certificate = json.loads((tmp_path / "certificate.json").read_text())
    assert certificate["figures"].get("loss") == (None if limit else loss)


def figures_in(cell):
    """The losses of a cell of a comparison, wherever they stand in it."""
    if isinstance(cell, dict):
        for name, value in cell.items():
            yield from [value] if name in ("loss", "mean") and isinstance(value, float) else figures_in(value)
    elif isinstance(cell, list):
        for value in cell:
            yield from figures_in(value)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_samarati_leaves_suppressed_rows_out_unless_it_is_told_to_keep_them():
    table = pa.table({"age": AGES, "town": TOWNS})
    asked = {"quasi_identifiers": ["age", "town"], "hierarchies": {"age": "intervals:10,30", "town": "flat"}}
    asked |= {"model": shoal.KAnonymity(3), "max_suppression": 1}
    made = shoal.anonymize(table, algorithm="samarati", **asked)
    assert (made.report.suppressed_rows, made.frame.num_rows) == (1, 11)
    assert made.report.parameters["suppressed"] == made.request.suppressed == "drop"
    assert "1 row (8.3 %), left out" in made.to_html()
    assert "suppressed" not in made.to_python()
    kept = shoal.anonymize(table, algorithm=shoal.Samarati(), suppressed="keep", **asked)
    assert (kept.report.suppressed_rows, kept.frame.num_rows) == (1, 12)
    assert 'suppressed="keep"' in kept.to_python()
    assert kept.report.metrics == made.report.metrics
    other = shoal.anonymize(table, algorithm="full-domain", **asked)
    assert other.frame.num_rows == 12
    assert "suppressed" not in other.to_python()
    left_out = shoal.anonymize(table, algorithm="full-domain", suppressed="drop", **asked)
    assert 'suppressed="drop"' in left_out.to_python()


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_samarati_keeps_them_where_their_absence_would_tell_something():
    table = pa.table({"age": AGES})
    model = shoal.DeltaPresence(0.1, 0.5, pa.table({"age": [*AGES, *AGES]}))
    asked = {"quasi_identifiers": "age", "hierarchies": {"age": "intervals:10,30"}, "algorithm": "samarati"}
    made = shoal.anonymize(table, model=model, max_suppression=2, **asked)
    assert made.request.suppressed == "keep"


def test_the_help_and_the_terminal_say_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"{age},{town}" for age, town in zip(AGES, TOWNS, strict=True)]
    (tmp_path / "people.csv").write_text("\n".join(["age,town", *lines, ""]))
    (tmp_path / "shoal.toml").write_text(CONFIG.format(limit=1).replace('"full-domain"', '"samarati"'))
    said = CliRunner(env={"COLUMNS": "200"}).invoke(
        app, ["anonymize", "--config", "shoal.toml"], catch_exceptions=False
    )
    assert "12, 1 suppressed and left out" in said.stdout
    assert len((tmp_path / "safe.csv").read_text().splitlines()) == 12
    assert CliRunner().invoke(app, ["certify", "--config", "shoal.toml"], catch_exceptions=False).exit_code == 0
    shown = CliRunner(env={"COLUMNS": "300"}).invoke(app, ["anonymize", "--help"]).stdout
    assert "drop them, the default of samarati" in " ".join(shown.replace("│", " ").split())
