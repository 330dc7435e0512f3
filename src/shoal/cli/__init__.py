"""The command line."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

__all__ = ["main", "run"]

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
INTERRUPTED = "interrupted; no half-written file is left."
ENDED = "ended by a signal; no half-written file is left."


class Ended(SystemExit):
    """The end of a process that was asked to end, and whether that was said."""

    def __init__(self, code: int | str | None, *, told: bool = False) -> None:
        super().__init__(code)
        self.told = told

    def tell(self) -> Ended:
        """Say it once."""
        if not self.told:
            sys.stderr.write(f"shoal: {INTERRUPTED if self.code == 130 else ENDED}\n")
            self.told = True
        return self


def main() -> None:
    """Run the command line."""
    run("shoal.cli.app")


def run(module: str) -> None:
    """Run the `app` of a module."""
    try:
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup lets it be
                signal.signal(number, _stop)
        from importlib import import_module
        from io import TextIOWrapper

        app = import_module(module).app
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal that cannot show a sign shows ? in its place
        app()
    except KeyboardInterrupt:
        raise Ended(130).tell() from None
    except Ended as end:
        raise end.tell() from None
    except SystemExit as end:
        if end.code == 130:  # Ctrl-C while the options were read
            raise Ended(130).tell() from None
        raise
    finally:
        for number in (signal.SIGINT, *ENDING):  # all is done: who ends the process now ends it
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)


def _stop(number: int, frame: object) -> NoReturn:
    """End as after Ctrl-C, so that temporary files are removed."""
    raise Ended(128 + number)
