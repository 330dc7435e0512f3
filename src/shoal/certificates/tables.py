"""The two tables of a certificate, read from their files: the original, encoded, and the release with its labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.budget import budget_of
from shoal.data.table import Table
from shoal.data.unit import unit_numbers
from shoal.errors import InputError
from shoal.io.csv_layout import Names
from shoal.io.databases import Address
from shoal.io.source import Source
from shoal.io.spreadsheet_formulas import unmarked
from shoal.release.arguments import algorithm_of, flat, population_of, whole_rows
from shoal.release.request import Request


@dataclass(frozen=True, eq=False)
class Tables:
    """The original, the release, and the request.

    kept              the rows of the original that should be in the release
    table             the same rows, encoded
    population        the population table of the model, if any
    population_codes  its quasi-identifiers, encoded
    budget            how many rows may be suppressed
    escaped           whether the release was written with escaped formulas
    """

    request: Request
    original: Source
    kept: Source
    table: Table
    released: Source
    population: Source | None
    population_codes: NDArray[np.int32]
    budget: int
    escaped: bool

    @property
    def dropped(self) -> int:
        """The number of rows that were dropped because a value is missing."""
        return len(self.original) - len(self.kept)

    @property
    def lost(self) -> int:
        """The number of other rows that the release lacks."""
        return len(self.kept) - len(self.released)

    @property
    def exact(self) -> list[str]:
        """The columns that must be unchanged."""
        roles = self.request.roles
        changed = {*roles.quasi, *roles.identifying, *roles.pseudonymized}
        return [name for name in self.original.columns if name not in changed]


def read_table(path: str | PathLike[str], *, separator: str | None, encoding: str, names: Names) -> Source:
    """Read a table from a file, whose checksum a certificate can name."""
    if Address.of(path) is not None:
        raise InputError(f"{path}: a certificate is about files, not databases: save the table as a file first.")
    return Source.of(Path(path), separator=separator, encoding=encoding, names=names)


def tables_of(
    request: Request, original: Source, released: Source, report: Mapping[str, Any] | None, *, escaped: bool
) -> Tables:
    """Encode the original as a release does, with the requested hierarchies and those that its report names."""
    roles, missing = request.roles, request.missing_values
    complete = whole_rows(original, roles, missing, request.drop_missing)
    kept = original if complete.all() else original.keep(complete)
    population = population_of(request.model, roles)
    guides = {name: flat(request.style) for name in _columns_with_trees(request, report)} | dict(request.guides)
    table = kept.encode(roles, guides=guides, missing_values=missing, style=request.style, population=population)
    rows = table.without_population() if population else table
    units, owners = _people(request, kept)
    rows = replace(rows, units=units, owners=owners)
    budget = budget_of(request.max_suppression, rows.rows)
    if escaped:
        frame = released.to_arrow()
        texts = [field.name for field in frame.schema if pa.types.is_string(field.type)]
        # A column that was not escaped has no such apostrophes.
        released = replace(released, frame=Source.of(unmarked(frame, texts)).frame)
    return Tables(request, original, kept, rows, released, population, table.codes[len(kept) :], budget, escaped)


def _people(request: Request, kept: Source) -> tuple[NDArray[np.int32] | None, NDArray[np.int32] | None]:
    """Number the people of the rows, and the owners of rows that can be linked."""
    unit = request.unit
    if unit is None:
        return None, None

    def numbers(name: str | None) -> NDArray[np.int32]:
        if name is None:
            return np.arange(len(kept), dtype=np.int32)
        return unit_numbers(name, kept.arrow(name), request.missing_values, unit.missing)

    return numbers(unit.column), numbers(unit.owner) if unit.linked else None


def _columns_with_trees(request: Request, report: Mapping[str, Any] | None) -> list[str]:
    """List the quasi-identifiers that must have a tree: the report names it, or the algorithm needs one."""
    if report is not None:
        return [name for name in request.roles.quasi if name in report["parameters"]["hierarchies"]]
    algorithm = algorithm_of(request.algorithm)
    return list(request.roles.quasi) if getattr(algorithm, "needs_hierarchies", False) else []
