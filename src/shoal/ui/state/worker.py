"""Worker: a separate process for heavy work, so that the page stays responsive and survives its failures."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from typing import Any, TypeVar

import shoal

T = TypeVar("T")
Progress = Callable[[str, float], None]
INTERVAL = 0.1  # seconds between two messages of progress
NO_RESULT = "The work was stopped before it had a result: give it more time, or choose a faster algorithm."
SPAWN = multiprocessing.get_context("spawn")  # a fork would share the server's sockets and threads


class WorkError(shoal.ShoalError):
    """Work that failed; the message says why and what to do."""


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


class Worker:
    """Runs one job after another in its process, which starts with the first job."""

    def __init__(self) -> None:
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection
        self._stop: Event
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1)

    async def run(self, job: Callable[..., T], *arguments: Any, progress: Progress | None = None) -> T:
        """Run a function of a module, which gets a Reporter as `progress`; raise WorkError if it fails."""
        async with self._turn:
            if self._process is None or not self._process.is_alive():
                self._start()
            self._stop.clear()
            loop = asyncio.get_running_loop()
            try:
                await loop.run_in_executor(self._thread, self._connection.send, (job, arguments))
                while True:
                    kind, content = await loop.run_in_executor(self._thread, self._connection.recv)
                    if kind == "progress" and progress is not None:
                        progress(*content)
                    elif kind == "result":
                        result: T = content
                        return result
                    elif kind == "error":
                        raise WorkError(content)
            except (EOFError, OSError) as error:
                raise WorkError(self._end_reason()) from error
            except asyncio.CancelledError:
                self._end()  # or its result would be taken for that of the next job
                raise

    def stop(self) -> None:
        """Ask the job to end as soon as it can, with the best result so far."""
        if self._process is not None:
            self._stop.set()

    def kill(self) -> None:
        """End the process immediately, for good."""
        self._end()
        self._thread.shutdown(wait=False)

    def _end(self) -> None:
        if self._process is not None and self._process.is_alive():
            self._process.kill()
            self._process.join(5)

    def _start(self) -> None:
        self._connection, child_end = SPAWN.Pipe()
        self._stop = SPAWN.Event()
        self._process = SPAWN.Process(target=_run_jobs, args=(child_end, self._stop), daemon=True)
        self._process.start()
        child_end.close()

    def _end_reason(self) -> str:
        """Say why the process ended."""
        if self._process is None:
            return "The work was cancelled."
        self._process.join(5)
        code = self._process.exitcode
        if code == -signal.SIGKILL:
            return (
                "The work was killed from outside, perhaps because memory ran out: close other programs, or use less "
                "data."
            )
        return f"The work crashed (exit code {code}). Your choices are kept: try again, or choose another algorithm."


def _run_jobs(connection: Connection, stop: Event) -> None:
    """Run jobs until the connection is closed."""
    if hasattr(os, "setsid"):
        os.setsid()  # a Ctrl-C in the server's terminal is not for this process
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    while True:
        try:
            job, arguments = connection.recv()
        except EOFError:
            return
        try:
            connection.send(("result", job(*arguments, progress=Reporter(connection, stop))))
        except KeyboardInterrupt:
            connection.send(("error", NO_RESULT))
        except BrokenPipeError:
            return
        except (shoal.ShoalError, OSError) as error:
            connection.send(("error", str(error)))
        except MemoryError:
            connection.send(("error", "There is not enough memory for this: use fewer rows, or another algorithm."))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            connection.send(("error", f"There was an unexpected error ({type(error).__name__}: {error})."))


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
