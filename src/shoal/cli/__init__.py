"""The command line."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    try:
        from io import TextIOWrapper

        from shoal.cli.app import app

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
