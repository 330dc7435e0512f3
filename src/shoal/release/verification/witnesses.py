"""Witnesses: extra columns with original values, needed to check the parts of a release together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.release.promise import Promise
from shoal.release.verification.columns import Numbered, used_values
from shoal.release.verification.scales import Values


@dataclass(frozen=True, eq=False)
class Witnesses:
    """The values behind pseudonyms, as text, and the numbers whose mean a class shows."""

    promise: Promise

    @property
    def pseudonymized(self) -> dict[str, str]:
        """The pseudonymized columns, and the names of the columns with their values."""
        return {name: f"value{at}" for at, name in enumerate(self.promise.roles.pseudonymized)}

    @property
    def means(self) -> dict[str, str]:
        """The columns that may show means, and the names of the columns with their numbers."""
        promise = self.promise
        shown = [name for name in promise.roles.quasi if promise.style.means and name not in promise.hierarchies]
        return {name: f"number{at}" for at, name in enumerate(shown)}

    @property
    def names(self) -> list[str]:
        """The names of all extra columns."""
        return [*self.pseudonymized.values(), *self.means.values()]

    @property
    def numbers(self) -> list[bool]:
        """Which of the extra columns hold numbers."""
        return [False] * len(self.pseudonymized) + [True] * len(self.means)

    def of(self, batch: pa.RecordBatch, *, kept: NDArray[np.int64] | None) -> list[pa.Array]:
        """Return the extra columns for the `kept` rows of a batch (None: all)."""

        def column(name: str) -> Numbered:
            return used_values(Numbered.of(batch.column(name)).at(kept))

        texts = [_texts(name, column(name)) for name in self.pseudonymized]
        return texts + [self._places(name, column(name)) for name in self.means]

    def _places(self, name: str, column: Numbered) -> pa.Array:
        style = self.promise.style
        scale = Values(name, column.values, frozenset(self.promise.missing_values), style.missing).scale
        if scale is None:
            return pa.nulls(len(column.numbers), pa.float64())
        places = pa.array(scale.places.astype(np.float64), mask=scale.absent)
        return places.take(pa.array(column.numbers))


def _texts(name: str, column: Numbered) -> pa.Array:
    values = Values(name, column.values)
    shown = pa.array(values.texts, pa.string(), mask=values.missing)
    return shown.take(pa.array(column.numbers))
