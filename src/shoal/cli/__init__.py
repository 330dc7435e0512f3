"""The command line."""

from __future__ import annotations

import signal
import sys
from types import FrameType

__all__ = ["main", "run"]

END_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
INTERRUPTED = "interrupted; no half-written file is left."
CALLBACKS = "llvmlite"  # the package that C code calls while kernels compile: exceptions end there unseen
SOON = 0.05  # seconds
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
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _stop)
        if sys.stderr is None:  # closed by whoever started the command, who wants to hear nothing
            from os import devnull

            sys.stderr = open(devnull, "w")  # noqa: SIM115  for as long as the process runs
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


def _stop(number: int, frame: FrameType | None) -> None:
    """End as after Ctrl-C, so that temporary files are removed; soon, if C code would swallow the exception."""
    if _is_called_back(frame):
        from threading import Timer

        again = Timer(SOON, signal.raise_signal, (number,))
        again.daemon = True
        again.start()
        return
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Ended(128 + number)


def _is_called_back(frame: FrameType | None) -> bool:
    """Return whether the signal came while C code was waiting for an answer."""
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == CALLBACKS:
            return True
        frame = frame.f_back
    return False
