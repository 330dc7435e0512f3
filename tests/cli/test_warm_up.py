"""shoal warm-up."""

from __future__ import annotations

import logging
from contextlib import nullcontext

import pytest
from typer.testing import CliRunner

from shoal.algorithms import ALGORITHMS
from shoal.cli import kernel_use
from shoal.cli.app import app
from shoal.cli.commands import warm_up as warm_up_command
from shoal.kernels.compilations import COMPILATIONS, LOG


@pytest.fixture
def ran(monkeypatch) -> list[str]:
    """The names of the runs that were made, of two that do nothing."""
    done: list[str] = []
    runs = [("one", lambda: done.append("one")), ("two", lambda: done.append("two"))]
    monkeypatch.setattr(kernel_use, "steps", lambda: iter(runs))
    monkeypatch.setattr(COMPILATIONS, "names", [])
    return done


def test_every_run_is_made_and_the_place_is_told(ran):
    done = CliRunner().invoke(app, ["warm-up"])
    assert done.exit_code == 0
    assert ran == ["one", "two"]
    assert "about a minute" not in done.stderr
    assert "all is there: nothing was left to compile; kept in" in done.stdout
    assert "kept in" in done.stdout


def test_the_bar_counts_kernels(ran, monkeypatch):
    """The first of the runs compiles as many as all the others."""
    told = []
    runs = [("one", lambda: COMPILATIONS.start("/kernels/one.py", "kernel")), ("two", lambda: None)]
    monkeypatch.setattr(kernel_use, "steps", lambda: iter(runs))
    monkeypatch.setattr(COMPILATIONS, "files", {"/kernels/one.py"})
    monkeypatch.setattr(COMPILATIONS, "under_way", [])
    monkeypatch.setattr(warm_up_command, "progress_bar", lambda quiet: nullcontext(lambda *shown: told.append(shown)))
    done = CliRunner().invoke(app, ["warm-up"])
    assert told == [("one", 1 / kernel_use.KERNELS)]
    assert done.stderr.count("compiling what is missing, once: about a minute if that is everything") == 1
    assert "1 kernels compiled, " in done.stdout


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
    before = list(COMPILATIONS.names)
    runs["mondrian"]()
    assert before == COMPILATIONS.names
