"""Where a release goes while it is made: a hidden folder beside its place, put there whole at the end."""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from shoal.errors import InputError
from shoal.interrupts import deferred


@contextmanager
def workplace(target: Path) -> Iterator[Path]:
    """A new hidden folder beside the target that is gone afterwards; those of killed runs are removed first."""
    mark = f".{target.name[:40]}.shoal-{_machine()}-"  # a run on another machine is none of ours to look after
    try:
        for left in [one for one in target.parent.iterdir() if one.name.startswith(mark)]:
            if not _alive(left.name.removeprefix(mark).partition("-")[0]):
                shutil.rmtree(left, ignore_errors=True)
        place = Path(tempfile.mkdtemp(prefix=f"{mark}{os.getpid()}-", dir=target.parent))
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error}).") from error
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _machine() -> str:
    return re.sub("[^A-Za-z0-9_.]", "_", platform.node())[:60]


def _alive(number: str) -> bool:
    """Whether a process of this number runs."""
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, ValueError, OverflowError):
        return True
    return True


def check_folder(target: Path) -> None:
    """Refuse a folder with content, which a release would have to replace."""
    if target.is_dir() and any(target.iterdir()):
        raise InputError(f"{target}: the folder is not empty. Remove it first, or choose another one.")


def put_in_place(made: Mapping[Path, Path]) -> None:
    """Put files and folders that are made (given by their places) there; Ctrl-C waits, so that they stay one set."""
    target = Path()
    try:
        with deferred() as interrupted:
            for target, source in made.items():
                place = target.resolve() if target.is_symlink() else target
                _allow(source, place)
                if source.is_dir() and place.is_dir():
                    place.rmdir()
                os.replace(source, place)
        if interrupted():
            raise KeyboardInterrupt
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error}).") from error


def _allow(source: Path, place: Path) -> None:
    """Give what was made in a hidden folder the rights that new files have, or those of the file it replaces."""
    mask = os.umask(0o022)
    os.umask(mask)
    with suppress(OSError):
        if source.is_dir():
            source.chmod(0o777 & ~mask)
        else:
            source.chmod(place.stat().st_mode & 0o777 if place.exists() else 0o666 & ~mask)
