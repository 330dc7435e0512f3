"""The hidden folder in which a release is made, beside its target."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.errors import InputError
from shoal.system.atomic_files import cannot_be_written
from shoal.system.temporary_files import beside


@contextmanager
def staging_folder(target: Path) -> Iterator[Path]:
    """Make a hidden folder beside the target and remove it afterwards; first remove those that killed runs left."""
    with beside(target) as folder:
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise cannot_be_written(target, error) from error
        yield folder


def check_folder(target: Path) -> None:
    """Refuse a folder that is not empty, since a release would replace its content."""
    if target.is_dir() and any(target.iterdir()):
        raise InputError(f"{target}: the folder is not empty. Remove it first, or choose another one.")
