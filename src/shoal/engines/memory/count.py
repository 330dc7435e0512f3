"""count(): the rows of a table in memory that can be released."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.encoding import Guide
from shoal.data.table import Table
from shoal.io.source import Source
from shoal.release.arguments import population_of, whole_rows
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request


@dataclass(frozen=True, eq=False)
class Counted:
    """The caller's table, those of its rows that can be released, and their pseudonyms.

    kept        the table without incomplete rows, if these are dropped
    numbers     the number of each of these rows in `source`
    population  the population table of the model, if any
    pseudonyms  the pseudonyms that replace values, by column
    """

    request: Request
    source: Source
    kept: Source
    numbers: NDArray[np.int64]
    population: Source | None
    pseudonyms: Mapping[str, pa.Array]

    @property
    def dropped(self) -> int:
        """The number of rows that were dropped because a value is missing."""
        return len(self.source) - len(self.kept)

    def encode(self, guides: Mapping[str, Guide]) -> tuple[Table, None]:
        """Encode the quasi-identifiers and sensitive columns as integer codes."""
        roles, missing, style = self.request.roles, self.request.missing_values, self.request.style
        population = self.population
        return self.kept.encode(roles, guides=guides, missing_values=missing, style=style, population=population), None


def count(source: Source, request: Request) -> Counted:
    """Select the rows of a table that can be released, and compute their pseudonyms."""
    roles = request.roles
    complete = np.ones(len(source), np.bool_)
    if request.drop_missing:
        complete = whole_rows(source, roles, request.missing_values)
    kept = source if complete.all() else source.keep(complete)
    columns = {name: pseudonyms(name, kept.arrow(name), request.key) for name in roles.pseudonymized}
    population = population_of(request.model, roles)
    # A release can be made again at another node of its lattice, and need not hold the secret key for that.
    return Counted(replace(request, key=None), source, kept, np.flatnonzero(complete), population, columns)
