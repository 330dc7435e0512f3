"""shoal warm-up."""

from __future__ import annotations

import logging

import pytest
from typer.testing import CliRunner

from shoal.algorithms import ALGORITHMS
from shoal.cli import kernel_use
from shoal.cli.app import app
from shoal.kernels import compilations
from shoal.kernels.compilations import LOG


@pytest.fixture
def ran(monkeypatch) -> list[str]:
    """The names of the runs that were made, of two that do nothing."""
    done: list[str] = []
    runs = [("one", lambda: done.append("one")), ("two", lambda: done.append("two"))]
    monkeypatch.setattr(kernel_use, "steps", lambda: iter(runs))
    monkeypatch.setattr(compilations.COMPILATIONS, "names", [])
    return done


def test_every_run_is_made_and_the_place_is_told(ran):
    done = CliRunner().invoke(app, ["warm-up"])
    assert done.exit_code == 0
    assert ran == ["one", "two"]
    assert "about a minute" in done.stderr
    assert "nothing was left to compile" in done.stdout
    assert "kept in" in done.stdout


def test_quiet_prints_nothing(ran):
    done = CliRunner().invoke(app, ["warm-up", "--quiet"])
    assert (done.exit_code, done.output, ran) == (0, "", ["one", "two"])


def test_other_commands_announce_compilations_again(ran):
    CliRunner().invoke(app, ["warm-up"])
    assert LOG.isEnabledFor(logging.WARNING)


def test_every_algorithm_is_run():
    names = {name for name, _ in kernel_use.steps()}
    assert {name.replace("_", " ") for name in ALGORITHMS} - {"local"} <= names
    assert "local recoding" in names


def test_the_runs_leave_nothing_to_compile_for_others_of_their_kind():
    runs = dict(kernel_use.steps())
    runs["mondrian"]()
    before = list(compilations.COMPILATIONS.names)
    runs["mondrian"]()
    assert before == compilations.COMPILATIONS.names
