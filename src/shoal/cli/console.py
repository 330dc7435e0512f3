"""What the commands share: errors as sentences, warnings, progress, and the reading of their options."""

from __future__ import annotations

import csv
import json
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import typer

from shoal.cli import Ended
from shoal.errors import InfeasibleError, InputError, InterruptedSearch, PrivacyWarning, ShoalError, VerificationError
from shoal.system.atomic_files import check_name
from shoal.system.interrupts import answering_interrupts

P = ParamSpec("P")
R = TypeVar("R")
EXIT_CODES: dict[type[ShoalError], int] = {InputError: 2, InfeasibleError: 3, VerificationError: 4}
TOO_LARGE = (
    "shoal: there is not enough memory. Let shoal anonymize read a CSV or Parquet file part by part with --memory 1GB, "
    "or free some."
)
# How libraries say it that do not raise MemoryError.
STARVED = ("failed to map segment", "launch worker thread", "can't start new thread", "bad_alloc", "Out of memory")
_interrupted = ContextVar("interrupted", default=False)  # whether Ctrl-C ended a search of the command
PATIENCE = 1.0  # seconds before a progress bar appears


def guarded(command: Callable[P, R]) -> Callable[P, R]:
    """Let a command end with one sentence and the right exit code where shoal refuses, or where it is interrupted."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        _interrupted.set(False)
        try:
            with answering_interrupts():
                done = command(*args, **kwargs)
        except ShoalError as error:
            from shoal.io.databases.address import hide_passwords

            typer.secho(f"shoal: {hide_passwords(str(error))}", fg="red", err=True)
            code = next(code for kind, code in EXIT_CODES.items() if isinstance(error, kind))
            raise typer.Exit(code) from None
        except KeyboardInterrupt:
            raise Ended(130).tell() from None
        except Ended as end:
            raise end.tell() from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody listens any more
            raise typer.Exit(0) from None
        except OSError as error:
            typer.secho(f"shoal: {error.filename or 'the output'}: {error.strerror or error}.", fg="red", err=True)
            raise typer.Exit(2) from None
        except Exception as error:
            if not isinstance(error, MemoryError) and not any(sign in str(error) for sign in STARVED):
                raise
            typer.secho(TOO_LARGE, fg="red", err=True)
            raise typer.Exit(2) from None
        if _interrupted.get():
            raise Ended(130, told=True)
        return done

    return run


@contextmanager
def working(*, quiet: bool) -> Iterator[Callable[[str, float], None]]:
    """A progress bar on standard error that appears when the work takes longer than a second."""
    if quiet or not sys.stderr.isatty():
        yield lambda stage, share: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("starting", total=None)

    def progress(stage: str, share: float) -> None:
        # A bar that is full would stop its clock, and other stages may follow.
        bar.update(task, description=stage, total=None if share <= 0 else 1.0, completed=min(share, 0.999))

    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield progress
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


@contextmanager
def cautioned(*, quiet: bool) -> Iterator[None]:
    """Show privacy warnings as sentences on standard error, and at once that a search was interrupted."""
    caught: list[warnings.WarningMessage] = []

    def show(message: Any, category: Any, *place: Any, **more: Any) -> None:
        caught.append(warnings.WarningMessage(message, category, *place, **more))
        if issubclass(category, InterruptedSearch):
            _interrupted.set(True)
            typer.secho(f"shoal: {str(message)[0].lower()}{str(message)[1:]}", fg="yellow", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
    for warning in caught:
        if issubclass(warning.category, PrivacyWarning) and not quiet:
            typer.secho(f"warning: {warning.message}", fg="yellow", err=True)


def names(values: list[str] | None) -> list[str]:
    """The names in repeated, comma-separated options; a name with a comma or outer spaces stands in double quotes.

    Two double quotes alone are the name of a column without one.
    """
    return [name for value in values or [] for name in _split(value) if name or value == '""']


def _split(value: str) -> list[str]:
    try:
        cut = next(csv.reader([value], skipinitialspace=True, strict=True), [])
    except csv.Error as error:
        raise InputError(f"The names {value!r} cannot be told apart: write a,b or '\"a, x\",b'.") from error
    return cut if '"' in value else [name.strip() for name in cut]


def pairs(option: str, values: list[str] | None) -> dict[str, str]:
    """The `name=value` pairs of a repeated option."""
    found: dict[str, str] = {}
    for value in values or []:
        name, sign, rest = value.partition("=")
        if not sign or not name.strip() or not rest.strip():
            raise InputError(f"{option} {value!r} must have the form name=value.")
        if name.strip() in found:
            raise InputError(f"{option} names {name.strip()!r} twice: keep one of the two.")
        found[name.strip()] = rest.strip()
    return found


def guides_of(
    folder: Path | None,
    single: dict[str, str],
    columns: list[str],
    what: str,
    configured: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The hierarchies of columns: from --hierarchy, else from a configuration file, else from the files of a folder."""
    from shoal.data.hierarchies import find

    for name in single:
        if columns and name not in columns:
            raise InputError(f"--hierarchy {name}=…: {name!r} is not among the {what} ({', '.join(columns)}).")
    found: dict[str, Any] = {name: find(folder, name, columns) for name in columns} if folder else {}
    found = {name: path for name, path in found.items() if path is not None}
    if folder and columns and not found and not single and not configured:
        raise InputError(f"{folder}: no file is named for one of the {what} ({', '.join(columns)}).")
    return found | dict(configured or {}) | single


def suppression_of(limit: str) -> float | int:
    """The share or the number of rows that may be suppressed."""
    try:
        return int(limit) if limit.lstrip("-").isdecimal() else float(limit)
    except ValueError as error:
        raise InputError(f"--max-suppression {limit!r} must be a share such as 0.02 or a number of rows.") from error


def key_in(path: Path | None) -> bytes | None:
    """The secret key of pseudonyms in a file."""
    if path is None:
        return None
    check_name(path)
    try:
        with path.open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                raise InputError(f"{path}: others can read this secret key. Run 'chmod 600 {path}' first.")
            return file.read().strip()
    except OSError as error:
        raise InputError(f"{path}: the key cannot be read ({error.strerror}).") from error


def print_json(content: Any) -> None:
    """Print as JSON on standard output."""
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    typer.echo(json.dumps(content, indent=2, ensure_ascii=plain, allow_nan=False))


def seconds_since(start: float) -> str:
    """The time that has passed, for people."""
    return f"{time.perf_counter() - start:.1f} s"


def check_places(targets: tuple[Path | None, ...], *others: object) -> None:
    """Refuse files that are named for something else, too, or that cannot be written, before any work is done."""
    from shoal.io import files
    from shoal.system import atomic_files

    given = [files.file_of(other) for other in others if isinstance(other, str | Path)]
    known = [file for file in given if file is not None]
    for path in targets:
        if path is None:
            continue
        if any(files.same(path, other) or path.resolve() == other.resolve() for other in known):
            raise InputError(f"{path}: this file is already named for something else. Choose another one.")
        if not files.is_folder(path.parent) or files.is_folder(path):
            raise InputError(f"{path}: no file can be written here. Name a file in a folder that exists.")
        atomic_files.check_folder(path)
        atomic_files.check_file(path)
        known.append(path)


def check_views(statistics: Path | None, groups: Path | None, *others: object) -> None:
    """Refuse places where the views of the classes cannot be written."""
    check_places((statistics, groups), *others)
    if groups is not None and groups.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{groups}: the page of the classes is an .html file.")
