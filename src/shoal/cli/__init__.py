"""The command line."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

__all__ = ["main", "run"]


def main() -> None:
    """Run the command line."""
    run("shoal.cli.app")


def run(module: str) -> None:
    """Run the `app` of a module."""
    try:
        from importlib import import_module
        from io import TextIOWrapper

        app = import_module(module).app
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal that cannot show a sign shows ? in its place
        signal.signal(signal.SIGTERM, _stop)
        app()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _stop(number: int, frame: object) -> NoReturn:
    """End as after Ctrl-C, so that temporary files are removed."""
    raise SystemExit(128 + number)
