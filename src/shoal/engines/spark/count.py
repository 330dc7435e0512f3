"""The different rows of a DataFrame with their numbers of rows, counted by Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.coding import Values, places_in
from shoal.engines.spark.frames import ROWS
from shoal.engines.streams.count import missing_places, whole_rows
from shoal.errors import InputError
from shoal.release.request import Request

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Known:
    """The different values of columns (null last), and for each place whether it means that the row is left out."""

    names: tuple[str, ...]
    values: tuple[pa.Array, ...]
    incomplete: tuple[NDArray[np.bool_], ...] | None = None

    def places(self, columns: Sequence[pa.Array | pa.ChunkedArray]) -> IntArray:
        """The place of each row's value among the values, rows × columns; −1 for null."""
        places = np.empty((len(columns[0]), len(self.names)), np.int32)
        for at, (name, values, column) in enumerate(zip(self.names, self.values, columns, strict=True)):
            if pa.types.is_floating(column.type):
                column = pc.add(column, pa.scalar(0, column.type))  # −0.0 and 0.0 are one value for Spark
            column = column if column.type == values.type else column.cast(values.type)
            places[:, at] = places_in(column, values, name)
        return places

    def whole(self, places: IntArray) -> NDArray[np.bool_]:
        """Which rows stay."""
        return whole_rows(places, self.incomplete)

    def counts(self, places: IntArray, weights: Counts) -> list[Counts]:
        """How many rows have each value, those that stay."""
        whole, found = self.whole(places), []
        for values, column in zip(self.values, places[whole].T, strict=True):
            own = np.where(column < 0, len(values) - 1, column) if values.null_count else column
            found.append(np.bincount(own, weights[whole], len(values)).astype(np.int64))
        return found

    def valued(self, counts: Sequence[Counts]) -> tuple[Values, ...]:
        """The values with their numbers of rows."""
        return tuple(map(Values, self.names, self.values, counts))

    def without_missing(self, counts: Sequence[Counts], missing_values: Sequence[str]) -> Known:
        """The same where rows that miss a value are left out."""
        return replace(self, incomplete=tuple(missing_places(values, missing_values) for values in self.valued(counts)))


@dataclass(frozen=True, eq=False)
class Counted:
    """The values of the columns with the rows that have them, where those that miss a value may be left out."""

    known: Known
    values: tuple[Values, ...]
    rows: int
    dropped: int

    @classmethod
    def of(cls, known: Known, before: list[Counts], after: list[Counts]) -> Counted:
        """Before and after rows were left out."""
        rows, left = int(before[0].sum()), int(after[0].sum())
        if not left:
            raise InputError(
                "Every row misses a quasi-identifying or sensitive value: nothing is left when such rows are dropped."
            )
        return cls(known, known.valued(after), rows, rows - left)


def count_on_driver(table: pa.Table, request: Request) -> tuple[Counted, IntArray, Counts]:
    """The values of different rows that are on the driver, and those that stay, by places and with weights."""
    columns, weights = table.columns[:-1], table[ROWS].to_numpy()
    known = Known(request.names, tuple(map(null_last, map(pc.unique, columns))))
    places = known.places(columns)
    before = after = known.counts(places, weights)
    if request.drop_missing:
        known = known.without_missing(before, request.missing_values)
        after = known.counts(places, weights)
    whole = known.whole(places)
    return Counted.of(known, before, after), places[whole], weights[whole]


def null_last(values: pa.Array) -> pa.Array:
    """Different values with null, if it is there, at the end."""
    return pa.concat_arrays([values.drop_null(), pa.nulls(values.null_count, values.type)])
