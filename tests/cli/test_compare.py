"""shoal compare on the command line."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

import shoal
from shoal.analysis.comparison import page, plots
from shoal.analysis.comparison.plots import figures
from shoal.cli.app import app

QUASI = ["age", "sex", "education"]


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = shoal.datasets.adult().select([*QUASI, "occupation"]).slice(0, 400)
    with (tmp_path / "t.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.column_names)
        writer.writerows(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, ["compare", *words])


@pytest.fixture(autouse=True)
def one_plot(request, monkeypatch):
    """Draw one plot of a comparison, unless the test looks for all of them, as drawing takes longer than comparing."""
    if request.function is not test_everything_is_there:
        for module in (plots, page):
            monkeypatch.setattr(module, "figures", lambda results: dict([next(iter(figures(results).items()))]))


PLAIN = ["t.csv", "--quasi", "age,sex,education", "--sensitive", "occupation"]


def test_everything_is_there(data):
    result = run(*PLAIN, "--algorithms", "mondrian,random", "--k", "3,6..7", "--l", "1..2", "-o", "out")
    assert result.exit_code == 0, result.output
    assert "loss (LM) at ℓ = 1" in result.output
    said = " ".join(result.output.split())
    assert re.search(
        r"Utility\. At ℓ = 1, as expected, all lose more .* mondrian has the lowest LM( and MD)? at every k", said
    )
    assert "Scales: LM from 0 to 1 and MD from 0 to" in said
    names = {path.name for path in (data / "out").iterdir()}
    assert names >= {"runs.jsonl", "cells.csv", "cells.json", "index.html", "report.pdf", "time_against_k.svg"}
    with (data / "out" / "cells.csv").open() as file:
        cells = [(row["algorithm"], row["k"], row["l"]) for row in csv.DictReader(file)]
    assert cells == [(name, k, l) for name in ("mondrian", "random") for l in "12" for k in "367"]  # noqa: E741


def test_no_figure_is_broken_however_many_algorithms(data, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    names = "random,clustering,k-member,graph,hilbert,mondrian,mondrian:dimension=widest"
    result = run(*PLAIN, "--algorithms", names, "--k", "4", "--measures", "loss", "--repeat", "2", "-o", "out")
    assert result.exit_code == 0, result.output
    rows = [line for line in result.output.splitlines() if line.startswith("│")]
    cells = [cell.strip() for row in rows for cell in row.strip("│").split("│")]
    assert len(rows) > 1
    assert sum(cell == "4" for cell in cells) == len(rows)
    figure = r"\d\.\d+( ± \d\.\d+)?"
    assert [bool(re.fullmatch(figure, cell)) for cell in cells if cell != "4"] == [True] * 7
    assert "dimension=widest" in result.output


def test_json_and_quiet(data):
    result = run(*PLAIN, "--k", "5", "--measures", "loss,discernibility", "--repeat", "1", "--json")
    found = json.loads(result.stdout)
    assert [cell["algorithm"] for cell in found["cells"]] == ["random", "clustering", "mondrian"]
    assert set(found["cells"][0]["runs"][0]) == {"loss", "discernibility", "classes", "smallest_class", "fewest_values"}
    assert run(*PLAIN, "--k", "5", "-q").output == ""


def test_parameters_of_algorithms(data):
    both = "mondrian,mondrian:dimension=widest:cut=median"
    result = run(*PLAIN, "--algorithms", both, "--k", "5", "--measures", "loss", "--json")
    found = json.loads(result.stdout)["cells"]
    assert [cell["algorithm"] for cell in found] == ["mondrian", "mondrian dimension=widest cut=median"]
    assert found[0]["runs"][0]["loss"] < found[1]["runs"][0]["loss"]


def test_hierarchies_from_a_folder(data):
    (data / "trees").mkdir()
    (data / "trees" / "sex.txt").write_text("*\n\tMale\n\tFemale\n")
    given = (*PLAIN, "--k", "5", "--measures", "distortion", "--repeat", "1", "--json")
    with_folder = run(PLAIN[0], "trees", *given[1:]).stdout
    assert json.loads(with_folder)["cells"] == json.loads(run(*given, "--hierarchies", "trees").stdout)["cells"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["t.csv"], "No quasi-identifier is named: name the columns with --quasi, such as --quasi age,sex."),
        ([*PLAIN, "--k", "4-8"], "--k '4-8' must be whole numbers, such as 4,8,16 or 1..8."),
        ([*PLAIN, "--k", "8..4"], "--k '8..4' must be whole numbers, such as 4,8,16 or 1..8."),
        ([*PLAIN, "--k", "1..100000000"], "--k '1..100000000' has a range of more than 10,000 numbers: choose fewer."),
        ([*PLAIN, "--l", ""], "--l '' must be whole numbers, such as 4,8,16 or 1..8."),
        ([*PLAIN, "--algorithms", "magic"], "There is no algorithm 'magic': choose from "),
        ([*PLAIN, "--algorithms", "mondrian:deep=1"], "mondrian has no parameter 'deep'"),
        ([*PLAIN, "--measures", "lss"], "There is no measure 'lss': did you mean 'loss'?"),
        ([*PLAIN, "-o", "."], "t.csv: this input is in the output folder '.'. Name another folder with -o."),
        (["--course", "t.csv"], "--course needs the folder of the DGHs: shoal compare --course data.csv DGHs/"),
        (
            ["--course", *PLAIN, "--hierarchies", "x"],
            "--course uses the parameters of the assignment: leave out --quasi, --sensitive.",
        ),
        (["t.csv", "a", "--hierarchies", "b"], "The folder of hierarchies is named twice: keep one of the two."),
        ([*PLAIN, "-o", "no/such"], "no/such: no folder can be made here. Name one in a folder that exists."),
    ],
    ids=str,
)
def test_bad_input(data, words, sentence):
    result = run(*words)
    assert result.exit_code == 2
    assert sentence in result.output
    assert [path.name for path in data.iterdir()] == ["t.csv"]


def test_runs_are_kept_and_forgotten(data):
    given = [*PLAIN, "--k", "5", "--measures", "loss", "--repeat", "1", "--algorithms", "random"]
    run(*given)
    kept = data / "comparison" / "runs.jsonl"
    line = json.loads(kept.read_text())
    kept.write_text(json.dumps(line | {"figures": {"loss": 0.5}}) + "\n")
    assert json.loads(run(*given, "--json").stdout)["cells"][0]["runs"] == [{"loss": 0.5}]
    assert json.loads(run(*given, "--json", "--fresh").stdout)["cells"][0]["runs"] == [line["figures"]]


def test_fresh_forgets_only_when_there_is_something_new(data):
    given = [*PLAIN, "--k", "5", "--measures", "loss", "--repeat", "1", "--algorithms", "random", "-o", "out"]
    run(*given)
    kept = (data / "out" / "runs.jsonl").read_text()
    assert run("nosuch.csv", "--quasi", "a", "--fresh", "-o", "out").exit_code == 2
    assert run(*PLAIN, "--k", "5", "--measures", "nosuch", "--fresh", "-o", "out").exit_code == 2
    assert (data / "out" / "runs.jsonl").read_text() == kept
    run(*given, "--fresh", "--seed", "1")
    assert kept not in (data / "out" / "runs.jsonl").read_text()


def test_hierarchies_in_the_output_folder_are_safe(data):
    (data / "trees").mkdir()
    (data / "trees" / "cells.csv").write_text("Male,*\nFemale,*\n")
    for words in (["trees", *PLAIN[1:]], [*PLAIN[1:], "--hierarchy", "sex=trees/cells.csv"]):
        result = run("t.csv", *words, "-o", "trees")
        assert result.exit_code == 2
        assert "is in the output folder 'trees'" in result.output


def test_nothing_that_can_be_released(data):
    result = run(*PLAIN, "--k", "1000", "--l", "1,2", "-o", "out")
    assert result.exit_code == 0, result.output
    assert "There is no release at k = 1000 (the table has" in " ".join(result.output.split())
    assert (data / "out" / "report.pdf").exists()


def test_names_that_the_font_lacks_make_no_noise(data):
    (data / "t.csv").rename(data / "日本語.csv")
    result = run("日本語.csv", *PLAIN[1:], "--k", "5", "--repeat", "1", "-q")
    assert (result.exit_code, result.output) == (0, "")


def test_without_matplotlib_the_cells_are_written(data, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("shoal.system.optional_packages.import_module", missing)
    result = run(*PLAIN, "--k", "5", "--measures", "loss", "--repeat", "1")
    assert result.exit_code == 0
    assert "need matplotlib: pip install 'shoal[plots]'" in result.output.replace("\n", " ")
    assert sorted(path.name for path in (data / "comparison").iterdir()) == ["cells.csv", "cells.json", "runs.jsonl"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("measures", ["loss", "loss,time"])
def test_ctrl_c_keeps_what_is_finished(data, measures):
    command = [sys.executable, "-m", "shoal", "compare", *PLAIN, "--algorithms", "k-member,graph,oka,random,clustering"]
    command += ["--k", "2..30", "--measures", measures, "--repeat", "20"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    kept = data / "comparison" / "runs.jsonl"
    for _ in range(1200):
        time.sleep(0.05)
        if process.poll() is not None or (kept.exists() and kept.read_bytes().count(b"\n") >= 5):
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "finished runs are kept in comparison/runs.jsonl: the same command continues." in err
    assert "Traceback" not in err
    assert [path.name for path in kept.parent.iterdir()] == ["runs.jsonl"]
    assert all(json.loads(line)["figures"] for line in kept.read_text().splitlines())


@pytest.fixture
def course(tmp_path):
    """Make a table as in the assignment: every column but the last has a DGH."""
    table = shoal.datasets.adult().select(["sex", "race", "occupation"]).slice(0, 600)
    (tmp_path / "DGHs").mkdir()
    for name in ("sex", "race"):
        shoal.datasets.adult_hierarchies()[name].save(tmp_path / "DGHs" / f"{name}.txt")
    with (tmp_path / "raw.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.column_names)
        writer.writerows(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return tmp_path


def test_the_experiment_of_the_course(course, monkeypatch):
    monkeypatch.chdir(course)
    result = run("--course", "raw.csv", "DGHs", "-o", "out", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    settings = [(cell["algorithm"], cell["k"], cell["l"]) for cell in found["cells"]]
    ks = [4, 8, 16, 32, 64, 128, 256]
    assert settings == [
        *[(name, k, 1) for name in ("random", "clustering", "bottom-up") for k in ks],
        *[("bottom-up", 16, l) for l in range(2, 9)],  # noqa: E741
    ]
    assert all(len(cell["runs"]) == 3 for cell in found["cells"])
    assert found["measures"] == ["loss_rows", "distortion", "time"]
    assert found["quasi_identifiers"] == ["sex", "race"]
    assert found["sensitive"] == ["occupation"]


@pytest.mark.parametrize(("option", "first"), [("--rows", True), ("--sample", False)])
def test_the_experiment_of_the_course_on_some_rows(course, monkeypatch, option, first):
    monkeypatch.chdir(course)
    given = ("--course", "raw.csv", "DGHs", "--repeat", "1", "--seed", "2", option)
    found = json.loads(run(*given, "40", "-o", "out", "--json").stdout)
    assert found["rows"] == 40
    which = (
        "Only the first 40 rows of the table were taken." if first else "Only 40 rows of the table were taken, drawn"
    )
    assert found["notes"][0].startswith(which)
    assert "There is no release from k = 64 on (the table has 40 rows" in found["discussion"][-1]
    assert len(found["discussion"]) <= 8
    refused = run(*given, "100000", "-o", "out")
    assert (refused.exit_code, "= 100,000 is more than the table has" in refused.output) == (2, True)


def test_the_course_has_one_sensitive_column(course, monkeypatch):
    monkeypatch.chdir(course)
    (course / "DGHs" / "race.txt").unlink()
    result = run("--course", "raw.csv", "DGHs", "-o", "out")
    assert result.exit_code == 2
    assert "'race', 'occupation'" in result.output
