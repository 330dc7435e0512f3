"""Writing of files that are complete or absent, never partial."""

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

REFUSED_CHARACTERS = {  # by Unicode category
    "Cc": "is a control character, which would garble reports and logs",
    "Cs": "represents bytes that are not UTF-8, which no report can hold",
    "Zl": "ends a line, which would garble reports and logs",
    "Zp": "ends a line, which would garble reports and logs",
}
Writers = Mapping[Path, Callable[[Path], Any]]


def write_text(content: str, file: Path) -> None:
    """Write text to a file unchanged."""
    with file.open("w", encoding="utf-8", newline="") as out:
        out.write(content)


def check_name(place: str | PathLike[str]) -> None:
    """Raise InputError for a name that no file can have, or that no report, log or address can show."""
    for character in os.fspath(place):
        problem = REFUSED_CHARACTERS.get(unicodedata.category(character))
        if problem is not None:
            raise InputError(
                f"{os.fspath(place)}: {character!r} in the name of a file {problem}. Rename it, or its folder."
            )


def check_file(target: Path) -> None:
    """Raise InputError if the target is read-only or not an ordinary file, such as a folder or a device."""
    check_ordinary(target)
    if target.exists() and not os.access(target, os.W_OK):
        raise InputError(f"{target}: this file is read-only. Choose another one, or make it writable.")


def check_folder(target: Path) -> None:
    """Raise InputError if no file can be created in the folder of the target."""
    folder = _place(target).parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{target}: nothing can be written to the folder {str(folder)!r}. Choose another one.")


def check_ordinary(target: Path) -> None:
    """Raise InputError if the target exists and is not an ordinary file, or if no file should have its name."""
    mode = mode_of(target)
    if mode is not None and not stat.S_ISREG(mode):
        problem = "a folder. Name a file in it" if stat.S_ISDIR(mode) else "not an ordinary file. Choose another one"
        raise InputError(f"{target}: this is {problem}.")


def mode_of(target: Path) -> int | None:
    """Return the mode of the target, None if it does not exist; raise InputError if it cannot exist."""
    check_name(target)
    try:
        return target.stat().st_mode
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{target}: cannot be checked ({getattr(error, 'strerror', None) or error}).") from error


class _Made(NamedTuple):
    """A finished file, its target, and the permissions it gets if the target does not exist."""

    source: Path
    target: Path
    permissions: int


@dataclass(frozen=True)
class _Pending:
    """Files that are written but not yet in place, in the order in which they will be."""

    stack: ExitStack
    files: list[_Made] = field(default_factory=list)

    def place(self, first: Callable[[], None] | None = None) -> None:
        with held():
            if first is not None:
                first()
            _put_in_place(self.files)
            self.files.clear()


_pending: ContextVar[_Pending | None] = ContextVar("_pending", default=None)


@contextmanager
def together() -> Iterator[None]:
    """Put all files that are written in a block in place at its end; Ctrl-C waits meanwhile."""
    with ExitStack() as stack:
        pending = _Pending(stack)
        before = _pending.set(pending)
        try:
            yield
        finally:
            _pending.reset(before)
        pending.place()


def replace_whole(
    writers: Writers, *, made: Mapping[Path, Path] | None = None, first: Callable[[], None] | None = None
) -> None:
    """Let each writer write a temporary file beside its target; when all are on the disk, put them in place.

    `made` has finished files by their targets. `first` is called when all are written and none is in place. Files are
    put in place from the last to the first, `made` after all others, so that if the first is new, all are. If a target
    is a link, the file that it leads to is replaced, not the link.
    """
    pending = _pending.get()
    if pending is None:
        with together():
            return replace_whole(writers, made=made, first=first)
    finished: list[_Made] = []
    target = Path()
    try:
        for target, source in (made or {}).items():
            _sync(source)
            probe = source.with_name(f"{source.name[:40]}.rights")
            finished.append(_Made(source, _place(target), _default_permissions(probe, folder=source.is_dir())))
        for target, writer in writers.items():
            check_file(target)
            temporary = pending.stack.enter_context(beside(target))
            permissions = _default_permissions(temporary, folder=False)
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            writer(temporary)
            _sync(temporary)
            finished.append(_Made(temporary, _place(target), permissions))
    except OSError as error:
        raise cannot_be_written(target, error) from error
    pending.files.extend(reversed(finished))
    if first is not None or made:  # these do not wait for the end of the block
        pending.place(first)
    return None


@contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """Make a hidden folder beside the target and remove it afterwards; first remove those that killed runs left."""
    with beside(target) as folder:
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise cannot_be_written(target, error) from error
        yield folder


def name_new(source: Path, target: Path) -> None:
    """Give a finished file a name that no file has yet, or raise FileExistsError."""
    place = _place(target)
    _sync(source)
    try:
        os.link(source, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(place):
            raise FileExistsError(place) from None
        os.rename(source, place)
    _sync_folder(place.parent)


def cannot_be_written(target: Path, error: OSError) -> InputError:
    """Describe a target that cannot be written, because the disk is full or writing is forbidden."""
    return InputError(f"{target}: cannot be written ({error.strerror or error}).")


def _place(target: Path) -> Path:
    return real_place(target) if os.path.islink(target) else target  # islink is False if it cannot be checked


def _put_in_place(made: Iterable[_Made]) -> None:
    placed: list[str] = []
    for source, target, permissions in made:
        try:
            source.chmod(target.stat().st_mode & 0o777 if target.is_file() else permissions)
            if os.name == "nt" and source.is_dir() and target.is_dir():
                target.rmdir()  # other systems replace an empty folder by themselves
            os.replace(source, target)
        except OSError as error:
            also = f" Already written by the same run: {', '.join(placed)}." if placed else ""
            raise InputError(f"{cannot_be_written(target, error)}{also}") from error
        placed.append(str(target))
        _sync_folder(target.parent)  # one by one, so that no later file is on the disk without it


def _default_permissions(probe: Path, *, folder: bool) -> int:
    """Create a file or folder to see which permissions the system gives to a new one.

    The umask of the process cannot be read without changing it, and other threads may create files meanwhile.
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
        for child in path.iterdir():
            _sync(child)
        _sync_folder(path)
    else:
        with path.open("rb+") as file:
            os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk, if the system supports it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
