"""The example folder of the COMP 430/530 assignment: its files are up to date, and run_all.py runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from oracles.comp430 import Assignment, classes, read_table

FOLDER = Path(__file__).parents[2] / "examples" / "comp430"


def run(script, *arguments):
    line = [sys.executable, str(FOLDER / script), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=True).stdout


def test_the_files_are_made_by_the_script(tmp_path):
    run("make_data.py", tmp_path)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert len(made) == 9
    assert made == {path: (FOLDER / path).read_bytes() for path in made}
    assert len(list((FOLDER / "DGHs").iterdir())) == 8


def test_the_table_has_the_form_of_the_course():
    literal = Assignment(FOLDER / "adult.csv", FOLDER / "DGHs")
    assert 2000 <= len(literal.rows) <= 3000
    assert len(literal.trees) == 8
    assert literal.header[literal.sensitive] == "occupation"
    assert len({row[literal.sensitive] for row in literal.rows}) >= 8


def test_all_functions_run_on_it(tmp_path):
    printed = run("run_all.py", tmp_path)
    literal = Assignment(FOLDER / "adult.csv", FOLDER / "DGHs")
    names = ["random-seed1", "clustering", "bottomup-l1", "bottomup-l4"]
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(names)
    lines = printed.splitlines()[2:]
    for name, line in zip(names, lines, strict=True):
        md, lm = literal.costs(tmp_path / f"{name}.csv")
        *_, shown_md, shown_lm, _ = line.split()
        assert (int(shown_md), float(shown_lm)) == (md, pytest.approx(float(lm), abs=0.00051))
        secrets = classes(*read_table(tmp_path / f"{name}.csv"), literal.sensitive).values()
        assert min(map(len, secrets)) >= 5
        assert min(len(set(secret)) for secret in secrets) >= (4 if name == "bottomup-l4" else 1)
    assert (tmp_path / "random-seed1.csv").read_bytes() == literal.written(literal.random(5, 1))


def test_the_readme_shows_what_is_printed(tmp_path):
    costs = re.findall(r"^(.*\d{4,5} +[\d.]+) +[\d.]+$", run("run_all.py"), re.MULTILINE)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert len(costs) == 4
    for line in costs:
        assert line in readme
