"""Full disks, at each step and at each size, and folders that cannot be written to."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys

import pytest

from faults.writers import ALL, FEW, QUICK


def refused(case, ended, *words):
    """Check for one message, exit code 2, the old files, and no others."""
    assert (ended["code"], ended["out"]) == (2, ""), ended
    assert ended["err"].count("\n") == 1, ended["err"]
    assert ended["err"].startswith("shoal: "), ended["err"]
    assert any(word in ended["err"] for word in words), ended["err"]
    assert case.hidden() == []


@pytest.mark.parametrize("name", FEW)
def test_a_disk_that_is_full_at_any_step_leaves_the_old_files(cases, name):
    case = cases(name)
    for step in range(1, case.steps + 1):
        case.reset()
        ended = case.run({"kind": "full", "at": step})
        case.check_whole()
        if ended["code"] == 0:  # the fault hit the cleanup, where it does no harm
            assert case.seen() == case.new
            continue
        refused(case, ended, "No space left on device")


@pytest.mark.parametrize("name", QUICK)
def test_a_file_that_cannot_grow_leaves_the_old_files(cases, name):
    case = cases(name)
    for size in (0, 1, 100, 1000, 5000, 20_000, 100_000) if ALL else (1000,):
        case.reset()
        ended = case.run({"kind": "size", "bytes": size, "kill": False})
        if ended["code"] == 0:
            assert case.seen() == case.new
            break
        assert case.seen() == case.old
        if size > 200:  # a smaller file cannot even hold the message
            refused(case, ended, "File too large", "disk is full", "disk I/O error", "Could not")


@pytest.fixture
def small_disk(tmp_path):
    """A function that makes a disk of a given size."""
    if not shutil.which("mount") or os.geteuid() != 0:
        pytest.skip("only root mounts a disk")
    places = []

    def disk(size: int):
        place = tmp_path / f"disk{len(places)}"
        place.mkdir()
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place], check=False)
        if made.returncode:
            pytest.skip("no disk can be mounted here")
        places.append(place)
        return place

    yield disk
    for place in places:
        subprocess.run(["umount", place], check=True)


@pytest.mark.parametrize("name", QUICK)
def test_a_disk_that_fills_up_leaves_the_old_files(cases, small_disk, name):
    case = cases(name)
    here = case.folder
    size = sum(path.stat().st_size for path in case.template.rglob("*")) + (1 << 22)
    try:
        for more in range(8 if ALL else 2):
            place = small_disk(size)
            case.folder = place / "folder"
            shutil.copytree(case.template, case.folder)
            filler = place / "filler"
            with filler.open("wb") as file:  # so that the given number of blocks is left
                free = os.statvfs(place).f_bavail - more * 2
                file.write(bytes(4096 * max(0, free)))
            ended = case.run()
            case.check_whole()
            if ended["code"] == 0:
                assert case.seen() == case.new
            else:
                refused(case, ended, "No space left on device", "disk is full", "disk I/O error", "Could not")
                assert case.seen() == case.old
            filler.unlink()
            case.check_next_run()
    finally:
        case.folder = here


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_is_read_only_stays_as_it_is(cases, name, what):
    case = cases(name)
    for path in [case.folder, *case.folder.iterdir()]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    there = [case.folder / output for output in case.writer.outputs if case.old[output] is not None]
    for path in there:
        path.chmod(0o444)
    if what == "file" and not there:
        return
    if what == "folder":
        case.folder.chmod(0o555)
    ways = case.folder.parents
    modes = {way: stat.S_IMODE(way.stat().st_mode) for way in ways if way.stat().st_mode & 0o005 != 0o005}
    try:
        for way in modes:
            way.chmod(modes[way] | 0o005)
        ended = case.run({"kind": "user"})
    finally:
        for way, mode in modes.items():
            way.chmod(mode)
        case.folder.chmod(0o755)
    refused(case, ended, "read-only", "readonly", "nothing can be written", "unable to open", "Permission denied")
    assert case.seen() == case.old


def test_a_target_that_is_a_folder_stays_as_it_is(cases):
    case = cases("csv")
    for output in case.writer.outputs:
        case.reset()
        (case.folder / output).unlink()
        (case.folder / output).mkdir()
        refused(case, case.run(), "this is a folder")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("words", [[], ["--json"]] if ALL else [[]])
def test_a_full_standard_output_is_told(cases, words):
    case = cases("csv")
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "shoal", "assess", "in.csv", "--quasi", "age", *words],
            cwd=case.folder,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (2, "shoal: the output: No space left on device.\n")
