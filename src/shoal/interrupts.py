"""Ctrl-C at a place where it can be answered: compiled code cannot be broken off in the middle."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def deferred() -> Iterator[Callable[[], bool]]:
    """Note the first Ctrl-C, to be asked for, in place of raising it at once; the second one is raised as ever."""
    pressed: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):
        yield lambda: False
        return

    def note(number: int, frame: FrameType | None) -> None:
        if pressed:
            before(number, frame)
        pressed.append(number)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def answering_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt or SystemExit where compiled code made another error of it."""
    try:
        yield
    except SystemError as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, KeyboardInterrupt | SystemExit):
            cause = cause.__cause__ or cause.__context__
        if cause is None:
            raise
        raise cause from None
