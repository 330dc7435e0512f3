"""Run: one attempt at a release, from its start to its result."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import shoal
from shoal.ui.state.models import offers
from shoal.ui.state.project import Project
from shoal.ui.state.release_files import Result, make_release
from shoal.ui.state.rows import Rows
from shoal.ui.state.worker import Worker, WorkError

State = Literal["waiting", "running", "done", "failed", "cancelled"]


@dataclass(eq=False)
class Run:
    """The choices, the progress and the result of a run; `project` is a copy that later choices do not change."""

    number: int
    project: Project
    folder: Path
    stem: str
    changed: Callable[[], None]
    state: State = "waiting"
    stage: str = "waiting for its turn"
    share: float = 0.0
    problem: str = ""
    result: Result | None = None
    stopping: bool = False
    began: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    _worker: Worker = field(default_factory=Worker, repr=False)
    _rows: Rows | None = field(default=None, repr=False)
    _budget: asyncio.TimerHandle | None = field(default=None, repr=False)  # which starts with the search

    @property
    def name(self) -> str:
        """The number, the models and the algorithm."""
        known = offers()
        models = ", ".join(known[key].requirement(known[key].checked(n)) for key, n in self.project.models.items())
        levels = " at chosen levels" if self.project.levels else ""
        return f"{self.number}: {models.replace('>=', ' ≥ ').replace('<=', ' ≤ ')}, {self.project.algorithm}{levels}"

    @property
    def active(self) -> bool:
        """Whether it has not ended yet."""
        return self.state in ("waiting", "running")

    @property
    def release(self) -> Result:
        """The result of a run that has one."""
        if self.result is None:
            raise shoal.InputError(f"Run {self.number} has no release: make one on the Run page.")
        return self.result

    @property
    def rows(self) -> Rows:
        """The released labels of each row of the table, with the number of its class."""
        if self._rows is None:
            self._rows = Rows.in_file(self.folder / "release.arrow")
        return self._rows

    async def work(self, turns: asyncio.Semaphore) -> None:
        """Wait for a turn and make the release."""
        async with turns:
            if self.state == "cancelled":
                return
            self.state, self.stage, self.began = "running", "starting", time.monotonic()
            self.changed()
            try:
                self.result = await self._worker.run(
                    make_release, self.project, self.folder, self.stem, progress=self._progress
                )
                self.state = "done"
            except WorkError as error:
                if self.active:  # not cancelled meanwhile
                    self.state, self.problem = "failed", str(error)
            finally:
                if self._budget is not None:
                    self._budget.cancel()
                self.seconds = time.monotonic() - self.began
                self._worker.kill()
                self.changed()

    def _progress(self, stage: str, share: float) -> None:
        if self.project.seconds and self._budget is None and stage not in ("reading", "encoding"):
            self._budget = asyncio.get_running_loop().call_later(self.project.seconds, self.stop)
        self.stage, self.share = stage, min(1.0, max(0.0, share))
        self.seconds = time.monotonic() - self.began

    def stop(self) -> None:
        """End the search and take the best result so far."""
        if self.state == "running":
            self.stopping = True
            self._worker.stop()

    def cancel(self) -> None:
        """End the run without a result."""
        if self.active:
            self.state, self.stage = "cancelled", "cancelled"
            self._worker.kill()
            self.changed()


def link(source: Path, target: Path) -> None:
    """Link a file into a folder, or copy it if the disk cannot link."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
