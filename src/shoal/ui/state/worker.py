"""Worker: a process of its own for heavy work, so that the page stays quick and outlives whatever goes wrong there."""

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
from typing import Any

import shoal

Tell = Callable[[str, float], None]
OFTEN = 0.1  # seconds between two messages on how far the work is
EMPTY = "The work was stopped before it had anything to show: give it more time, or choose a faster algorithm."
SPAWN = multiprocessing.get_context("spawn")  # a copy of the server's process would share its sockets and threads


class WorkError(shoal.ShoalError):
    """The work gave no answer; the message says why and what to do."""


class Worker:
    """Answers one question after another with a function of shoal.ui.state.jobs; started when it is first asked."""

    def __init__(self) -> None:
        self._process: multiprocessing.process.BaseProcess | None = None
        self._ends: Connection
        self._stop: Event
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1)

    async def ask(self, job: str, *given: Any, tell: Tell | None = None) -> Any:
        """The answer to a question, or WorkError; `tell` hears of the stage and the share of the work that is done."""
        async with self._turn:
            if self._process is None or not self._process.is_alive():
                self._start()
            self._stop.clear()
            loop = asyncio.get_running_loop()
            try:
                await loop.run_in_executor(self._thread, self._ends.send, (job, given))
                while True:
                    kind, content = await loop.run_in_executor(self._thread, self._ends.recv)
                    if kind == "told" and tell is not None:
                        tell(*content)
                    elif kind == "answer":
                        return content
                    elif kind == "refused":
                        raise WorkError(content)
            except (EOFError, OSError) as error:
                raise WorkError(self._ending()) from error
            except asyncio.CancelledError:
                self._end()  # else its answer would be taken for that to the next question
                raise

    def stop(self) -> None:
        """Let the work end as soon as it can, with the best that it has."""
        if self._process is not None:
            self._stop.set()

    def kill(self) -> None:
        """End the process, whatever it is at, and answer no more."""
        self._end()
        self._thread.shutdown(wait=False)

    def _end(self) -> None:
        if self._process is not None and self._process.is_alive():
            self._process.kill()
            self._process.join(5)

    def _start(self) -> None:
        self._ends, other = SPAWN.Pipe()
        self._stop = SPAWN.Event()
        self._process = SPAWN.Process(target=_answer_questions, args=(other, self._stop), daemon=True)
        self._process.start()
        other.close()

    def _ending(self) -> str:
        """Why the process is no more."""
        if self._process is None:
            return "The work was cancelled."
        self._process.join(5)
        code = self._process.exitcode
        if code == -signal.SIGKILL:
            return (
                "The work was ended from outside, perhaps as memory ran out: close other programs, or take less data."
            )
        return f"The work broke off (exit code {code}). Your choices are kept: try again, or choose another algorithm."


def _answer_questions(ends: Connection, stop: Event) -> None:
    """What the process does until its other end is gone."""
    if hasattr(os, "setsid"):
        os.setsid()  # a Ctrl-C in the server's terminal is not for this process
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    from shoal.ui.state import jobs

    while True:
        try:
            job, given = ends.recv()
        except EOFError:
            return
        try:
            ends.send(("answer", jobs.JOBS[job](*given, tell=Teller(ends, stop))))
        except KeyboardInterrupt:
            ends.send(
                (
                    "refused",
                    EMPTY,
                )
            )
        except BrokenPipeError:
            return
        except (shoal.ShoalError, OSError) as error:
            ends.send(("refused", str(error)))
        except MemoryError:
            ends.send(("refused", "There is not enough memory for this: take fewer rows, or another algorithm."))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            ends.send(("refused", f"Something went wrong that should not have ({type(error).__name__}: {error})."))


class Teller:
    """Tells the other end how far the work is, not too often."""

    def __init__(self, ends: Connection, stop: Event) -> None:
        self.ends, self.stop, self.last = ends, stop, 0.0

    def __call__(self, stage: str, share: float) -> None:
        """Tell the stage and the share of it that is done."""
        if time.monotonic() - self.last >= OFTEN or share in (0, 1):
            self.last = time.monotonic()
            self.ends.send(("told", (stage, float(share))))

    def and_stop(self, stage: str, share: float) -> None:
        """The same where the work can end with the best so far: a wish to stop becomes a Ctrl-C."""
        self(stage, share)
        if self.stop.is_set():
            self.stop.clear()
            signal.raise_signal(signal.SIGINT)


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
