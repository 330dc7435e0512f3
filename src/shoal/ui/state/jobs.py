"""The jobs of a worker, each a few calls of the public functions of shoal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import shoal
from shoal.ui.state.models import offers
from shoal.ui.state.project import Project, Stamp, stamp_of
from shoal.ui.state.release_files import save_arrow, too_many_values
from shoal.ui.state.worker import Progress

MAX_COLUMNS = 12  # whose pairs and triples are all assessed


@dataclass(frozen=True)
class ColumnFacts:
    """A column: its type, its values, how well it distinguishes rows, and its suggested role."""

    name: str
    type: str
    missing: int
    distinction: float
    separation: float
    suggestion: shoal.Suggestion


@dataclass(frozen=True)
class TableFacts:
    """A table that was opened: its size, its columns, and the values in it that often mean missing."""

    rows: int
    columns: tuple[ColumnFacts, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Risks:
    """How safe the original table is: the rows at risk by each model, and by all models together."""

    rows: int
    k: int
    classes: int
    unique: int
    at_risk: Mapping[str, int]
    together: int | None
    refused: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=1)
def _read(path: str, stamp: Stamp, **reading: Any) -> Any:
    return shoal.read(path, **reading)


def _source(project: Project, path: str) -> Any:
    """Read a table, once as long as its file does not change; messages name an uploaded file without its folder."""
    try:
        return _read(path, stamp_of(path), **project.reading)
    except shoal.InputError:
        if project.data != Path(path).name:
            raise
        with _within(Path(path).parent):
            return shoal.read(project.data, **project.reading)


@contextmanager
def _within(folder: Path) -> Iterator[None]:
    """Work in a folder for a while; the one before may have been removed."""
    try:
        before = os.getcwd()
    except FileNotFoundError:
        before = folder.anchor
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def read_hierarchy(path: Path, *, progress: Progress) -> shoal.Hierarchy:
    """Read an uploaded hierarchy; messages name its file without its folder."""
    with _within(path.parent):
        return shoal.Hierarchy.from_file(path.name)


def open_table(
    project: Project, path: str, missing: Sequence[str] | None, target: Path | None, *, progress: Progress
) -> TableFacts:
    """Read a table, save it as an Arrow file for the pages, and suggest the roles of its columns."""
    progress("reading", 0)
    source = _source(project, path)
    table = source.to_arrow()
    if target is not None:
        save_arrow(table, target)
    progress("analyzing the columns", 0.4)
    marks = tuple(shoal.suggest_missing(source)) if missing is None else tuple(missing)
    suggestions = shoal.suggest_roles(source, missing_values=marks)
    columns = []
    for number, suggestion in enumerate(suggestions):
        progress("analyzing the columns", 0.5 + 0.5 * number / len(suggestions))
        name = suggestion.column
        (alone,) = shoal.assess_columns(source, columns=[name], size=1, missing_values=marks)
        kind, missing_rows = str(table.schema.field(name).type), _missing(table[name], marks)
        columns.append(ColumnFacts(name, kind, missing_rows, alone.distinction, alone.separation, suggestion))
    return TableFacts(len(source), tuple(columns), marks)


def _missing(column: pa.ChunkedArray, marks: Sequence[str]) -> int:
    missing = column.null_count
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        missing += pc.sum(pc.is_in(column, value_set=pa.array(marks, column.type))).as_py() or 0
    return int(missing)


def column_sets(project: Project, path: str, *, progress: Progress) -> list[shoal.ColumnSet]:
    """Assess how well sets of quasi-identifiers distinguish rows."""
    source, names = _source(project, path), project.quasi[:MAX_COLUMNS]
    return shoal.assess_columns(source, columns=names, size=3, missing_values=project.missing, progress=progress)


@lru_cache(maxsize=2)
def _assessed(path: str, stamp: Stamp, reading: tuple[tuple[str, Any], ...], **options: Any) -> shoal.Assessment:
    return shoal.assess(_read(path, stamp, **dict(reading)), **options)


def risks(project: Project, path: str, *, progress: Progress) -> Risks:
    """Count the rows of the original table that are at risk, by the chosen models."""
    progress("counting rows at risk", 0)
    if not project.quasi:
        raise shoal.InputError("No column is quasi-identifying: give that role to what others may know about a person.")
    known = offers()
    asked = any(known[key].model.uses_population for key in project.models)

    def assessed(sensitive: list[str]) -> shoal.Assessment:
        return _assessed(
            path,
            stamp_of(path),
            tuple(project.reading.items()),
            quasi_identifiers=tuple(project.quasi),
            sensitive=tuple(sensitive),
            missing_values=tuple(project.missing),
            population=(project.population or None) if asked else None,
        )

    assessment = assessed([])
    if any(known[key].model.uses_sensitive for key in project.models):
        column = too_many_values(_source(project, path).to_arrow(), project.sensitive, assessment.classes)
        if column:
            raise shoal.InputError(
                f"{column} has too many different values to count the rows at risk, and a release may take long: "
                f"put its values into ranges first, or choose only models of the group size."
            )
        assessment = assessed(project.sensitive)
    at_risk, refused = {}, {}
    for key, numbers in project.models.items():
        try:
            at_risk[key] = assessment.at_risk(replace(project, models={key: numbers}).model())
        except shoal.ShoalError as error:
            refused[key] = str(error)
    together = None if refused or not project.models else assessment.at_risk(project.model())
    return Risks(
        rows=assessment.rows,
        k=assessment.k,
        classes=assessment.classes,
        unique=assessment.unique_rows,
        at_risk=at_risk,
        together=together,
        refused=refused,
    )


def attack(
    project: Project, path: str, release: Path, known: list[str], sample: float, *, progress: Progress
) -> dict[str, Any]:
    """Attack a release and the original table with some columns of some people."""
    progress("attacking", 0)
    result = shoal.attack(
        shoal.read(str(release)),
        original=_source(project, path),
        known=known,
        sensitive=project.sensitive,
        sample=sample,
        seed=0,
        hierarchies={name: guide for name, guide in project.hierarchies.items() if name in known} or None,
        missing_values=project.missing,
    )
    return result.to_dict()
