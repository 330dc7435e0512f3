"""What a worker does: each function is one question, answered by the public functions of shoal."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import shoal
from shoal.ui.project import Project
from shoal.ui.repeat import COMMAND, config_text, save_trees, script_text
from shoal.ui.worker import Tell, Teller

FEW, LARGE = (10_000, 1_000), 100_000  # nodes that are all looked at, to be chosen, in tables of fewer and more rows
SETS = 12  # columns of which all pairs and triples are looked at


@dataclass(frozen=True)
class ColumnFacts:
    """What a column looks like: the share of different rows and of pairs that it tells apart, and what it may be."""

    name: str
    type: str
    missing: int
    different: int
    distinction: float
    separation: float
    suggestion: shoal.Suggestion


@dataclass(frozen=True)
class TableFacts:
    """A table that was opened: its size, its columns, and the marks in it that often mean missing."""

    rows: int
    columns: tuple[ColumnFacts, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Risks:
    """How safe the table is as it stands, and the rows at risk by each model and by all of them together."""

    rows: int
    k: int
    classes: int
    unique: int
    at_risk: dict[str, int]
    together: int | None
    refused: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """A release: its report, the risks before and after, the nodes of its lattice, and how to make it again."""

    report: dict[str, Any]
    before: dict[str, Any]
    after: dict[str, Any]
    files: dict[str, str]
    nodes: tuple[dict[str, Any], ...]
    front: tuple[dict[str, Any], ...]
    levels: dict[str, int] | None
    top_levels: dict[str, int] | None
    tops: dict[str, str]
    seconds: float
    script: str
    config: str
    command: str = COMMAND


@lru_cache(maxsize=1)
def _source(path: str, separator: str | None, encoding: str) -> Any:
    return shoal.read(path, separator=separator, encoding=encoding)


def open_table(
    path: str, separator: str | None, encoding: str, missing: Sequence[str] | None, target: Path, *, tell: Tell
) -> TableFacts:
    """Read a table, keep it as an Arrow file for the pages to look at, and say what its columns may be."""
    tell("reading", 0)
    source = _source(path, separator, encoding)
    table = source.to_arrow()
    _keep(table, target)
    tell("looking at the columns", 0.4)
    marks = tuple(shoal.suggest_missing(source)) if missing is None else tuple(missing)
    found = shoal.suggest_roles(source, missing_values=marks)
    sets = {}
    for number, one in enumerate(found):
        tell("looking at the columns", 0.5 + 0.5 * number / len(found))
        sets[one.column] = shoal.assess_columns(source, columns=[one.column], size=1, missing_values=marks)[0]
    columns = tuple(
        ColumnFacts(
            name=one.column,
            type=str(table.schema.field(one.column).type),
            missing=_missing(table[one.column], marks),
            different=one.different,
            distinction=sets[one.column].distinction,
            separation=sets[one.column].separation,
            suggestion=one,
        )
        for one in found
    )
    return TableFacts(len(source), columns, marks)


def _keep(table: pa.Table, target: Path) -> None:
    with pa.OSFile(str(target), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=1 << 16)


def _missing(column: pa.ChunkedArray, marks: Sequence[str]) -> int:
    import pyarrow.compute as pc

    gone = column.null_count
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        gone += pc.sum(pc.is_in(column, value_set=pa.array(marks, column.type))).as_py() or 0
    return int(gone)


def telling_sets(project: Project, path: str, *, tell: Tell) -> list[shoal.ColumnSet]:
    """How well the quasi-identifiers tell rows apart, together."""
    names = project.quasi[:SETS]
    source = _source(path, project.separator, project.encoding)
    return shoal.assess_columns(source, columns=names, size=3, missing_values=project.missing, progress=tell)


@lru_cache(maxsize=1)
def _assessed(
    path: str, separator: str | None, encoding: str, quasi: tuple[str, ...], sensitive: tuple[str, ...], missing: Any
) -> shoal.Assessment:
    source = _source(path, separator, encoding)
    return shoal.assess(source, quasi_identifiers=quasi, sensitive=sensitive, missing_values=missing)


def risks(project: Project, path: str, *, tell: Tell) -> Risks:
    """The rows at risk in the table as it is, by the models that are chosen."""
    from shoal.ui.models import OFFERS

    tell("counting rows at risk", 0)
    quasi, sensitive = tuple(project.quasi), tuple(project.sensitive)
    if not quasi:
        raise shoal.InputError("No column is quasi-identifying yet: choose them on the Data page.")
    found = _assessed(path, project.separator, project.encoding, quasi, sensitive, tuple(project.missing))
    at_risk, refused = {}, {}
    for key, numbers in project.models.items():
        try:
            at_risk[key] = found.at_risk(Project(roles=project.roles, models={key: numbers}).model())
        except shoal.ShoalError as error:
            refused[key] = str(error)
    together = None if refused or not project.models else found.at_risk(project.model())
    known = [key for key in at_risk if key in OFFERS]
    at_risk = {key: at_risk[key] for key in known}
    return Risks(found.rows, found.k, found.classes, found.unique_rows, at_risk, together, refused)


def make_release(project: Project, folder: Path, stem: str, *, tell: Teller) -> Result:
    """Make a release in a folder, with all that may be taken away from there."""
    began = time.monotonic()
    os.chdir(folder)  # so that names are those that a script beside the files would use
    tell("reading", 0)
    source = shoal.read(project.data, separator=project.separator, encoding=project.encoding)
    guides = save_trees(project, folder)
    given = project.arguments(guides)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are in the report, too
        release = shoal.anonymize(source, progress=_stoppable(tell), **given)
        repeated = _repeatable(release, source, given)
    defined = {"data": _reading(project)} if project.separator or project.encoding != "utf-8" else {}
    release = replace(release, request=replace(release.request, command=COMMAND, definitions=defined))
    repeated = replace(repeated, request=replace(repeated.request, definitions=defined))

    names = {kind: f"{stem}-safe.{kind}" for kind in ("csv", "parquet", "html", "pdf", "json")}
    tell("writing and verifying", 0.2)
    release.save(names["csv"])
    release.save(names["parquet"])
    tell("writing the reports", 0.6)
    release.save_report(names["html"])
    release.save_report(names["json"])
    release.save_report(names["pdf"])
    config = config_text(project, guides, _algorithm(repeated), names["csv"])
    script = script_text(repeated, [names["csv"], names["parquet"]])
    Path("shoal.toml").write_text(config, encoding="utf-8")
    Path("release.py").write_text(script, encoding="utf-8")
    tell("comparing with the table before", 0.8)
    _keep(_aligned(release), Path("release.arrow"))
    looks: dict[str, Any] = {"quasi_identifiers": project.quasi, "sensitive": project.sensitive}
    before = shoal.assess(source, missing_values=project.missing, **looks)
    after = shoal.assess(release.frame, suppressed=sorted(set(release.promise.tops.values())), **looks)
    lattice = release.lattice
    if lattice is not None and lattice.size <= FEW[release.report.rows > LARGE]:
        lattice = lattice.complete(tell)
    return Result(
        report=release.report.to_dict(),
        before=before.to_dict(),
        after=after.to_dict(),
        files=names | {"toml": "shoal.toml", "py": "release.py"},
        nodes=() if lattice is None else tuple(lattice.table().to_pylist()),
        front=() if lattice is None else tuple(_plain(one, lattice.quasi) for one in lattice.front()),
        levels=None if lattice is None else lattice.node,
        top_levels=None if lattice is None else dict(zip(lattice.quasi, lattice.found.lattice.top, strict=True)),
        tops=dict(release.promise.tops),
        seconds=time.monotonic() - began,
        script=script,
        config=config,
    )


def _stoppable(tell: Teller) -> Tell:
    """Progress that lets a search be stopped once it has something: before, and after it, there is nothing to stop."""

    def told(stage: str, share: float) -> None:
        early = stage in ("encoding", "labelling", "verifying", "local") or stage.startswith("local: at best")
        (tell if early else tell.and_stop)(stage, share)

    return told


def _plain(facts: Any, quasi: Sequence[str]) -> dict[str, Any]:
    return {"node": dict(zip(quasi, facts.node, strict=True)), "loss": facts.loss, "suppressed": facts.suppressed}


def _algorithm(release: shoal.Release) -> Any:
    return release.request.algorithm


def _repeatable(release: shoal.Release, source: Any, given: dict[str, Any]) -> shoal.Release:
    """The release as something that ends at the same place everywhere: a search that was stopped becomes its node."""
    search = release.report.search
    if search is None or not search["stopped"]:
        return release
    pinned = replace(_algorithm(release), levels=search["node"], time_limit=None)
    return shoal.anonymize(source, **given | {"algorithm": pinned})


def _reading(project: Project) -> str:
    options = [repr(project.data)]
    options += [f"separator={project.separator!r}"] * (project.separator is not None)
    options += [f"encoding={project.encoding!r}"] * (project.encoding != "utf-8")
    return f"data = shoal.read({', '.join(options)})"


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


def attack(project: Project, path: str, folder: Path, settings: dict[str, Any], *, tell: Tell) -> dict[str, Any]:
    """What an attacker who knows some columns of some people learns from a release and from the original table."""
    tell("attacking", 0)
    parquet = next(folder.glob("*-safe.parquet"))
    found = shoal.attack(
        shoal.read(str(parquet)),
        original=_source(path, project.separator, project.encoding),
        known=settings["known"],
        sensitive=project.sensitive,
        sample=settings["sample"],
        seed=settings.get("seed", 0),
        hierarchies={name: guide for name, guide in project.hierarchies.items() if name in settings["known"]} or None,
        missing_values=project.missing,
    )
    return found.to_dict()
