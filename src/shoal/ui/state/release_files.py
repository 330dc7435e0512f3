"""A release in a folder, with its files, its figures and the script that makes it again."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import shoal
from shoal.ui.state.project import Project
from shoal.ui.state.reproduction import COMMAND, config_text, save_trees, script_text
from shoal.ui.state.worker import Progress, Reporter

MAX_CELLS = 10**8  # pairs of a class and a sensitive value that can be counted in some seconds
LARGE_TABLE = 100_000  # rows
MAX_NODES, MAX_NODES_IF_LARGE = 10_000, 1_000  # of a lattice that is evaluated completely
# Stages before a search has a result, and after it.
UNSTOPPABLE = ("encoding", "labelling", "verifying", "local")


@dataclass(frozen=True)
class Result:
    """A release: its report, the risks before and after, the nodes of its lattice, and how to make it again."""

    report: Mapping[str, Any]
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    files: Mapping[str, str]
    nodes: tuple[Mapping[str, Any], ...]
    levels: Mapping[str, int] | None
    top_levels: Mapping[str, int] | None
    script: str
    config: str
    command: str = COMMAND

    @property
    def sides(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The assessments of the table and of the release."""
        return self.before, self.after


def make_release(project: Project, folder: Path, stem: str, *, progress: Reporter) -> Result:
    """Make a release in a folder, with all files that can be downloaded."""
    progress("reading", 0)
    source = _table(project, folder)
    guides = save_trees(project, folder)
    arguments = project.arguments(guides)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are also in the report
        release = shoal.anonymize(source, progress=_stoppable(progress), **arguments)
        repeated = _repeatable(release, source, arguments)
    release = replace(release, request=replace(release.request, command=COMMAND))

    names = {kind: f"{stem}-safe.{kind}" for kind in ("csv", "parquet", "html", "pdf", "json")}
    progress("writing and verifying", 0.2)
    release.save(names["csv"])
    release.save(names["parquet"])
    progress("writing the reports", 0.6)
    release.save_report(names["html"])
    release.save_report(names["json"])
    release.save_report(names["pdf"])
    config = config_text(project, guides, repeated.request.algorithm, names["csv"])
    script = script_text(repeated, [names["csv"], names["parquet"]])
    Path("shoal.toml").write_text(config, encoding="utf-8")
    Path("release.py").write_text(script, encoding="utf-8")
    progress("comparing with the original table", 0.8)
    save_arrow(_aligned(release), Path("release.arrow"))
    counted = [name for name in project.sensitive if not too_many_values(source.to_arrow(), [name], len(source))]
    columns: dict[str, Any] = {"quasi_identifiers": project.quasi, "sensitive": counted}
    if project.unit is not None:
        columns["unit"] = project.unit
    before = shoal.assess(source, missing_values=project.missing, **columns)
    hidden = release.report.suppressed_rows and release.request.suppressed == "keep"
    tops = sorted(set(release.promise.tops.values())) if hidden else []
    after = shoal.assess(_with_unit(release, source, project.unit), suppressed=tops, **columns)
    lattice = release.lattice
    max_nodes = MAX_NODES_IF_LARGE if release.report.rows > LARGE_TABLE else MAX_NODES
    if lattice is not None and lattice.size <= max_nodes:
        lattice = lattice.complete(progress)
    return Result(
        report=release.report.to_dict(),
        before=before.to_dict(),
        after=after.to_dict(),
        files=names | {"toml": "shoal.toml", "py": "release.py"},
        nodes=() if lattice is None else tuple(lattice.table().to_pylist()),
        levels=None if lattice is None else lattice.node,
        top_levels=None if lattice is None else dict(zip(lattice.quasi, lattice.found.lattice.top, strict=True)),
        script=script,
        config=config,
    )


def _table(project: Project, folder: Path) -> Any:
    """Read the table, and change to the folder, so that names are those that a script beside the files would use."""
    uploaded = (folder / project.data).exists()  # else it is a path or an address, relative to the server's folder
    if uploaded:
        os.chdir(folder)
    source = shoal.read(project.data, **project.reading)
    os.chdir(folder)
    if set(source.columns) != set(project.roles):
        raise shoal.InputError("The columns have changed: open the table again on the Data page.")
    return source


def too_many_values(table: pa.Table, names: Sequence[str], classes: int) -> str:
    """Return the first sensitive column with too many different values to count in each class, if any."""
    for name in names:
        if classes * pc.count_distinct(table[name].unify_dictionaries()).as_py() > MAX_CELLS:
            return name
    return ""


def _stoppable(progress: Reporter) -> Progress:
    """Let a search be stopped once it has a result."""

    def report(stage: str, share: float) -> None:
        unstoppable = stage in UNSTOPPABLE or stage.startswith("local: at best")
        (progress if unstoppable else progress.and_stop)(stage, share)

    return report


def _repeatable(release: shoal.Release, source: Any, arguments: dict[str, Any]) -> shoal.Release:
    """Make a release that was stopped again from its node, so that it gives the same result everywhere."""
    search = release.report.search
    if search is None or not search["stopped"]:
        return release
    algorithm: Any = release.request.algorithm
    pinned = replace(algorithm, levels=search["node"], time_limit=None)
    return shoal.anonymize(source, **arguments | {"algorithm": pinned})


def _with_unit(release: shoal.Release, source: Any, unit: str | None) -> pa.Table:
    """Return the released frame with the column that says whose row it is, so that people can be counted in it."""
    frame: pa.Table = release.frame
    if unit is None or unit in frame.column_names:
        return frame
    at = None if release.promise.original is None else release.promise.original.at
    column = source.arrow(unit)
    return frame.append_column(unit, column if at is None else column.take(pa.array(at)))


def _aligned(release: shoal.Release) -> pa.Table:
    """Return the released labels of each row of the original table as columns `after NAME`, and its class.

    The class is 0 if the row is suppressed, and −1 if it is left out.
    """
    groups = release.groups
    shown = release.promise.quasi
    rows = release.report.input["rows"]
    numbers = np.full(rows, -1, np.int32)
    numbers[groups.numbers] = groups.ids + 1
    if release.request.suppressed == "drop":
        numbers[(numbers == 0)] = -1
    at = None if release.promise.original is None else release.promise.original.at
    released = np.arange(rows) if at is None else at
    place = np.full(rows, -1, np.int64)
    place[released] = np.arange(released.size)
    index = pa.array(place, mask=place < 0)
    frame: pa.Table = release.frame
    columns = {f"after {name}": frame[name].take(index) for name in frame.column_names if name in shown}
    return pa.table({"class": numbers} | columns)


def save_arrow(table: pa.Table, target: Path) -> None:
    """Save a table as an Arrow file that can be mapped into memory."""
    with pa.OSFile(str(target), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=1 << 16)
