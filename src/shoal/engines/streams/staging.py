"""Where a release goes while it is made: a hidden folder beside its place, put there whole at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.errors import InputError
from shoal.system.atomic_files import cannot_be_written
from shoal.system.temporary_files import beside


@contextmanager
def workplace(target: Path) -> Iterator[Path]:
    """A new hidden folder beside the target that is gone afterwards; those of killed runs are removed first."""
    with beside(target) as place:
        try:
            place.mkdir(mode=0o700)
        except OSError as error:
            raise cannot_be_written(target, error) from error
        yield place


def check_folder(target: Path) -> None:
    """Refuse a folder with content, which a release would have to replace."""
    if target.is_dir() and any(target.iterdir()):
        raise InputError(f"{target}: the folder is not empty. Remove it first, or choose another one.")
