"""`-` in place of a file: a table from standard input, and a release to standard output.

A table is read several times, and a release is read back before anybody may have it, so both are private temporary
files. What else a command says goes to standard error while standard output waits for the release.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

import typer

from shoal.errors import InputError

HERE = "-"
INPUT, OUTPUT = "standard-input", "standard-output"
PARQUET = b"PAR1"  # how it begins
Places = TypeVar("Places", str, list[str], None)
_files: ContextVar[dict[str, Path]] = ContextVar("_files")


def from_standard_input(context: typer.Context, places: Places) -> Places:
    """Keep what standard input holds in a private file, and return its path in place of `-`."""
    several = places if isinstance(places, list) else [places]
    if HERE not in several or context.resilient_parsing:
        return places
    if several.count(HERE) > 1 or INPUT in _files.get({}):
        raise typer.BadParameter("- is standard input, which can be read once only: name a file for the other table.")
    if sys.stdin is None:
        raise typer.BadParameter("- is standard input, which is closed: pipe a table into it, or name a file.")
    path = str(_named(context, INPUT, _spooled(context)))
    return [path if place == HERE else place for place in places] if isinstance(places, list) else path


def to_standard_output(context: typer.Context, place: str | None) -> str | None:
    """Return a private file in place of `-`, whose bytes go to standard output when the command has succeeded."""
    if place != HERE or context.resilient_parsing:
        return place
    if sys.stdout is None:
        raise typer.BadParameter("- is standard output, which is closed: name a file.")
    return str(_named(context, OUTPUT, _folder(context, OUTPUT) / f"{OUTPUT}.csv"))


def _named(context: typer.Context, name: str, path: Path) -> Path:
    """Remember a private file for as long as the command runs."""
    before = _files.get({})
    _files.set({**before, name: path})
    context.call_on_close(lambda: _files.set(before))
    return path


def _folder(context: typer.Context, name: str) -> Path:
    """Make a folder that nobody else can read, which is removed when the command ends."""
    from shoal.system.atomic_files import folder_beside

    try:
        return context.with_resource(folder_beside(Path(tempfile.gettempdir(), name)))
    except InputError as error:
        raise typer.BadParameter(str(error)) from error


def _spooled(context: typer.Context) -> Path:
    """Write standard input to a file whose ending says what it holds."""
    from shoal.io.compression import ending_of

    folder = _folder(context, INPUT)
    unnamed = folder / INPUT
    try:
        with unnamed.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
        with unnamed.open("rb") as file:
            first = file.read(4)
    except OSError as error:
        raise typer.BadParameter(f"standard input cannot be kept in {folder.parent} ({error.strerror}).") from error
    ending = ".parquet" if first == PARQUET else f".csv{ending_of(first) or ''}"
    return unnamed.rename(folder / f"{INPUT}{ending}")


@contextmanager
def standard_output_kept_free() -> Iterator[None]:
    """Send everything to standard error if a release goes to standard output, and the release when it is complete."""
    release = _files.get({}).get(OUTPUT)
    if release is None:
        yield
        return
    out = sys.stdout
    with redirect_stdout(sys.stderr):
        yield
    with release.open("rb") as file:  # it was verified before it got this name
        shutil.copyfileobj(file, out.buffer, 1 << 20)
    out.flush()


def without_folders(text: str) -> str:
    """Leave the folders of these private files out of a text; call what was piped in by its name."""
    files = _files.get({})
    if INPUT in files:
        text = text.replace(str(files[INPUT]), "standard input")
    for path in files.values():
        text = text.replace(f"{path.parent}{os.sep}", "")
    return text


def refuse_standard_input(context: typer.Context, place: str | None) -> str | None:
    """Refuse `-` where a table has to have a name, because it is written down."""
    if place == HERE and not context.resilient_parsing:
        raise typer.BadParameter("standard input has no name that could be written down: save it to a file first.")
    return place
