"""Temporary files and folders beside a target, by names that tell whose they are."""

from __future__ import annotations

import atexit
import os
import platform
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from shoal.system.interrupts import held

_own: dict[Path, int] = {}  # what this process makes, with its number, as a copy of the process has another


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """A hidden name for a file or folder that is gone afterwards; what killed runs left there goes.

    It lies beside what a target that is a link leads to, as a name is only given within one file system.
    """
    target = real_place(target)
    remove_leftovers(target)
    path = target.with_name(f"{_mark(target)}{os.getpid()}-{secrets.token_hex(4)}.tmp")
    _own[path] = os.getpid()  # before it is made, so that no signal can come between
    try:
        yield path
    finally:
        with held():
            _remove(path)
            del _own[path]


def remove_leftovers(target: Path) -> None:
    """Remove what runs to the same target left that do not run any more; never what is another's."""
    target = real_place(target)
    name = re.compile(re.escape(_mark(target)) + r"([1-9][0-9]{0,9})-[0-9a-f]{8}\.tmp")
    with suppress(OSError):  # a folder that cannot be read is told of where it is written to
        for path in target.parent.iterdir():
            found = name.fullmatch(path.name)
            if found and _is_mine(path) and not _runs(int(found[1]), path):
                _remove(path)


def real_place(target: Path) -> Path:
    """Where a target is in the end, however it is spelled and whatever links lead to it."""
    try:
        return target.resolve()
    except (OSError, RuntimeError, ValueError):
        return target.absolute()  # a circle of links, or a name that no file can have, is refused later


def _mark(target: Path) -> str:
    """How names begin: with that of the target, and of the machine, as runs elsewhere are none of ours."""
    return f".{target.name[:40]}.shoal-{_machine()}-"


@cache
def _machine() -> str:
    """The machine, and among its containers the one whose processes can be told by their numbers."""
    with suppress(OSError):
        return f"{_node()}-{os.stat('/proc/self/ns/pid').st_ino}"
    return _node()


def _node() -> str:
    return re.sub("[^A-Za-z0-9_.]", "_", platform.node())[:40]


def _is_mine(path: Path) -> bool:
    """Whether it is a file or folder of this user, and no link."""
    with suppress(OSError):
        found = path.lstat()
        mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
        return mine and (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode))
    return False


def _runs(number: int, path: Path) -> bool:
    """Whether the run that made a path goes on: a process of its number, this one only if it made the path itself."""
    if number != os.getpid():
        return _alive(number)
    # The names are drawn at random, while one folder may have several paths.
    return any(path.name == own.name for own in list(_own))


def _alive(number: int) -> bool:
    """Whether a process of this number runs."""
    if sys.platform == "win32":
        return _alive_on_windows(number)
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


if sys.platform == "win32":

    def _alive_on_windows(number: int) -> bool:
        """The same where os.kill would send Ctrl-C."""
        import ctypes

        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        process = kernel.OpenProcess(0x100000, False, number)  # to wait for it
        if not process:
            return ctypes.get_last_error() != 87  # there is none of this number
        try:
            return bool(kernel.WaitForSingleObject(process, 0) == 0x102)  # it has not ended
        finally:
            kernel.CloseHandle(process)


def _remove(path: Path) -> None:
    """Remove a file or a folder, which may be gone already."""
    with suppress(OSError):
        path.unlink()
        return
    shutil.rmtree(path, ignore_errors=True)


@atexit.register
def _remove_own() -> None:
    """Remove what a second signal left while the first was answered."""
    for path, number in list(_own.items()):
        if number == os.getpid():
            _remove(path)
