"""shoal anonymize without an algorithm: auto picks one and says so."""

from __future__ import annotations

import json

import pytest

from shoal.algorithms import ALGORITHMS, LocalRecoding
from shoal.algorithms.algorithm import describe
from shoal.cli.options import complete_algorithm
from shoal.cli.provenance import _without_effort

WHY = (
    "auto picked local recoding (balanced): every class is made as coarse as its own rows need; 6 rows with 2 "
    "quasi-identifiers are few enough for the better search."
)
LINE = "anonymize patients.csv --keep name --quasi age,sex --k 3"


def test_what_is_picked_is_shown(run):
    shown = " ".join(run(LINE).stdout.split())
    assert f"algorithm {describe(LocalRecoding())} why auto picked local recoding (balanced): " in shown
    assert WHY in shown
    assert "why" not in run(f"{LINE} --algorithm mondrian").stdout


def test_every_report_says_why(folder, run):
    line = f"{LINE} -o safe.csv --report safe.html --report safe.json --report safe.pdf --json"
    printed = json.loads(run(line).stdout)
    assert printed["choice"] == WHY
    assert printed["parameters"]["algorithm"] == str(LocalRecoding())
    assert json.loads((folder / "safe.json").read_text())["choice"] == WHY
    assert f"<th>why</th><td>{WHY}</td>" in (folder / "safe.html").read_text()
    assert (folder / "safe.pdf").stat().st_size > 0


@pytest.mark.parametrize(
    ("options", "effort"),
    [
        ("--effort fast", "fast"),
        ("--effort 0.1", 0.1),
        ("--set effort=best", "best"),
        ("--algorithm local --effort=1", 1.0),
    ],
)
def test_the_effort_goes_on(run, options, effort):
    found = run(f"{LINE} {options} --json")
    assert json.loads(found.stdout)["parameters"]["algorithm"] == str(LocalRecoding(effort)), found.stderr


def test_the_effort_in_a_file_goes_on_and_an_option_goes_before_it(folder, run):
    (folder / "effort.toml").write_text("[algorithm]\neffort = 0.1\n")
    for options, effort in (("", 0.1), ("--effort fast", "fast")):
        found = run(f"{LINE} --config effort.toml {options} --json")
        assert json.loads(found.stdout)["parameters"]["algorithm"] == str(LocalRecoding(effort)), found.stderr


def test_the_command_of_a_release_names_no_effort_where_the_algorithm_knows_none():
    typed = ["a", "--effort", "2", "--k", "5", "--set", "effort=2", "--set=effort=3", "--effort=fast"]
    assert _without_effort(typed) == ["a", "--k", "5"]


def test_the_seed_goes_on(run):
    found = json.loads(run(f"{LINE} --seed 5 --json").stdout)
    assert found["parameters"]["algorithm"] == str(LocalRecoding(seed=5))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--effort slow", "The effort is fast, balanced, best or a number of seconds above 0, not 'slow'."),
        ("--set effort=fast --effort best", "--effort and --set effort set the same: give one of them."),
        ("--effort 0", "The effort is fast, balanced, best or a number of seconds above 0, not 0.0."),
        (
            "--effort 2 --algorithm mondrian",
            "mondrian has no parameter 'effort': it has dimension, cut, relaxed, ties, categorical, seed, blind.",
        ),
        (
            "--set alpha=0.5",
            "auto has no parameter 'alpha': it is one of sequential, so name the algorithm, as --algorithm sequential.",
        ),
        ("--set depth=3", "auto has no parameter 'depth': it has seed, effort."),
        (
            "--weight age=3",
            "--weight is for full-domain and local: auto knows none, so add --algorithm local.",
        ),
        (
            "--levels age=1",
            "--levels is for full-domain: auto knows none, so add --algorithm full-domain.",
        ),
        *(
            (
                option,
                "--nodes, --front and --trade-off are for full-domain algorithms, not for auto: name one, such as "
                "--algorithm full-domain.",
            )
            for option in ("--nodes nodes.csv", "--front front.png", "--trade-off")
        ),
    ],
)
def test_options_of_other_algorithms_name_them(folder, run, options, message):
    result = run(f"{LINE} {options}")
    assert (result.exit_code, result.stderr) == (2, f"shoal: {message}\n")
    assert [path.name for path in folder.iterdir()] == ["patients.csv"]


def test_help_and_completion_name_every_algorithm(run):
    shown = run("anonymize --help").stdout.replace("│", " ")
    words = " ".join(shown.split()).replace("- ", "-")
    assert "auto picks one and says why" in words
    for name in ALGORITHMS:
        assert name in words
    assert complete_algorithm()[0] == "auto"
