"""The first pass: from the batches of a table to its different rows with weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.coding import Values
from shoal.data.column import read_column
from shoal.engines.streams.distinct_rows import DistinctRows
from shoal.engines.streams.known_values import KnownValues
from shoal.engines.streams.scan import Reading, Scan
from shoal.errors import InputError

IntArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Counted:
    """The values of the columns, and the different rows by the places of their values.

    `incomplete` has for each column whether a place (null last) means missing, where rows that miss a value are
    left out; `dropped` is their number.
    """

    known: tuple[KnownValues, ...]
    distinct: DistinctRows
    values: tuple[Values, ...]
    incomplete: tuple[NDArray[np.bool_], ...] | None
    dropped: int

    def places(self, columns: Sequence[pa.Array]) -> IntArray:
        """The places of the values of a batch, rows × columns."""
        return places_of(self.known, columns, learn=False)

    def whole(self, places: IntArray) -> NDArray[np.bool_]:
        """Which rows stay, where those that miss a value are left out."""
        return whole_rows(places, self.incomplete)


def count(
    scan: Scan,
    names: Sequence[str],
    *,
    missing_values: Sequence[str],
    drop_missing: bool,
    limit: int,
    folder: Path,
    tell: Reading,
) -> Counted:
    """Count the different rows of these columns, with at most `limit` bytes of them in memory."""
    known = tuple(KnownValues(name, scan.schema.field(name).type) for name in names)
    distinct = DistinctRows(len(names), limit=limit, folder=folder)
    for batch in scan.batches(names, tell):
        distinct.add(places_of(known, batch.columns, learn=True))
    if not distinct.rows:
        raise InputError(f"{scan.path}: the table has column names but no rows.")
    distinct.finish()
    if not drop_missing:
        return Counted(known, distinct, _values(known, distinct, None), None, 0)
    incomplete = tuple(missing_places(values, missing_values) for values in _values(known, distinct, None))
    kept = _values(known, distinct, incomplete)
    rows = int(kept[0].counts.sum())
    if not rows:
        raise InputError(
            "Every row misses a quasi-identifying or sensitive value: nothing is left when such rows are dropped."
        )
    return Counted(known, distinct, kept, incomplete, distinct.rows - rows)


def places_of(known: Sequence[KnownValues], columns: Sequence[pa.Array], *, learn: bool) -> IntArray:
    """The places of the values of a batch, rows × columns."""
    places = np.empty((len(columns[0]), len(known)), np.int32)
    for at, (values, column) in enumerate(zip(known, columns, strict=True)):
        places[:, at] = values.places(column, learn=learn)
    return places


def whole_rows(places: IntArray, incomplete: Sequence[NDArray[np.bool_]] | None) -> NDArray[np.bool_]:
    """Which rows miss no value."""
    whole = np.ones(len(places), np.bool_)
    for at, missing in enumerate(incomplete or ()):
        whole &= ~missing[places[:, at]]
    return whole


def _values(
    known: Sequence[KnownValues], distinct: DistinctRows, incomplete: Sequence[NDArray[np.bool_]] | None
) -> tuple[Values, ...]:
    """The values of each column with their rows, those that are left out aside."""
    counts = [np.zeros(len(values) + 1, np.int64) for values in known]
    for places, weights in distinct.parts():
        whole = whole_rows(places, incomplete)
        for at, total in enumerate(counts):
            rows = np.bincount(places[whole, at] + 1, weights[whole], total.size).astype(np.int64)
            total += np.roll(rows, -1)  # null, at −1, is the last
    return tuple(values.values(total) for values, total in zip(known, counts, strict=True))


def missing_places(values: Values, missing_values: Sequence[str]) -> NDArray[np.bool_]:
    """For each place whether it means missing, null last."""
    column = read_column(values.name, pa.chunked_array([values.values]), missing_values, values.counts)
    gone = column.places < 0
    return gone if values.values.null_count else np.append(gone, True)
