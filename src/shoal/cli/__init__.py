"""The command line."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

__all__ = ["main", "run"]

END_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
INTERRUPTED = "interrupted; no half-written file is left."
ENDED = "ended by a signal; no half-written file is left."


class Ended(SystemExit):
    """The end of a process that received a signal, and whether the user has been told."""

    def __init__(self, code: int | str | None, *, announced: bool = False) -> None:
        super().__init__(code)
        self.announced = announced

    def announce(self) -> Ended:
        """Tell the user, once."""
        if not self.announced:
            sys.stderr.write(f"shoal: {INTERRUPTED if self.code == 130 else ENDED}\n")
            self.announced = True
        return self


def main() -> None:
    """Run the command line."""
    run("shoal.cli.app")


def run(module: str) -> None:
    """Run the `app` of a module."""
    try:
        for number in END_SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP, and that must stay so
                signal.signal(number, _stop)
        from importlib import import_module
        from io import TextIOWrapper

        app = import_module(module).app
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # show ? for characters that the terminal cannot show
        app()
    except KeyboardInterrupt:
        raise Ended(130).announce() from None
    except Ended as end:
        raise end.announce() from None
    except SystemExit as end:
        if end.code == 130:  # Ctrl-C while the options were being parsed
            raise Ended(130).announce() from None
        raise
    finally:
        for number in (signal.SIGINT, *END_SIGNALS):  # the work is done: a signal may now end the process directly
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)


def _stop(number: int, frame: object) -> NoReturn:
    """End as after Ctrl-C, so that temporary files are removed."""
    raise Ended(128 + number)
