"""Settings and fixtures of all tests, and the one switch for how deep they go: `--depth=quick` or `--depth=all`."""

from __future__ import annotations

import gc
import os
import signal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

import shoal
from depth import QUICK_ROWS, quick

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a job in the background, where Ctrl-C is for others
    signal.signal(signal.SIGINT, signal.default_int_handler)

SPARK = "tests/engines/spark/"
LONGEST = (SPARK, "tests/ui/test_workbench", "tests/ui/test_journey", "tests/cli/test_compare")  # these start first
# How long an example takes depends on the machine and on what it has compiled; many tables cannot satisfy a model.
CHANCE = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("shoal", settings.default, deadline=None, suppress_health_check=CHANCE)
settings.load_profile("shoal")

# A runner of command lines would build all commands anew for each line, which takes longer than most of them.
typer.testing._get_command = cache(typer.testing._get_command)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --depth."""
    parser.addoption(
        "--depth",
        choices=["quick", "all"],
        default="quick",
        help="quick: a share of the random examples, and no tests that are marked deep; all: everything",
    )


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels once, before any worker starts."""
    if getattr(session.config.option, "numprocesses", None):
        import warm_kernels

        warm_kernels.warm()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run one worker more than there are cores, as some tests wait for servers and other processes."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Send the tests of a group to one worker; the groups start in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    config.option.loadscopereorder = False
    return ByGroup(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take what the depth asks for, the longest groups first."""
    if config.getoption("depth") == "quick":
        deep = [item for item in items if item.get_closest_marker("deep")]
        config.hook.pytest_deselected(items=deep)
        items[:] = [item for item in items if not item.get_closest_marker("deep")]
        for function in {getattr(item, "function", None) for item in items}:
            if getattr(function, "is_hypothesis_test", False):
                function._hypothesis_internal_use_settings = quick(function._hypothesis_internal_use_settings)
    items.sort(key=lambda item: not group_of(item.nodeid).startswith(LONGEST))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the garbage collector the thousands of tests, which stay until the end."""
    gc.collect()
    gc.freeze()


def group_of(nodeid: str) -> str:
    """Name the tests that one worker runs: those that share a Spark session, or those of a file."""
    return SPARK if nodeid.startswith(SPARK) else nodeid.partition("::")[0]


@pytest.fixture
def small_adult(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut the shipped Adult table to its first rows, unless all depth is asked for."""
    if request.config.getoption("depth") == "quick":
        whole = shoal.datasets.adult
        monkeypatch.setattr(shoal.datasets, "adult", lambda **options: whole(**options).slice(0, QUICK_ROWS))


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of reference tables and hierarchies; tests that want it are skipped if there is none."""
    folder = os.environ.get("SHOAL_REFERENCE_DATA")
    if not folder:
        pytest.skip("SHOAL_REFERENCE_DATA names no folder of reference data")
    return Path(folder)
