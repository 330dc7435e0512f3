"""Compiled kernels are kept for as long as none of their sources changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from depth import every
from shoal.kernels import compiling
from shoal.kernels.trees import climb

CALLED = """
from own.compiling import compiled

@compiled
def called(x):
    return {} * x
"""
CALLER = """
from own.called import called
from own.compiling import compiled

@compiled
def caller(x):
    return called(x)
"""
TRIAL = """
from own.caller import caller

print(caller(10), sum(caller.stats.cache_hits.values()), caller.stats.cache_path)
"""


@pytest.fixture
def package(tmp_path) -> Path:
    """A package of two kernels, one of which calls the other."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "__init__.py").touch()
    shutil.copy(compiling.__file__, folder / "compiling.py")
    (folder / "called.py").write_text(CALLED.format(2))
    (folder / "caller.py").write_text(CALLER)
    return folder


def run(package: Path, **environment: str) -> tuple[int, int, Path]:
    """What the outer kernel answers, how often it came from the disk, and where it is kept."""
    done = subprocess.run(
        [sys.executable, "-c", TRIAL],
        cwd=package.parent,
        env={name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    answer, hits, place = done.stdout.split(maxsplit=2)
    return int(answer), int(hits), Path(place.strip())


def rewrite(path, source):
    """Write another source, with a later time: Python keeps the bytecode of one of the same size and second."""
    path.write_text(source)
    later = path.stat().st_mtime + 10
    os.utime(path, (later, later))


def test_a_changed_kernel_is_not_run_as_it_was_by_those_that_call_it(package):
    assert run(package)[:2] == (20, 0)
    assert run(package)[:2] == (20, 1)
    rewrite(package / "called.py", CALLED.format(3))
    assert run(package)[:2] == (30, 0)


def test_the_folder_that_was_asked_for_is_used(package, tmp_path):
    wanted = tmp_path / "elsewhere"
    assert wanted in run(package, NUMBA_CACHE_DIR=str(wanted))[2].parents
    rewrite(package / "called.py", CALLED.format(3))
    assert run(package, NUMBA_CACHE_DIR=str(wanted))[:2] == (30, 0)


def test_without_a_folder_in_the_package_that_of_the_user_is_used(package, tmp_path):
    (package / "__pycache__").write_text("no folder")
    wanted = tmp_path / "cache"
    home = {"XDG_CACHE_HOME": str(wanted), "LOCALAPPDATA": str(wanted), "PYTHONDONTWRITEBYTECODE": "1"}
    assert wanted in run(package, **home)[2].parents
    assert run(package, **home)[1] == 1


def test_without_any_folder_kernels_are_compiled_anew(package, tmp_path):
    (package / "__pycache__").write_text("no folder")
    (tmp_path / "file").touch()
    home = {"XDG_CACHE_HOME": str(tmp_path / "file"), "LOCALAPPDATA": str(tmp_path / "file")}
    home |= {"PYTHONDONTWRITEBYTECODE": "1"}
    assert run(package, **home)[:2] == (20, 0)
    assert run(package, **home)[:2] == (20, 0)


def test_each_source_and_version_counts(package, monkeypatch):
    seen = {compiling.digest(package)}
    (package / "called.py").write_text(CALLED.format(3))
    seen.add(compiling.digest(package))
    (package / "called.py").rename(package / "named.py")
    seen.add(compiling.digest(package))
    (package / "inner").mkdir()
    (package / "named.py").rename(package / "inner" / "named.py")
    seen.add(compiling.digest(package))
    for module in (compiling.numba, compiling.llvmlite, compiling.np):
        with monkeypatch.context() as changed:
            changed.setattr(module, "__version__", "0")
            seen.add(compiling.digest(package))
    assert len(seen) == 7


@pytest.mark.parametrize("share", every(3, [0.5, 0, 0.01]))
def test_each_signature_has_its_own_file_and_damaged_code_is_compiled_anew(package, share):
    _, hits, folder = run(package)
    assert hits == 0
    [whole] = folder.glob("own.caller.caller-*")
    several = TRIAL + "assert (caller(2.5), caller(10)) == (5.0, 20)"
    content = whole.read_bytes()
    whole.write_bytes(content[: int(share * len(content))])
    assert run(package)[:2] == (20, 0)
    subprocess.run([sys.executable, "-c", several], cwd=package.parent, check=True)
    assert len(list(folder.glob("own.caller.caller-*"))) == 2
    assert run(package)[:2] == (20, 1)
    assert not list(folder.glob("tmp*"))


def test_code_that_cannot_be_written_leaves_nothing_and_still_runs(tmp_path, monkeypatch):
    kernel = compiling.compile_(nogil=True)(lambda x: x + 1)
    kernel._cache = compiling.KernelCache(tmp_path, "kernel")
    monkeypatch.setattr(compiling.os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    assert kernel(1) == 2
    assert not list(tmp_path.iterdir())


def test_kernels_keep_their_code_by_signature():
    assert isinstance(climb._cache, compiling.KernelCache)
