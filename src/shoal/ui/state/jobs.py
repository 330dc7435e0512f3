"""What a worker does: each function is one question, answered by the public functions of shoal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import shoal
from shoal.ui.state.models import offers
from shoal.ui.state.project import Project, Stamp, stamp_of
from shoal.ui.state.release_files import keep, make_release, too_many_values
from shoal.ui.state.worker import Tell

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


@lru_cache(maxsize=1)
def _read(path: str, separator: str | None, encoding: str, stamp: Stamp) -> Any:
    return shoal.read(path, separator=separator, encoding=encoding)


def _source(path: str, separator: str | None, encoding: str) -> Any:
    """The table, read once for as long as its file stays as it is."""
    return _read(path, separator, encoding, stamp_of(path))


def open_table(
    path: str, separator: str | None, encoding: str, missing: Sequence[str] | None, target: Path | None, *, tell: Tell
) -> TableFacts:
    """Read a table, keep it as an Arrow file for the pages to look at, and say what its columns may be."""
    tell("reading", 0)
    source = _source(path, separator, encoding)
    table = source.to_arrow()
    if target is not None:
        keep(table, target)
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


def _missing(column: pa.ChunkedArray, marks: Sequence[str]) -> int:
    gone = column.null_count
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        gone += pc.sum(pc.is_in(column, value_set=pa.array(marks, column.type))).as_py() or 0
    return int(gone)


def telling_sets(project: Project, path: str, *, tell: Tell) -> list[shoal.ColumnSet]:
    """How well the quasi-identifiers tell rows apart, together."""
    names = project.quasi[:SETS]
    source = _source(path, project.separator, project.encoding)
    return shoal.assess_columns(source, columns=names, size=3, missing_values=project.missing, progress=tell)


@lru_cache(maxsize=2)
def _assessed(
    path: str,
    separator: str | None,
    encoding: str,
    quasi: tuple[str, ...],
    sensitive: tuple[str, ...],
    missing: tuple[str, ...],
    stamp: Stamp,
    population: str | None,
) -> shoal.Assessment:
    source = _read(path, separator, encoding, stamp)
    return shoal.assess(
        source, quasi_identifiers=quasi, sensitive=sensitive, missing_values=missing, population=population
    )


def risks(project: Project, path: str, *, tell: Tell) -> Risks:
    """The rows at risk in the table as it is, by the models that are chosen."""
    tell("counting rows at risk", 0)
    if not project.quasi:
        raise shoal.InputError("No column is quasi-identifying: give that role to what others may know of a person.")
    stamp = stamp_of(path)

    def assessed(sensitive: list[str]) -> shoal.Assessment:
        options = (tuple(project.quasi), tuple(sensitive), tuple(project.missing), stamp, population)
        return _assessed(path, project.separator, project.encoding, *options)

    known = offers()
    asked = any(known[key].model.uses_population for key in project.models)
    population = (project.population or None) if asked else None
    found = assessed([])
    if any(known[key].model.uses_sensitive for key in project.models):
        source = _source(path, project.separator, project.encoding)
        many = too_many_values(source.to_arrow(), project.sensitive, found.classes)
        if many:
            raise shoal.InputError(
                f"{many} has too many different values for the rows at risk to be counted, and a release may take "
                f"long: put them into ranges before, or choose models on the group size alone."
            )
        found = assessed(project.sensitive)
    at_risk, refused = {}, {}
    for key, numbers in project.models.items():
        try:
            at_risk[key] = found.at_risk(replace(project, models={key: numbers}).model())
        except shoal.ShoalError as error:
            refused[key] = str(error)
    together = None if refused or not project.models else found.at_risk(project.model())
    return Risks(found.rows, found.k, found.classes, found.unique_rows, at_risk, together, refused)


def attack(project: Project, path: str, folder: Path, settings: dict[str, Any], *, tell: Tell) -> dict[str, Any]:
    """What an attacker who knows some columns of some people learns from a release and from the original table."""
    tell("attacking", 0)
    found = shoal.attack(
        shoal.read(str(folder / settings["release"])),
        original=_source(path, project.separator, project.encoding),
        known=settings["known"],
        sensitive=project.sensitive,
        sample=settings["sample"],
        seed=settings.get("seed", 0),
        hierarchies={name: guide for name, guide in project.hierarchies.items() if name in settings["known"]} or None,
        missing_values=project.missing,
    )
    return found.to_dict()


JOBS = {job.__name__: job for job in (open_table, telling_sets, risks, attack, make_release)}
