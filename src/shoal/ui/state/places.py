"""The places of the workbench's files, and which files of the machine it may open."""

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

PREFIX = "shoal-ui-"
LOCK = "lock"
NEW = 60.0  # seconds: a younger folder without a lock may still be under construction
MAX_CHARACTERS = 150  # of a file name
MAX_BYTES = 240  # of a file name: file systems allow 255
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?")
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@contextmanager
def private_folder() -> Iterator[Path]:
    """Make a private folder for all temporary files, removed afterwards, as are those of killed servers."""
    mask = os.umask(0o077)  # nobody else may read a file inside
    parent = Path(tempfile.gettempdir())
    _remove_leftovers(parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))  # nobody else may look inside
    settings = {name: os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP", "NICEGUI_STORAGE_PATH")}
    before = tempfile.tempdir
    try:
        with _locked(folder):
            os.environ.update(dict.fromkeys(settings, str(folder)))
            os.environ.pop("NICEGUI_REDIS_URL", None)  # nothing is stored on another machine
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
            raise shoal.InputError(
                f"{folder}: this folder could not be deleted. Delete it yourself: it may contain data."
            )


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignore signals while data are deleted."""
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
    """Hold a lock file while the server lives; it gets its name only once it is locked."""
    if fcntl is None:
        with (folder / LOCK).open("w"):  # an open file cannot be removed on this system
            yield
        return
    with (folder / f"{LOCK}.new").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.replace(lock.name, folder / LOCK)
        yield


def _remove_leftovers(parent: Path) -> None:
    for left in parent.glob(f"{PREFIX}*"):
        if left.is_dir() and not left.is_symlink() and _is_mine(left) and not _is_alive(left):
            shutil.rmtree(left, ignore_errors=True)


def _is_mine(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


def _is_alive(folder: Path) -> bool:
    """Whether the server of a folder is running."""
    try:
        if fcntl is None:
            (folder / LOCK).unlink()
            return False
        with (folder / LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
    except FileNotFoundError:
        return folder.exists() and time.time() - folder.stat().st_mtime < NEW
    except OSError:  # held by another server
        return True


def upload_name(name: str) -> str:
    """Return a safe name for an uploaded file, with its letters and its ending.

    >>> upload_name("../../etc/Über uns.csv"), upload_name("C:\\\\data\\\\con.csv"), upload_name("...")
    ('Über uns.csv', '_con.csv', 'upload')
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    visible = "".join(character for character in last if unicodedata.category(character)[0] != "C")
    safe = re.sub(r'[<>:"|?*]', "_", visible).strip().lstrip(". ").rstrip(". ")
    if RESERVED.fullmatch(safe):
        safe = f"_{safe}"
    ending = Path(safe).suffix if len(Path(safe).suffix.encode()) <= 20 else ""
    stem = safe.removesuffix(ending)[: MAX_CHARACTERS - len(ending)]
    while len(stem.encode()) + len(ending.encode()) > MAX_BYTES:
        stem = stem[:-1]
    return (stem.rstrip(". ") + ending) or "upload"


def allowed_path(text: str, *, folder: Path, anywhere: bool) -> str:
    """Return the path or database address that a visitor typed, relative to the folder; refuse what is not allowed."""
    typed = text.strip()
    if not typed or "\0" in typed:
        raise shoal.InputError(f"{typed!r} is not a path: type one such as {folder / 'patients.csv'}.")
    if ADDRESS.match(typed):
        if not anywhere:
            raise shoal.InputError(
                "Databases can be opened only if the page is for this machine only: start shoal ui without --host."
            )
        return typed
    try:
        home = folder.resolve()
        path = (home / (Path(typed).expanduser() if anywhere else typed)).resolve()
    except (OSError, RuntimeError) as error:  # a loop of links, or no such home
        raise shoal.InputError(f"{typed}: this path leads nowhere ({error}).") from error
    if not anywhere and not path.is_relative_to(home):
        raise shoal.InputError(f"{typed}: only files in {home} (see --folder) can be opened here. Upload it instead.")
    return str(path)
