"""Runs that are killed at each writing step, in the middle of writing, and at any time."""

from __future__ import annotations

import json
import os
import signal

import pytest

from faults.writers import ALL, QUICK
from shoal.io.files import checksum
from shoal.system import temporary_files

KILLED = {"kind": "signal", "number": signal.SIGKILL}


@pytest.mark.parametrize("name", QUICK)
def test_a_run_killed_at_any_step_leaves_the_old_files_or_the_new_ones(cases, name):
    case = cases(name)
    assert case.steps >= (0 if name == "duckdb" else 1)  # DuckDB writes its files itself
    for step in range(1, case.steps + 1):
        case.reset()
        assert case.run({**KILLED, "at": step})["code"] == -signal.SIGKILL
        case.check_whole()
        case.check_next_run()


@pytest.mark.parametrize("name", QUICK)
def test_a_run_killed_in_the_middle_of_writing_leaves_the_old_files(cases, name):
    case = cases(name)
    for size in (0, 1, 100, 1000, 5000, 20_000, 100_000) if ALL else (0, 3000):
        case.reset()
        ended = case.run({"kind": "size", "bytes": size, "kill": True})
        if ended["code"] == 0:
            assert case.seen() == case.new
            break
        assert ended["code"] == -signal.SIGXFSZ, ended
        case.check_whole()
        case.check_next_run()


@pytest.mark.parametrize("name", QUICK if ALL else ["memory", "duckdb"])
def test_a_run_killed_at_any_time_leaves_the_old_files_or_the_new_ones(cases, name):
    case = cases(name)
    for moment in range(40 if ALL else 8):
        case.reset()
        case.run({"number": signal.SIGKILL, "after": 0.01 + moment * (0.01 if ALL else 0.03)})
        case.check_whole()
        case.check_next_run()


def test_a_report_tells_which_release_it_belongs_to(cases):
    case = cases("csv")
    mixed = 0
    for step in range(1, case.steps + 1):
        case.reset()
        case.run({**KILLED, "at": step})
        found = case.seen()
        told = json.loads(found["safe.json"])["release"]["sha256"]
        belongs = (found["safe.json"] == case.new["safe.json"]) == (found["safe.csv"] == case.new["safe.csv"])
        assert (told == checksum(case.folder / "safe.csv")) == belongs
        mixed += not belongs
    assert mixed  # the moment between the two renames


def test_only_what_a_dead_run_of_this_machine_left_is_removed(tmp_path):
    target, token = tmp_path / "safe.csv", "0123abcd"
    mark, dead = f".safe.csv.shoal-{temporary_files._machine()}-", 999_999_999
    kept = {
        f"{mark}{os.getppid()}-{token}.tmp": "of a run that goes on",
        f".safe.csv.shoal-elsewhere-{dead}-{token}.tmp": "of another machine",
        f"{mark}{dead}-{token}.csv": "of another form",
        f"{mark}{dead}-{token}x.tmp": "of another form",
        f"{mark}{dead}x-{token}.tmp": "of another form",
        f".other.csv.shoal-{temporary_files._machine()}-{dead}-{token}.tmp": "of another target",
        "safe.csv": "the release",
    }
    for name, content in kept.items():
        (tmp_path / name).write_text(content)
    link = tmp_path / f"{mark}{dead}-aaaaaaaa.tmp"
    link.symlink_to(target)
    (tmp_path / f"{mark}{dead}-{token}.tmp").write_text("half")
    (tmp_path / f"{mark}{os.getpid()}-{token}.tmp").write_text("of an earlier process with the same number")
    (tmp_path / f"{mark}{dead}-bbbbbbbb.tmp").mkdir()
    (tmp_path / f"{mark}{dead}-bbbbbbbb.tmp" / "link").symlink_to(target)
    with temporary_files.beside(target) as own:
        own.write_text("mine")
        temporary_files.remove_leftovers(target)
        assert own.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*kept, link.name])
    assert all((tmp_path / name).read_text() == content for name, content in kept.items())
