"""What the commands share on the terminal: exit codes, warnings, progress, and JSON."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import typer

from shoal.cli import Ended
from shoal.cli.standard_streams import standard_output_kept_free, without_folders
from shoal.errors import (
    InfeasibleError,
    InputError,
    InterruptedSearch,
    PrivacyWarning,
    ReviewError,
    ShoalError,
    VerificationError,
)
from shoal.kernels.compilations import LOG, clock
from shoal.system.interrupts import answering_interrupts
from shoal.system.progress import silent, terminal_bar

P = ParamSpec("P")
R = TypeVar("R")
EXIT_CODES: dict[type[ShoalError], int] = {ReviewError: 1, InputError: 2, InfeasibleError: 3, VerificationError: 4}
OUT_OF_MEMORY = (
    "there is not enough memory. Let shoal anonymize read a CSV or Parquet file in parts with --memory 1GB, "
    "or free some memory."
)
# What libraries say that do not raise MemoryError.
NO_MEMORY = (
    "failed to map segment",
    "launch worker thread",
    "can't start new thread",
    "bad_alloc",
    "Out of memory",
)
_search_interrupted = ContextVar("search_interrupted", default=False)


def guarded(command: Callable[P, R]) -> Callable[P, R]:
    """Make a command end with one sentence and the right exit code when shoal refuses or is interrupted."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        _search_interrupted.set(False)
        try:
            with answering_interrupts(), standard_output_kept_free():
                result = command(*args, **kwargs)
        except ShoalError as error:
            from shoal.io.databases.address import hide_passwords

            code = next(code for kind, code in EXIT_CODES.items() if isinstance(error, kind))
            raise _exit(hide_passwords(str(error)), code) from None
        except KeyboardInterrupt:
            raise Ended(130).announce() from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader of the pipe is gone
            raise typer.Exit(0) from None
        except OSError as error:
            raise _exit(f"{error.filename or 'the output'}: {error.strerror or error}.") from None
        except Exception as error:
            if not isinstance(error, MemoryError) and not any(text in str(error) for text in NO_MEMORY):
                raise
            raise _exit(OUT_OF_MEMORY) from None
        if _search_interrupted.get():
            raise Ended(130, announced=True)
        return result

    return run


def _exit(sentence: str, code: int = 2) -> typer.Exit:
    """Show an error on standard error."""
    typer.secho(f"shoal: {without_folders(sentence)}", fg="red", err=True)
    return typer.Exit(code)


def show_warning(sentence: str) -> None:
    """Show a warning on standard error."""
    typer.secho(f"warning: {without_folders(sentence)}", fg="yellow", err=True)


def show_note(sentence: str) -> None:
    """Show a note on standard error."""
    typer.secho(f"note: {sentence}", err=True)


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Callable[[str, float], None]]:
    """Show a progress bar on standard error if the work takes longer than a second, and say what is compiled."""
    before, LOG.disabled = LOG.disabled, quiet
    try:
        with nullcontext(silent) if quiet else terminal_bar() as progress:
            yield progress
    finally:
        LOG.disabled = before


@contextmanager
def privacy_warnings(*, quiet: bool) -> Iterator[None]:
    """Show privacy warnings at the end of a block, and immediately if a search was interrupted."""
    caught: list[warnings.WarningMessage] = []

    def show(message: Any, category: Any, *place: Any, **more: Any) -> None:
        caught.append(warnings.WarningMessage(message, category, *place, **more))
        if issubclass(category, InterruptedSearch):
            _search_interrupted.set(True)
            typer.secho(f"shoal: {str(message)[0].lower()}{str(message)[1:]}", fg="yellow", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
    for warning in caught:
        if issubclass(warning.category, PrivacyWarning) and not quiet:
            show_warning(str(warning.message))


def print_json(content: Any) -> None:
    """Print JSON on standard output."""
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    typer.echo(json.dumps(content, indent=2, ensure_ascii=ascii_only, allow_nan=False))


def seconds_since(start: float) -> str:
    """Format the time that has passed since `start` by the clock that stands still while kernels are compiled."""
    return f"{clock() - start:.1f} s"
