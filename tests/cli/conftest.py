"""Fixtures of the tests of the commands."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from shoal.cli.app import app

TABLE = """\
name,age,sex,zip,disease
Ann,30,f,13053,flu
Bob,31,m,13068,flu
Cid,32,m,13053,cold
Dan,47,m,14850,cold
Eve,48,f,14853,flu
Fay,49,f,14850,mumps
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in, with a table of patients."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patients.csv").write_text(TABLE)
    return tmp_path


@pytest.fixture
def shipped_patients(folder):
    """The table of patients that the documentation ships, in place of the one of the folder."""
    examples = Path(__file__).parents[2] / "docs" / "examples"
    return shutil.copy(examples / "patients.csv", folder / "patients.csv")


@pytest.fixture
def run(folder):
    """Run a command line in the folder."""
    return lambda line: CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)
