"""count(): the rows of a table in memory that can be released."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.encoding import Guide
from shoal.data.table import Table
from shoal.data.unit import nobody, unit_numbers
from shoal.io.source import Source
from shoal.kernels.arrays import Ints
from shoal.release.arguments import population_of, whole_rows
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request
from shoal.release.review.finding import Finding


@dataclass(frozen=True, eq=False)
class Counted:
    """The caller's table, those of its rows that can be released, and their pseudonyms.

    kept        the table without incomplete rows, if these are dropped
    numbers     the number of each of these rows in `source`
    population  the population table of the model, if any
    pseudonyms  the pseudonyms that replace values, by column
    units       the number of each row's person, if people can have several
    owners      the number of the person or household whose rows can be linked, if they can
    found       what the review of the columns found
    """

    request: Request
    source: Source
    kept: Source
    numbers: NDArray[np.int64]
    population: Source | None
    pseudonyms: Mapping[str, pa.Array]
    units: Ints | None = None
    owners: Ints | None = None
    found: tuple[Finding, ...] = ()

    @property
    def dropped(self) -> int:
        """The number of rows that were dropped because a value is missing."""
        return len(self.source) - len(self.kept)

    def encode(self, guides: Mapping[str, Guide]) -> tuple[Table, None]:
        """Encode the quasi-identifiers and sensitive columns as integer codes."""
        roles, missing, style = self.request.roles, self.request.missing_values, self.request.style
        population = self.population
        table = self.kept.encode(roles, guides=guides, missing_values=missing, style=style, population=population)
        return replace(table, units=self.units, owners=self.owners), None


def count(source: Source, request: Request) -> Counted:
    """Select the rows of a table that can be released, and compute their pseudonyms."""
    roles = request.roles
    complete = whole_rows(source, roles, request.missing_values, request.drop_missing)
    kept = source if complete.all() else source.keep(complete)
    columns = {
        name: pseudonyms(name, kept.arrow(name), request.key, _nameless(name, kept, request))
        for name in roles.pseudonymized
    }
    population = population_of(request.model, roles)
    units, owners = people_of(kept, request)
    # A release can be made again at another node of its lattice, and need not hold the secret key for that.
    numbers = np.flatnonzero(complete)
    return Counted(replace(request, key=None), source, kept, numbers, population, columns, units, owners)


def _nameless(name: str, source: Source, request: Request) -> tuple[str, ...]:
    """Return the texts without a pseudonym: rows of nobody must not be linked with one another."""
    if request.unit is None or name not in request.unit.columns:
        return ()
    return nobody(source.arrow(name), request.missing_values)


def people_of(source: Source, request: Request) -> tuple[Ints | None, Ints | None]:
    """Number the people of a table, and the owners of rows that can be linked."""
    unit = request.unit
    if unit is None:
        return None, None

    def numbers(name: str | None) -> Ints:
        if name is None:  # each row is a person
            return np.arange(len(source), dtype=np.int32)
        return unit_numbers(name, source.arrow(name), request.missing_values, unit.missing)

    units = numbers(unit.column)
    if not unit.linked:
        return units, None
    return units, units if unit.owner == unit.column else numbers(unit.owner)
