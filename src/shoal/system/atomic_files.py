"""Writing that leaves whole files or none."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from shoal.errors import InputError
from shoal.system.interrupts import held
from shoal.system.temporary_files import beside, real_place

NAMELESS = {  # by the category of a character
    "Cc": "is a control character, which would garble reports and logs",
    "Cs": "stands for bytes that are not UTF-8, which no report can hold",
    "Zl": "ends a line, which would garble reports and logs",
    "Zp": "ends a line, which would garble reports and logs",
}
Writers = Mapping[Path, Callable[[Path], Any]]


def write_text(content: str, file: Path) -> None:
    """Write text to a file as it is."""
    with file.open("w", encoding="utf-8", newline="") as out:
        out.write(content)


def check_name(place: str | PathLike[str]) -> None:
    """Refuse a name that no file can have, or that no report, log or address can show as it is."""
    for sign in os.fspath(place):
        what = NAMELESS.get(unicodedata.category(sign))
        if what is not None:
            raise InputError(f"{os.fspath(place)}: {sign!r} in the name of a file {what}. Rename it, or its folder.")


def check_file(target: Path) -> None:
    """Refuse to replace what is no ordinary file, such as a folder or a device, or what is read-only."""
    check_ordinary(target)
    if target.exists() and not os.access(target, os.W_OK):
        raise InputError(f"{target}: this file is read-only. Choose another one, or make it writable.")


def check_folder(target: Path) -> None:
    """Refuse a target in a folder where nothing can be made."""
    folder = _place(target).parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{target}: nothing can be written to the folder {str(folder)!r}. Choose another one.")


def check_ordinary(target: Path) -> None:
    """Refuse a place where something is that is no ordinary file, or whose name no file should have."""
    mode = mode_of(target)
    if mode is not None and not stat.S_ISREG(mode):
        what = "a folder. Name a file in it" if stat.S_ISDIR(mode) else "no ordinary file. Choose another one"
        raise InputError(f"{target}: this is {what}.")


def mode_of(target: Path) -> int | None:
    """What is at a place, None where nothing is; refused where nothing can be, as by a name that is too long."""
    check_name(target)
    try:
        return target.stat().st_mode
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{target}: cannot be looked at ({getattr(error, 'strerror', None) or error}).") from error


class _Made(NamedTuple):
    """What was made, where it goes, and the rights that it gets where nothing is there."""

    source: Path
    target: Path
    rights: int


@dataclass(frozen=True)
class _Set:
    """What is written and has no name yet, in the order in which it is to get one."""

    stack: ExitStack
    found: list[_Made] = field(default_factory=list)

    def place(self, first: Callable[[], None] | None = None) -> None:
        with held():
            if first is not None:
                first()
            _put_in_place(self.found)
            self.found.clear()


_open_set: ContextVar[_Set | None] = ContextVar("_open_set", default=None)


@contextmanager
def together() -> Iterator[None]:
    """Let all files that are written in a block get their names at its end; Ctrl-C waits while names are given."""
    with ExitStack() as stack:
        files = _Set(stack)
        before = _open_set.set(files)
        try:
            yield
        finally:
            _open_set.reset(before)
        files.place()


def replace_whole(
    writers: Writers, *, made: Mapping[Path, Path] | None = None, first: Callable[[], None] | None = None
) -> None:
    """Let each writer write a temporary file beside its target; when all are on the disk, put them in place.

    What is `made` already goes by its targets, too. What is to be done `first` is done when all are written and none is
    in place. They get their names from the last to the first, `made` after all others, so that where the first is new
    all are. What a target links to is replaced, not the link.
    """
    files = _open_set.get()
    if files is None:
        with together():
            return replace_whole(writers, made=made, first=first)
    found: list[_Made] = []
    target = Path()
    try:
        for target, source in (made or {}).items():
            _sync(source)
            probe = source.with_name(f"{source.name[:40]}.rights")
            found.append(_Made(source, _place(target), _usual_rights(probe, folder=source.is_dir())))
        for target, writer in writers.items():
            check_file(target)
            temporary = files.stack.enter_context(beside(target))
            rights = _usual_rights(temporary, folder=False)
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            writer(temporary)
            _sync(temporary)
            found.append(_Made(temporary, _place(target), rights))
    except OSError as error:
        raise cannot_be_written(target, error) from error
    files.found.extend(reversed(found))
    if first is not None or made:  # which does not wait
        files.place(first)
    return None


def name_new(source: Path, target: Path) -> None:
    """Give a finished file a name that no file has, or raise FileExistsError."""
    place = _place(target)
    _sync(source)
    try:
        os.link(source, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without links to files
        if os.path.lexists(place):
            raise FileExistsError(place) from None
        os.rename(source, place)
    _sync_folder(place.parent)


def cannot_be_written(target: Path, error: OSError) -> InputError:
    """What is said where a disk is full, or a place is not to be written to."""
    return InputError(f"{target}: cannot be written ({error.strerror or error}).")


def _place(target: Path) -> Path:
    return real_place(target) if os.path.islink(target) else target  # no link where it cannot be looked at


def _put_in_place(made: Iterable[_Made]) -> None:
    placed: list[str] = []
    for source, target, rights in made:
        try:
            source.chmod(target.stat().st_mode & 0o777 if target.is_file() else rights)
            if os.name == "nt" and source.is_dir() and target.is_dir():
                target.rmdir()  # an empty folder, which is replaced as it is elsewhere
            os.replace(source, target)
        except OSError as error:
            also = f" Of the same run are new: {', '.join(placed)}." if placed else ""
            raise InputError(f"{cannot_be_written(target, error)}{also}") from error
        placed.append(str(target))
        _sync_folder(target.parent)  # each for itself, so that no later one is on the disk without it


def _usual_rights(probe: Path, *, folder: bool) -> int:
    """The rights that the system gives to a new file or folder, which only one that is made can tell of.

    The mask of the process cannot be read without a change of it, in which other threads would make their files.
    """
    if folder:
        probe.mkdir()
    else:
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        return probe.stat().st_mode & 0o777
    finally:
        probe.rmdir() if folder else probe.unlink()


def _sync(path: Path) -> None:
    """Make sure that a file, or a folder with its files, is on the disk."""
    if path.is_dir():
        for one in path.iterdir():
            _sync(one)
        _sync_folder(path)
        return
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk, where the system can do so."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
