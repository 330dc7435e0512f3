"""Temporary files and folders beside a target, with names that say which process made them."""

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

_own: dict[Path, int] = {}  # the paths of this process, with its number, as a forked copy has another


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """Yield a hidden path beside the target and remove what is there afterwards; remove leftovers of killed runs.

    If the target is a link, the path is beside what it leads to, as files are renamed only within one file system.
    """
    target = real_place(target)
    remove_leftovers(target)
    path = target.with_name(f"{_mark(target)}{os.getpid()}-{secrets.token_hex(4)}.tmp{_compression(target)}")
    _own[path] = os.getpid()  # before the file exists, so that no signal can come in between
    try:
        yield path
    finally:
        with held():
            _remove(path)
            del _own[path]


def remove_leftovers(target: Path) -> None:
    """Remove the leftovers of runs to the same target that have ended; never those of another user."""
    target = real_place(target)
    name = re.compile(
        re.escape(_mark(target)) + r"([1-9][0-9]{0,9})-[0-9a-f]{8}\.tmp" + re.escape(_compression(target))
    )
    with suppress(OSError):  # an unreadable folder is reported when it is written to
        for path in target.parent.iterdir():
            match = name.fullmatch(path.name)
            if match and _is_mine(path) and not _runs(int(match[1]), path):
                _remove(path)


def real_place(target: Path) -> Path:
    """Resolve a target to the path that it leads to, through all links."""
    try:
        return target.resolve()
    except (OSError, RuntimeError, ValueError):
        return target.absolute()  # a cycle of links or an impossible name is refused later


def _mark(target: Path) -> str:
    """Return how names begin: with the target and the machine, as the runs of other machines cannot be checked."""
    return f".{target.name[:40]}.shoal-{_machine()}-"


def _compression(target: Path) -> str:
    """Return the ending that says how a file is compressed, which its temporary file must have too."""
    return target.suffix if target.suffix.lower() in (".gz", ".zst") else ""


@cache
def _machine() -> str:
    """Return the machine and the container, within which process numbers are unique."""
    node = re.sub("[^A-Za-z0-9_.]", "_", platform.node())[:40]
    with suppress(OSError):
        return f"{node}-{os.stat('/proc/self/ns/pid').st_ino}"
    return node


def _is_mine(path: Path) -> bool:
    """Return whether a path is a file or folder of this user, not a link."""
    with suppress(OSError):
        status = path.lstat()
        mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
        return mine and (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode))
    return False


def _runs(number: int, path: Path) -> bool:
    """Return whether the run that made a path is still running; this process counts only if it made the path."""
    if number != os.getpid():
        return _alive(number)
    # Names are random, so they identify the path even if its folder is spelled differently.
    return any(path.name == own.name for own in list(_own))


def _alive(number: int) -> bool:
    """Return whether a process of this number is running."""
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
        """Do the same on Windows, where os.kill would send Ctrl-C."""
        import ctypes

        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        process = kernel.OpenProcess(0x100000, False, number)  # to wait for it
        if not process:
            return ctypes.get_last_error() != 87  # no process has this number
        try:
            return bool(kernel.WaitForSingleObject(process, 0) == 0x102)  # it has not ended
        finally:
            kernel.CloseHandle(process)


def _remove(path: Path) -> None:
    """Remove a file or a folder, if it still exists."""
    with suppress(OSError):
        path.unlink()
        return
    shutil.rmtree(path, ignore_errors=True)


@atexit.register
def _remove_own() -> None:
    """Remove what a second signal left behind while the first was handled."""
    for path, number in list(_own.items()):
        if number == os.getpid():
            _remove(path)
