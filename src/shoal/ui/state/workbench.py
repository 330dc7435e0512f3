"""Workbench: everything that one visitor has opened, chosen and made; it knows nothing about pages."""

from __future__ import annotations

import asyncio
import copy
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import shoal
from shoal.ui.state import jobs
from shoal.ui.state.jobs import Risks, TableFacts
from shoal.ui.state.project import Project, Stamp, stamp_of
from shoal.ui.state.rows import Rows, counts
from shoal.ui.state.runs import Run, link
from shoal.ui.state.worker import Progress, Worker, WorkError

ADULT = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")  # quasi-identifiers
MAX_RUNNING = max(1, (os.cpu_count() or 2) // 2)  # runs; the others wait
CHANGED = "The file has changed since it was opened: open it again on the Data page."
DOWNLOADS = ("csv", "parquet", "html", "pdf", "json", "toml", "py", "hierarchies", "bundle")


class Workbench:
    """The table of one visitor, the project with the choices, and the runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home: Path | None = None  # the folder that typed paths are relative to
        self.may_open: Callable[[str], str] | None = None  # checks a typed path; None: no path may be opened
        self.max_upload: int | None = None  # bytes
        self.project = Project()
        self.table: Rows | None = None
        self.facts: TableFacts | None = None
        self.path = ""  # of the table, for the workers
        self.uploaded = False
        self._waiting: list[Path] = []  # folders of uploads that are not opened yet
        self.guided = False
        self.opened = 0  # number of tables so far: the page of an earlier one is rebuilt
        self.step = "data"
        self.risks: Risks | None = None
        self.risks_problem = ""
        self.runs: list[Run] = []
        self.shown: int | None = None  # the number of the run on the Explore and Release pages
        self._listeners: list[Callable[[], None]] = []
        self._worker = Worker()
        self._turns = asyncio.Semaphore(MAX_RUNNING)
        self._tasks: set[asyncio.Task[None]] = set()
        self._counts: dict[str, dict[str, int]] = {}
        self._stamp: Stamp = None  # of the file when it was opened
        self._risk_counts = 0  # started so far
        self._opening = asyncio.Lock()

    # the table

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.facts.columns] if self.facts else []

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.facts.rows if self.facts else 0

    @property
    def quasi(self) -> list[str]:
        """The quasi-identifiers."""
        return self.project.quasi

    @property
    def suggestions(self) -> dict[str, shoal.Suggestion]:
        """The suggested role of each column."""
        return {column.name: column.suggestion for column in self.facts.columns} if self.facts else {}

    def counts(self, name: str) -> dict[str, int]:
        """Count the rows of each value of a column, without missing values, the most frequent first."""
        if self.table is None:
            return {}
        if name not in self._counts:
            self._counts[name] = counts(self.table.table[name], self.project.missing)
        return self._counts[name]

    # opening

    async def open(
        self,
        path: str,
        *,
        name: str | None = None,
        separator: str | None = None,
        encoding: str = "utf-8",
        names: list[str] | bool | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Open a table by its path or address; an uploaded file also has a name, which scripts use.

        names  those of the columns, as in `shoal.read`
        """
        folder = Path(path).parent
        own = [folder] if name is not None and folder.parent == self.folder / "uploads" else []
        self._waiting += own
        project = Project(data=path if name is None else name, separator=separator, encoding=encoding, names=names)
        try:
            async with self._opening:
                await self._open(path, project, progress, uploaded=name is not None)
        finally:
            for place in own:
                self._waiting.remove(place)
                if self.path != path:  # it was refused, or cancelled
                    _remove(place)
        self.changed()

    async def _open(self, path: str, project: Project, progress: Progress | None, *, uploaded: bool) -> None:
        stamp, target = stamp_of(path), self.folder / f"table-{self.opened + 1}.arrow"
        facts = await self._worker.run(jobs.open_table, project, path, None, target, progress=progress)
        await self._discard_table(keep=path)
        self._stamp = stamp
        self.runs, self.shown, self.risks, self.guided = [], None, None, False
        self._counts.clear()
        self.opened += 1
        self.path, self.uploaded, self.facts, self.table = path, uploaded, facts, Rows.in_file(target)
        self.project = project
        project.missing = list(facts.marks)
        project.roles = {name: suggestion.role for name, suggestion in self.suggestions.items()}
        for name in project.quasi:
            if (spelling := self.suggestions[name].hierarchy) is not None:
                project.hierarchies[name] = spelling

    async def _discard_table(self, keep: str) -> None:
        """End the runs of the previous table, and remove its files."""
        for run in self.runs:
            run.cancel()
        old = [self.folder / "runs", self.folder / f"table-{self.opened}.arrow"]
        used = {Path(keep).parent, *self._waiting}
        old += [place for place in (self.folder / "uploads").glob("*") if place not in used]
        for place in old:
            await asyncio.to_thread(_remove, place)

    def place_for(self, name: str) -> Path:
        """Make a place for an upload, in its own folder, so that no file in use is overwritten."""
        uploads = self.folder / "uploads"
        uploads.mkdir(exist_ok=True)
        return Path(tempfile.mkdtemp(dir=uploads)) / name

    def discard_upload(self, place: Path) -> None:
        """Remove an upload that did not arrive completely or is no longer needed."""
        _remove(place.parent)

    async def open_adult(self, progress: Progress | None = None) -> None:
        """Open the Adult table for a guided first run, with its roles and hierarchies."""
        import pyarrow.csv

        path = self.place_for("adult.csv")
        await asyncio.to_thread(pyarrow.csv.write_csv, shoal.datasets.adult(), str(path))
        await self.open(str(path), name="adult.csv", progress=progress)
        self.guided = True
        for column in self.columns:
            self.project.roles[column] = "quasi" if column in ADULT else "identifying"  # what is not needed stays here
        self.project.roles["occupation"] = "sensitive"
        trees = shoal.datasets.adult_hierarchies()
        self.project.hierarchies = {name: trees[name] for name in self.quasi}
        del self.project.hierarchies["age"]  # ages become free ranges
        self.project.models = {"k": {"k": 10}, "l": {"l": 3}}
        self.changed()

    async def take_missing(self, marks: list[str]) -> None:
        """Take other texts as missing, and analyze the table again."""
        if self.facts is None:
            return
        self.facts = await self._worker.run(jobs.open_table, self.project, self.path, marks, None)
        self.project.missing = marks
        self._counts.clear()
        self.changed()

    # choices and their consequences

    def changed(self) -> None:
        """Notify the listeners, and count the rows at risk again."""
        self._notify()
        if self.facts is not None:
            self._start_task(self._count_risks())

    def listen(self, listener: Callable[[], None]) -> None:
        """Call a function whenever something has changed."""
        self._listeners.append(listener)

    def forget(self, listener: Callable[[], None]) -> None:
        """Stop calling a function."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def _notify(self) -> None:
        for listener in list(self._listeners):
            listener()

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _count_risks(self) -> None:
        self._risk_counts += 1
        number = self._risk_counts
        await asyncio.sleep(0.05)  # a moving slider changes often
        if number != self._risk_counts:
            return
        try:
            risks, problem = await self._worker.run(jobs.risks, copy.deepcopy(self.project), self.path), ""
        except WorkError as error:
            risks, problem = None, str(error)
        if number == self._risk_counts:
            self.risks, self.risks_problem = risks, problem
            self._notify()

    async def read_hierarchy(self, place: Path) -> shoal.Hierarchy:
        """Read an uploaded hierarchy, and remove its file."""
        try:
            return await self._worker.run(jobs.read_hierarchy, place)
        finally:
            self.discard_upload(place)

    async def column_sets(self, progress: Progress | None = None) -> list[shoal.ColumnSet]:
        """Assess how well sets of quasi-identifiers distinguish rows."""
        return await self._worker.run(jobs.column_sets, self.project, self.path, progress=progress)

    # runs

    def start(self, *, levels: dict[str, int] | None = None) -> Run:
        """Make a release with the current choices, or with the levels of a full-domain run."""
        if self.facts is None:
            raise shoal.InputError("There is no table yet: open one on the Data page.")
        if stamp_of(self.path) != self._stamp:
            raise shoal.InputError(CHANGED)
        project = copy.deepcopy(self.project)
        if levels is not None:
            project.algorithm, project.levels, project.seconds, project.weights = "full-domain", dict(levels), None, {}
        project.arguments({})  # raises immediately if the choices are not valid
        number = len(self.runs) + 1
        folder = self.folder / "runs" / str(number)
        folder.mkdir(parents=True)
        if self.uploaded:
            link(Path(self.path), folder / project.data)
        run = Run(number, project, folder, _stem(project.data), self._notify)
        self.runs.append(run)
        self._notify()
        self._start_task(self._follow(run))
        return run

    async def _follow(self, run: Run) -> None:
        await run.work(self._turns)
        if run.state == "done" and stamp_of(self.path) != self._stamp:
            run.state, run.result, run.problem = "failed", None, CHANGED
        if run.state == "done":
            self.shown = run.number
        self._notify()

    @property
    def finished(self) -> list[Run]:
        """The runs that have a result."""
        return [run for run in self.runs if run.result is not None]

    @property
    def shown_run(self) -> Run | None:
        """The run on the Explore and Release pages: the chosen one, or else the latest with a result."""
        finished = self.finished
        return next((run for run in finished if run.number == self.shown), finished[-1] if finished else None)

    async def attack(self, run: Run, known: list[str], sample: float) -> dict[str, object]:
        """Attack the release of a run with some columns of some people."""
        release = run.folder / run.release.files["parquet"]
        return await self._worker.run(jobs.attack, run.project, self.path, release, known, sample)

    # downloads

    def download(self, number: int, name: str) -> Path | None:
        """Return a file of a run by its kind, None if there is no such file."""
        run = next((run for run in self.finished if run.number == number), None)
        if run is None or name not in DOWNLOADS:
            return None
        trees = run.folder.glob("hierarchies/*")
        if name == "hierarchies":
            return _zip(run.folder / f"{run.stem}-hierarchies.zip", trees)
        if name == "bundle":
            parts = [run.folder / file for file in run.release.files.values()]
            own = [run.folder / run.project.data] if self.guided and self.uploaded else []
            return _zip(run.folder / f"{run.stem}-all-files.zip", [*parts, *own, *trees])
        return run.folder / run.release.files[name]

    async def close(self) -> None:
        """End all work and remove all files."""
        for run in self.runs:
            run.cancel()
        self._worker.kill()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)


def _remove(place: Path) -> None:
    """Remove a file or a folder; if it is still in use, it is removed later with the visitor's folder."""
    if place.is_dir():
        shutil.rmtree(place, ignore_errors=True)
    else:
        with suppress(OSError):
            place.unlink()


def _zip(target: Path, files: Iterable[Path]) -> Path:
    """Put files into an archive beside them, once."""
    if not target.exists():
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, file.relative_to(target.parent))
    return target


def _stem(data: str) -> str:
    """Return the name of a table without its ending, for the names of its releases."""
    last = re.split(r"[\\/#]", data.rstrip("/"))[-1] or "table"
    return re.sub(r"[^\w-]+", "-", last.rsplit(".", 1)[0]).strip("-")[:80] or "table"
