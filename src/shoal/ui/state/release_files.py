"""Making a release in a folder, with the files, the figures and the script that go with it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import shoal
from shoal.ui.state.project import Project
from shoal.ui.state.repeat import COMMAND, config_text, save_trees, script_text
from shoal.ui.state.worker import Tell, Teller

CELLS = 10**8  # of a class and a sensitive value: some seconds
FEW, LARGE = (10_000, 1_000), 100_000  # nodes that are all looked at, to be chosen, in tables of fewer and more rows


@dataclass(frozen=True)
class Result:
    """A release: its report, the risks before and after, the nodes of its lattice, and how to make it again."""

    report: dict[str, Any]
    before: dict[str, Any]
    after: dict[str, Any]
    files: dict[str, str]
    nodes: tuple[dict[str, Any], ...]
    levels: dict[str, int] | None
    top_levels: dict[str, int] | None
    script: str
    config: str
    command: str = COMMAND


def make_release(project: Project, folder: Path, stem: str, *, tell: Teller) -> Result:
    """Make a release in a folder, with all that may be taken away from there."""
    tell("reading", 0)
    source = _table(project, folder)
    guides = save_trees(project, folder)
    given = project.arguments(guides)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are in the report, too
        release = shoal.anonymize(source, progress=_stoppable(tell), **given)
        repeated = _repeatable(release, source, given)
    release = replace(release, request=replace(release.request, command=COMMAND))

    names = {kind: f"{stem}-safe.{kind}" for kind in ("csv", "parquet", "html", "pdf", "json")}
    tell("writing and verifying", 0.2)
    release.save(names["csv"])
    release.save(names["parquet"])
    tell("writing the reports", 0.6)
    release.save_report(names["html"])
    release.save_report(names["json"])
    release.save_report(names["pdf"])
    config = config_text(project, guides, repeated.request.algorithm, names["csv"])
    script = script_text(repeated, [names["csv"], names["parquet"]])
    Path("shoal.toml").write_text(config, encoding="utf-8")
    Path("release.py").write_text(script, encoding="utf-8")
    tell("comparing with the table before", 0.8)
    keep(_aligned(release), Path("release.arrow"))
    counted = [name for name in project.sensitive if not too_many_values(source.to_arrow(), [name], len(source))]
    looks: dict[str, Any] = {"quasi_identifiers": project.quasi, "sensitive": counted}
    before = shoal.assess(source, missing_values=project.missing, **looks)
    hidden = release.report.suppressed_rows and release.request.suppressed == "keep"
    tops = sorted(set(release.promise.tops.values())) if hidden else []
    after = shoal.assess(release.frame, suppressed=tops, **looks)
    lattice = release.lattice
    if lattice is not None and lattice.size <= FEW[release.report.rows > LARGE]:
        lattice = lattice.complete(tell)
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
    """The table; from here on, names are those that a script beside the files would use."""
    beside = (folder / project.data).exists()  # else it is an address, seen from where the server was started
    if beside:
        os.chdir(folder)
    source = shoal.read(project.data, separator=project.separator, encoding=project.encoding)
    os.chdir(folder)
    if set(source.columns) != set(project.roles):
        raise shoal.InputError("The columns are not those that were shown: open the table again on the Data page.")
    return source


def too_many_values(table: pa.Table, names: Sequence[str], classes: int) -> str:
    """The first sensitive column with so many different values that they cannot be counted class by class in time."""
    for name in names:
        if classes * pc.count_distinct(table[name].unify_dictionaries()).as_py() > CELLS:
            return name
    return ""


def _stoppable(tell: Teller) -> Tell:
    """Progress that lets a search be stopped once it has something: before, and after it, there is nothing to stop."""

    def told(stage: str, share: float) -> None:
        early = stage in ("encoding", "labelling", "verifying", "local") or stage.startswith("local: at best")
        (tell if early else tell.and_stop)(stage, share)

    return told


def _repeatable(release: shoal.Release, source: Any, given: dict[str, Any]) -> shoal.Release:
    """The release as something that ends at the same place everywhere: a search that was stopped becomes its node."""
    search = release.report.search
    if search is None or not search["stopped"]:
        return release
    search_of: Any = release.request.algorithm
    pinned = replace(search_of, levels=search["node"], time_limit=None)
    return shoal.anonymize(source, **given | {"algorithm": pinned})


def _aligned(release: shoal.Release) -> pa.Table:
    """What is released of each row of the original table, as columns `after NAME`, with the number of its class.

    The class is 0 where the row is suppressed, and −1 where it is left out.
    """
    groups = release.groups
    shown = release.promise.quasi
    rows = release.report.input["rows"]
    numbers = np.full(rows, -1, np.int32)
    numbers[groups.numbers] = groups.ids + 1
    kept = groups.numbers
    if release.request.suppressed == "drop":
        kept = kept[groups.ids >= 0]
        numbers[(numbers == 0)] = -1
    place = np.full(rows, -1, np.int64)
    place[kept] = np.arange(kept.size)
    index = pa.array(place, mask=place < 0)
    frame: pa.Table = release.frame
    columns = {f"after {name}": frame[name].take(index) for name in frame.column_names if name in shown}
    return pa.table({"class": numbers} | columns)


def keep(table: pa.Table, target: Path) -> None:
    """Keep a table as an Arrow file, to be mapped into memory."""
    with pa.OSFile(str(target), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=1 << 16)
