"""How far long work is: told to a function of the caller, or shown as a bar in a notebook or a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from html import escape
from typing import Any

Progress = Callable[[str, float], None]  # receives the stage of the work and the share of it that is complete

DELAY = 1.0  # seconds before a bar appears
PERIOD = 0.25  # seconds between two drawings in a notebook
NOTEBOOKS = ("ZMQInteractiveShell", "Shell")  # the shells of IPython behind Jupyter and Colab


def silent(stage: str, share: float) -> None:
    """Show nothing."""


@contextmanager
def showing(progress: Progress | bool | None) -> Iterator[Progress]:
    """Give the function that long work calls: the caller's, or one that draws a bar until the block ends.

    None draws a bar in a notebook and nothing elsewhere; True draws one in a terminal, too; False draws none.
    """
    if callable(progress):
        yield progress
    elif progress is not False and in_notebook():
        with _notebook_bar() as tell:
            yield tell
    elif progress:
        with terminal_bar() as tell:
            yield tell
    else:
        yield silent


def in_notebook() -> bool:
    """Tell whether a notebook runs this code; a terminal with IPython is none."""
    ipython: Any = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return type(shell).__name__ in NOTEBOOKS and hasattr(shell, "kernel")


@contextmanager
def terminal_bar() -> Iterator[Progress]:
    """Draw a bar on standard error, if that is a terminal and the work takes longer than a second."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress as Bar, SpinnerColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (SpinnerColumn(), "{task.description}", BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("starting", total=None)

    def tell(stage: str, share: float) -> None:
        # A full bar would stop its clock, and other stages may follow.
        bar.update(task, description=stage, total=None if share <= 0 else 1.0, completed=min(share, 0.999))

    timer = threading.Timer(DELAY, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


@contextmanager
def _notebook_bar() -> Iterator[Progress]:
    """Draw a bar below the cell if the work takes longer than a second, and take it away at the end.

    It is plain HTML, as rich and tqdm need ipywidgets for theirs. A thread draws it, so that the work never waits.
    """
    from IPython.display import display

    latest, done, began = ("starting", 0.0), threading.Event(), time.monotonic()

    def tell(stage: str, share: float) -> None:
        nonlocal latest
        latest = stage, share

    def draw() -> None:
        if done.wait(DELAY):
            return
        shown = _drawn(*latest, time.monotonic() - began)
        handle = display(shown, raw=True, display_id=True)
        while not done.wait(PERIOD):
            drawn = _drawn(*latest, time.monotonic() - began)
            if drawn != shown:  # a bar that is drawn anew begins its movement anew
                shown = drawn
                handle.update(shown, raw=True)
        handle.update({"text/html": "", "text/plain": ""}, raw=True)

    thread = threading.Thread(target=copy_context().run, args=(draw,), daemon=True)  # the context knows the cell
    thread.start()
    try:
        yield tell
    finally:
        done.set()
        thread.join()


def _drawn(stage: str, share: float, seconds: float) -> dict[str, str]:
    """Draw a bar as HTML, and as text for frontends without HTML."""
    percent = f"{min(share, 0.99):.0%}" if share > 0 else ""
    said = ", ".join(filter(None, (stage, percent, f"{seconds:.0f} s")))
    value = f' max="1" value="{share:.3f}"' if share > 0 else ""
    style = "display: flex; align-items: center; gap: 0.8em"
    bar = f'<progress{value} style="width: 16em; max-width: 40%"></progress>'
    return {"text/html": f'<div style="{style}">{bar}<span>{escape(said)}</span></div>', "text/plain": said}
