"""The command line."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    try:
        from io import TextIOWrapper

        from shoal.cli.app import app

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal that cannot show a sign shows ? in its place
        app()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
