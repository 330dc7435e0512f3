"""Compiled kernels are kept for as long as none of their sources changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from depth import every
from shoal.kernels import compiling, kept_code
from shoal.kernels.mondrian import _frequency_set
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

READ_ONLY = """
import tempfile

def refused(**_):
    raise OSError("Read-only file system")

tempfile.TemporaryFile = refused
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


def run(package: Path, before: str = "", **environment: str) -> tuple[int, int, Path]:
    """What the outer kernel answers, how often it came from the disk, and where it is kept."""
    done = subprocess.run(
        [sys.executable, "-c", before + TRIAL],
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


def test_code_is_read_where_nothing_can_be_written(package, tmp_path):
    """Such as in an image of a container, whose folders root has filled."""
    home = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "LOCALAPPDATA": str(tmp_path / "cache")}
    _, _, folder = run(package, **home)
    assert package in folder.parents
    assert run(package, before=READ_ONLY, **home) == (20, 1, Path("None"))
    [code] = folder.glob("own.caller.caller-*")
    if sys.platform != "win32":  # others may read it, and nobody else may write
        assert (folder.stat().st_mode & 0o777, code.stat().st_mode & 0o777) == (0o755, 0o644)
    code.unlink()
    assert run(package, before=READ_ONLY, **home) == (20, 0, Path("None"))


def test_each_source_and_version_counts(package, monkeypatch):
    seen = {kept_code.digest(package)}
    (package / "called.py").write_text(CALLED.format(3))
    seen.add(kept_code.digest(package))
    (package / "called.py").rename(package / "named.py")
    seen.add(kept_code.digest(package))
    (package / "inner").mkdir()
    (package / "named.py").rename(package / "inner" / "named.py")
    seen.add(kept_code.digest(package))
    for module in (kept_code.numba, kept_code.llvmlite, kept_code.np):
        with monkeypatch.context() as changed:
            changed.setattr(module, "__version__", "0")
            seen.add(kept_code.digest(package))
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


@pytest.mark.parametrize(("at", "length"), every(2, [(0.5, 1), (0, 1), (0.3, 512), (0.999, 1)]))
def test_code_with_changed_bytes_is_compiled_anew(package, at, length):
    _, _, folder = run(package)
    [whole] = folder.glob("own.caller.caller-*")
    content = bytearray(whole.read_bytes())
    first = int(at * len(content))
    for place in range(first, min(first + length, len(content))):
        content[place] ^= 0b101
    whole.write_bytes(content)
    assert run(package)[:2] == (20, 0)
    assert run(package)[:2] == (20, 1)


def test_code_that_cannot_be_written_leaves_nothing_and_still_runs(tmp_path, monkeypatch):
    kernel = compiling.compile_(nogil=True)(lambda x: x + 1)
    kernel._cache = kept_code.KernelCache([tmp_path], tmp_path, tmp_path / "none.zip", "kernel")
    monkeypatch.setattr(kept_code.os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    assert kernel(1) == 2
    assert not list(tmp_path.iterdir())


def test_kernels_keep_their_code_by_signature():
    assert isinstance(climb._cache, kept_code.KernelCache)


def test_python_cannot_call_what_only_kernels_call():
    with pytest.raises(TypeError, match="only kernels"):
        _frequency_set(1, 2, 3, 4, 5)


MAKE_ARCHIVE = """
import zipfile
import own.compiling as compiling
from own.caller import caller

caller(10)
with zipfile.ZipFile(compiling.archive_of(compiling.SOURCES), "w") as archive:
    for signature, kept in caller.overloads.items():
        [file] = compiling.cache_folder(compiling.SOURCES).glob("own.caller.caller-*")
        archive.writestr(caller._cache.member((signature)), file.read_bytes())
"""


def made_archive(package: Path) -> Path:
    """The archive of the package's kernels, as a wheel would bring it, and no folder beside it."""
    generic = os.environ | {"NUMBA_CPU_NAME": "generic"}
    subprocess.run([sys.executable, "-c", MAKE_ARCHIVE], cwd=package.parent, check=True, env=generic)
    shutil.rmtree(package / "__pycache__")
    [archive] = package.glob("code-*.zip")
    return archive


def test_code_in_an_archive_is_not_compiled(package):
    made_archive(package)
    assert run(package)[:2] == (20, 1)


def test_an_archive_of_other_sources_or_versions_is_not_used(package):
    archive = made_archive(package)
    rewrite(package / "called.py", CALLED.format(3))
    assert run(package)[:2] == (30, 0)
    assert archive != kept_code.archive_of.__wrapped__(package)


@pytest.mark.parametrize("share", every(3, [0.5, 0, 0.99]))
def test_a_damaged_archive_is_not_used(package, share):
    archive = made_archive(package)
    content = archive.read_bytes()
    archive.write_bytes(content[: int(share * len(content))])
    assert run(package)[:2] == (20, 0)


def test_an_archive_with_one_changed_byte_is_not_used(package):
    archive = made_archive(package)
    content = bytearray(archive.read_bytes())
    content[len(content) // 2] ^= 1
    archive.write_bytes(content)
    assert run(package)[:2] == (20, 0)


def test_each_version_and_kind_of_machine_has_its_own_archive(package, monkeypatch):
    name = kept_code.archive_of.__wrapped__
    seen = {name(package)}
    for module, attribute, other in (
        (kept_code.numba, "__version__", "0"),
        (kept_code.llvmlite, "__version__", "0"),
        (kept_code.np, "__version__", "1.0.0"),
        (kept_code.platform, "machine", lambda: "other"),
        (kept_code.sys, "platform", "other"),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(module, attribute, other)
            seen.add(name(package))
    assert len(seen) == 6


def test_a_kernel_that_is_compiled_can_contain_one_from_the_disk(package):
    run(package)
    [folder] = (package / "__pycache__").glob("shoal-*")
    [outer] = folder.glob("own.caller.caller-*")
    outer.unlink()
    assert run(package)[:2] == (20, 0)
    assert run(package)[:2] == (20, 1)


def test_constants_and_narrow_integers_need_no_code_of_their_own():
    @compiling.lean
    def _inner(column, number):
        return column[number]

    @compiling.compiled
    def outer(column):
        return _inner(column, 1) + _inner(column, column[0]) + _inner(column, column.size - 1)

    _inner._cache = outer._cache = kept_code.KernelCache([], None, Path("none.zip"), "kernel")
    assert outer(np.array([2, 3, 5], np.int32)) == 3 + 5 + 5
    assert len(_inner.overloads) == 1
