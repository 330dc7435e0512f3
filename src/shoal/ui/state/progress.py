"""Progress of the work in a worker process, and the request to stop it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event

Progress = Callable[[str, float], None]
INTERVAL = 0.1  # seconds between two messages


class Reporter:
    """Reports progress to the other end of a connection, but not too often."""

    def __init__(self, connection: Connection, stop: Event) -> None:
        self.connection, self.stop, self.last = connection, stop, 0.0

    def __call__(self, stage: str, share: float) -> None:
        """Report the stage and the share of it that is done."""
        if time.monotonic() - self.last >= INTERVAL or share in (0, 1):
            self.last = time.monotonic()
            self.connection.send(("progress", (stage, float(share))))

    def and_stop(self, stage: str, share: float) -> None:
        """Report where the work can end with the best result so far: a request to stop becomes a Ctrl-C."""
        self(stage, share)
        if self.stop.is_set():
            self.stop.clear()
            signal.raise_signal(signal.SIGINT)
