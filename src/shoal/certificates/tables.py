"""The two tables of a certificate, read anew: the original as codes of its values, the release as what it shows."""

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
from shoal.data.encoding import encode
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.io import files
from shoal.io.databases import Address
from shoal.io.source import Source
from shoal.io.spreadsheet_formulas import unmarked
from shoal.release.arguments import algorithm_of, flat, population_of, whole_rows
from shoal.release.request import Request


@dataclass(frozen=True, eq=False)
class Tables:
    """What was asked, the original, its rows that should be in the release as a table of codes, and the release.

    `people` is the population that the model asks about, and `budget` how many rows may be suppressed.
    """

    request: Request
    original: Source
    kept: Source
    table: Table
    released: Source
    people: Source | None
    people_codes: NDArray[np.int32]  # the values of the population as codes
    budget: int
    escaped: bool

    @property
    def dropped(self) -> int:
        """The rows that were left out because they miss a value."""
        return len(self.original) - len(self.kept)

    @property
    def lost(self) -> int:
        """The rows that the release lacks beside those."""
        return len(self.kept) - len(self.released)

    @property
    def exact(self) -> list[str]:
        """The columns that must be as they were."""
        roles = self.request.roles
        changed = {*roles.quasi, *roles.identifying, *roles.pseudonymized}
        return [name for name in self.original.columns if name not in changed]


def read_table(path: str | PathLike[str], *, separator: str | None, encoding: str) -> Source:
    """A table in a file, whose bytes a certificate can name."""
    if Address.of(path) is not None:
        raise InputError(f"{path}: a certificate names files, and this is a database: save its table as a file first.")
    return Source.of(Path(path), separator=separator, encoding=encoding)


def tables_of(
    request: Request, original: Source, released: Source, report: Mapping[str, Any] | None, *, escaped: bool
) -> Tables:
    """Take the original to codes as a release does, with the trees that were given or that its report names."""
    roles, missing = request.roles, request.missing_values
    whole = whole_rows(original, roles, missing) if request.drop_missing else np.ones(len(original), np.bool_)
    kept = original if whole.all() else original.keep(whole)
    people = population_of(request.model, roles)
    guides = dict(request.guides)
    guides |= {name: flat(request.style) for name in _with_trees(request, report) if name not in guides}
    table = encode(
        {name: kept.arrow(name) for name in (*roles.quasi, *roles.sensitive)},
        quasi=roles.quasi,
        sensitive=roles.sensitive,
        guides=guides,
        missing_values=missing,
        style=request.style,
        population={name: people.arrow(name) for name in roles.quasi} if people else None,
    )
    own = table.without_population() if people else table
    budget = budget_of(request.max_suppression, own.rows)
    if escaped:
        shown = released.to_arrow()
        text = [field.name for field in shown.schema if pa.types.is_string(field.type)]
        # A column that was not escaped has no such apostrophes.
        released = replace(released, frame=Source.of(unmarked(shown, text)).frame)
    return Tables(request, original, kept, own, released, people, table.codes[len(kept) :], budget, escaped)


def _with_trees(request: Request, report: Mapping[str, Any] | None) -> list[str]:
    """The quasi-identifiers that have a tree in any case, as the report says, or as the algorithm needs one."""
    if report is not None:
        return [name for name in request.roles.quasi if name in report["parameters"]["hierarchies"]]
    algorithm = algorithm_of(request.algorithm)
    return list(request.roles.quasi) if getattr(algorithm, "needs_hierarchies", False) else []


def is_csv(source: Source | None) -> bool:
    """Whether a table came from a text file."""
    return source is None or (source.path is not None and files.format_of(source.path, read=True) == "csv")
