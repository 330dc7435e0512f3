"""Where files of the workbench lie, and which files of the machine it may open."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import shoal

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

MARK = "shoal-ui-"
LOCK = "lock"
NEW = 60.0  # seconds in which a folder without a lock may be one that is just being made
LONGEST = 150
BYTES = 240  # file systems count bytes and end at 255
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?")
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder for this server alone, gone afterwards; all temporary files go there, and those of killed servers go."""
    mask = os.umask(0o077)  # nobody else may read a file inside
    parent = Path(tempfile.gettempdir())
    _remove_leftovers(parent)
    folder = Path(tempfile.mkdtemp(prefix=MARK, dir=parent))  # nobody else may look inside
    settings = {name: os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP", "NICEGUI_STORAGE_PATH")}
    before = tempfile.tempdir
    try:
        with _locked(folder):
            os.environ.update(dict.fromkeys(settings, str(folder)))
            os.environ.pop("NICEGUI_REDIS_URL", None)  # nothing is kept on another machine
            tempfile.tempdir = str(folder)
            yield folder
    finally:
        os.umask(mask)
        tempfile.tempdir = before
        for name, value in settings.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        with _undisturbed():
            shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():
            raise shoal.InputError(f"{folder}: this folder could not be deleted. Delete it yourself: it may hold data.")


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let no second Ctrl-C break off the deleting of data."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a lock file as long as the server lives; it gets its name when it is locked, never before."""
    if fcntl is None:
        with (folder / LOCK).open("w"):  # a file that is open cannot be removed here
            yield
        return
    with (folder / f"{LOCK}.new").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.replace(lock.name, folder / LOCK)
        yield


def _remove_leftovers(parent: Path) -> None:
    for left in parent.glob(f"{MARK}*"):
        if left.is_dir() and not left.is_symlink() and _is_mine(left) and not _is_alive(left):
            shutil.rmtree(left, ignore_errors=True)


def _is_mine(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


def _is_alive(folder: Path) -> bool:
    """Whether the server of a folder runs."""
    try:
        if fcntl is None:
            (folder / LOCK).unlink()
            return False
        with (folder / LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
    except FileNotFoundError:
        return folder.exists() and time.time() - folder.stat().st_mtime < NEW
    except OSError:  # held by another one
        return True


def upload_name(name: str) -> str:
    """A safe file name for an uploaded file, with its letters and its ending.

    >>> upload_name("../../etc/Über uns.csv"), upload_name("C:\\\\data\\\\con.csv"), upload_name("...")
    ('Über uns.csv', '_con.csv', 'upload')
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    seen = "".join(sign for sign in last if unicodedata.category(sign)[0] != "C")
    safe = re.sub(r'[<>:"|?*]', "_", seen).strip().lstrip(". ").rstrip(". ")
    if RESERVED.fullmatch(safe):
        safe = f"_{safe}"
    ending = Path(safe).suffix if len(Path(safe).suffix.encode()) <= 20 else ""
    stem = safe.removesuffix(ending)[: LONGEST - len(ending)]
    while len(stem.encode()) + len(ending.encode()) > BYTES:
        stem = stem[:-1]
    return (stem.rstrip(". ") + ending) or "upload"


def allowed_path(text: str, *, folder: Path, anywhere: bool) -> str:
    """The table that a visitor names: a path seen from the folder, or the address of a database; else a refusal."""
    given = text.strip()
    if not given or "\0" in given:
        raise shoal.InputError(f"{given!r} is no path: type one such as {folder / 'patients.csv'}.")
    if ADDRESS.match(given):
        if not anywhere:
            raise shoal.InputError(
                "Databases can be opened only where the page is for this machine alone: start shoal ui without --host."
            )
        return given
    try:
        home = folder.resolve()
        path = (home / (Path(given).expanduser() if anywhere else given)).resolve()
    except (OSError, RuntimeError) as error:  # a loop of links, or no such home
        raise shoal.InputError(f"{given}: this path leads nowhere ({error}).") from error
    if not anywhere and not path.is_relative_to(home):
        raise shoal.InputError(f"{given}: only files in {home} can be opened here, as --folder says. Or upload it.")
    return str(path)
