"""shoal anonymize --algorithm local: its efforts, cells and weights as text."""

from __future__ import annotations

import json
import signal
import sys

import pytest

from shoal.algorithms.local_recoding.ruin_and_recreate import Recreation

LINE = "anonymize patients.csv --keep name --quasi age,sex --k 2 --algorithm local -q --json"
EFFORTS = "The effort is fast, balanced, best or a number of seconds above 0, not "


@pytest.mark.parametrize(
    ("options", "algorithm"),
    [
        ("--set effort=0.1", "effort=0.1, cells='free', objective='loss', weights=None, seed=0, rounds=None"),
        ("--set effort=1e-1", "effort=0.1, cells='free', objective='loss', weights=None, seed=0, rounds=None"),
        (
            "--set effort=balanced",
            "effort='balanced', cells='free', objective='loss', weights=None, seed=0, rounds=None",
        ),
        (
            "--set cells=nodes --seed 4",
            "effort='balanced', cells='nodes', objective='loss', weights=None, seed=4, rounds=None",
        ),
        (
            "--set effort=fast --weight age=3 --weight sex=0.5 --set objective=entropy",
            "effort='fast', cells='free', objective='entropy', weights={'age': 3.0, 'sex': 0.5}, seed=0, rounds=None",
        ),
    ],
)
def test_parameters_are_read_from_text(run, options, algorithm):
    result = run(f"{LINE} {options}")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["parameters"]["algorithm"] == f"LocalRecoding({algorithm})"
    assert found["k"] >= 2


def test_nodes_are_values_or_nothing(folder, run):
    assert run(f"{LINE} --set cells=nodes -o safe.csv").exit_code == 0
    ages = {line.split(",")[1] for line in (folder / "safe.csv").read_text().splitlines()[1:]}
    assert ages == {"*"}


@pytest.mark.parametrize(("effort", "shown"), [("0.2", "0.2"), ("1", "1.0"), ('"fast"', "'fast'")])
def test_an_effort_in_a_file_is_a_name_or_a_number(folder, run, effort, shown):
    (folder / "shoal.toml").write_text(f'[algorithm]\nname = "local"\neffort = {effort}\nweights = {{ age = 2 }}\n')
    result = run("anonymize patients.csv --keep name --quasi age,sex --k 2 --config shoal.toml -q --json")
    assert result.exit_code == 0, result.stderr
    named = json.loads(result.stdout)["parameters"]["algorithm"]
    assert f"effort={shown}, " in named
    assert "weights={'age': 2.0}" in named


def test_an_effort_in_a_file_is_no_truth(folder, run):
    (folder / "shoal.toml").write_text('[algorithm]\nname = "local"\neffort = true\n')
    result = run("anonymize patients.csv --keep name --quasi age --k 2 --config shoal.toml")
    assert result.exit_code == 2
    said = "effort = true: give fast, balanced, best or a number of seconds, such as 10."
    assert said in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--set effort=slow", f"{EFFORTS}'slow'."),
        ("--set effort=0", f"{EFFORTS}0.0."),
        ("--set effort=-1", f"{EFFORTS}-1.0."),
        ("--set effort=nan", f"{EFFORTS}nan."),
        ("--set effort=inf", f"{EFFORTS.removesuffix(', not ')} and up to 1,000,000,000, not inf."),
        ("--set cells=trees", "LocalRecoding's cells are free or nodes, not 'trees'."),
        ("--weight zip=2", "'zip' is not a quasi-identifier: choose from age, sex."),
        ("--weight age=0 --weight sex=0", "Every weight is 0: give at least one attribute a weight."),
        ("--levels age=1", "--levels is for full-domain: local knows none, so add"),
    ],
)
def test_what_is_wrong_is_said(run, options, message):
    result = run(f"{LINE} {options}")
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize(("rounds", "shown"), [("7", 7), ("0", 0), ("none", None)])
def test_rounds_are_a_number_or_none(folder, run, rounds, shown):
    result = run(f"{LINE} --set rounds={rounds}")
    assert f"rounds={shown})" in json.loads(result.stdout)["parameters"]["algorithm"]
    written = rounds if shown is not None else '"none"'
    (folder / "shoal.toml").write_text(f'[algorithm]\nname = "local"\nrounds = {written}\n')
    result = run("anonymize patients.csv --keep name --quasi age,sex --k 2 --config shoal.toml -q --json")
    assert result.exit_code == 0, result.stderr
    assert f"rounds={shown})" in json.loads(result.stdout)["parameters"]["algorithm"]


@pytest.mark.parametrize("value", ['"7"', "7.5", "true"])
def test_rounds_in_a_file_are_a_whole_number(folder, run, value):
    (folder / "shoal.toml").write_text(f'[algorithm]\nname = "local"\nrounds = {value}\n')
    result = run("anonymize patients.csv --keep name --quasi age --k 2 --config shoal.toml")
    assert result.exit_code == 2
    assert f"rounds = {value}: give a value like 0" in " ".join(result.stderr.split())


def test_rounds_that_are_no_number_are_refused(run):
    result = run(f"{LINE} --set rounds=many")
    assert (result.exit_code, result.stderr) == (2, "shoal: rounds='many' must be a number.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for others")
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("--algorithm local -q", "--algorithm local -q --set rounds=1"),
        ("--set rounds=9 --algorithm local -q", "--algorithm local -q --set rounds=1"),
        ("-q --set=rounds=9 --algorithm local", "-q --algorithm local --set rounds=1"),
        ("-q", "-q --algorithm local --set rounds=1"),
    ],
)
def test_the_command_of_an_interrupted_search_names_the_rounds(folder, run, monkeypatch, typed, told):
    (folder / "many.csv").write_text("age,zip\n" + "".join(f"{20 + 7 * i % 61},{13 * i % 97}\n" for i in range(200)))
    usual = Recreation.round

    def round_(self, heat, work):
        usual(self, heat, work)
        signal.raise_signal(signal.SIGINT)

    line = "anonymize many.csv --quasi age,zip --k 3 -o safe.csv --report r.html"
    with monkeypatch.context() as patch:
        patch.setattr(Recreation, "round", round_)
        result = run(f"{line} {typed}")
    assert result.exit_code == 130
    assert result.stderr == "shoal: the search was interrupted: this is the best release so far.\n"
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert f"<code>shoal {line} {told}</code>" in page
    assert "The command:" in page
    released = (folder / "safe.csv").read_bytes()
    assert run(f"{line} {told}").exit_code == 0
    assert (folder / "safe.csv").read_bytes() == released
    assert "The command, as it was typed:" in (folder / "r.html").read_text(encoding="utf-8")
