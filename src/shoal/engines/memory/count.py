"""The rows of a table in memory, read for the algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.encoding import Guide, encode
from shoal.data.table import Table
from shoal.io.source import Source
from shoal.release.arguments import population_of, whole_rows
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request


@dataclass(frozen=True, eq=False)
class Counted:
    """The caller's table, the rows of it that can be released, and what is put in place of identifiers.

    kept        the rows without those that were dropped because they miss a value
    numbers     the number of each of these rows in `source`
    population  the table of people that the model asks about
    replaced    the pseudonyms, by column
    """

    request: Request
    source: Source
    kept: Source
    numbers: NDArray[np.int64]
    population: Source | None
    replaced: Mapping[str, pa.Array]

    @property
    def dropped(self) -> int:
        """How many rows were dropped because they miss a value."""
        return len(self.source) - len(self.kept)

    def encode(self, guides: Mapping[str, Guide]) -> tuple[Table, None]:
        """Encode the quasi-identifiers and sensitive columns as integer codes."""
        request, roles, people = self.request, self.request.roles, self.population
        table = encode(
            {name: self.kept.arrow(name) for name in request.names},
            quasi=roles.quasi,
            sensitive=roles.sensitive,
            guides=guides,
            missing_values=request.missing_values,
            style=request.style,
            population={name: people.arrow(name) for name in roles.quasi} if people else None,
        )
        return table, None


def count(source: Source, request: Request) -> Counted:
    """Read the rows of a table that can be released."""
    roles = request.roles
    whole = np.ones(len(source), np.bool_)
    if request.drop_missing:
        whole = whole_rows(source, roles, request.missing_values)
    kept = source if whole.all() else source.keep(whole)
    replaced = {name: pseudonyms(name, kept.arrow(name), request.key) for name in roles.pseudonymized}
    return Counted(request, source, kept, np.flatnonzero(whole), population_of(request.model, roles), replaced)
