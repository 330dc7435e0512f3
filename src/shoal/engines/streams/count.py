"""count(): the first pass over a table, from batches to distinct rows with weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.coding import Values
from shoal.engines.incomplete_rows import complete_rows, missing_places
from shoal.engines.scan import ReadProgress, Scan
from shoal.engines.streams.distinct_rows import DistinctRows
from shoal.engines.streams.known_values import KnownValues
from shoal.errors import InputError
from shoal.release.arguments import check_some_complete
from shoal.release.request import Request

IntArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Counted:
    """The values of the columns, and the distinct rows as places of their values.

    missing  for each column and place (null last) whether it means missing; None if incomplete rows are released
    dropped  the number of incomplete rows
    """

    known: tuple[KnownValues, ...]
    distinct: DistinctRows
    values: tuple[Values, ...]
    missing: tuple[NDArray[np.bool_], ...] | None
    dropped: int

    def places(self, columns: Sequence[pa.Array]) -> IntArray:
        """Return the places of the values of a batch, rows × columns."""
        return _places(self.known, columns, learn=False)

    def complete(self, places: IntArray) -> NDArray[np.bool_]:
        """Tell which rows are not dropped for a missing value."""
        return complete_rows(places, self.missing)


def count(scan: Scan, request: Request, *, max_bytes: int, folder: Path, tell: ReadProgress) -> Counted:
    """Count the distinct rows of the requested columns; beyond `max_bytes` they are kept in files in `folder`."""
    names = request.names
    known = tuple(KnownValues(name, scan.schema.field(name).type) for name in names)
    distinct = DistinctRows(len(names), max_bytes=max_bytes, folder=folder)
    for batch in scan.batches(names, tell):
        distinct.add(_places(known, batch.columns, learn=True))
    if not distinct.rows:
        raise InputError(f"{scan.path}: the table has column names but no rows.")
    distinct.finish()
    values = _values(known, distinct, None)
    if not request.drop_missing:
        return Counted(known, distinct, values, None, 0)
    missing = tuple(missing_places(column, request.missing_values) for column in values)
    complete_values = _values(known, distinct, missing)
    rows = int(complete_values[0].counts.sum())
    check_some_complete(rows)
    return Counted(known, distinct, complete_values, missing, distinct.rows - rows)


def _places(known: Sequence[KnownValues], columns: Sequence[pa.Array], *, learn: bool) -> IntArray:
    """Return the places of the values of a batch, rows × columns."""
    places = np.empty((len(columns[0]), len(known)), np.int32)
    for at, (values, column) in enumerate(zip(known, columns, strict=True)):
        places[:, at] = values.places(column, learn=learn)
    return places


def _values(
    known: Sequence[KnownValues], distinct: DistinctRows, missing: Sequence[NDArray[np.bool_]] | None
) -> tuple[Values, ...]:
    """Return the values of each column with the number of complete rows that have them."""
    counts = [np.zeros(len(values) + 1, np.int64) for values in known]
    for places, weights in distinct.parts():
        complete = complete_rows(places, missing)
        for at, total in enumerate(counts):
            rows = np.bincount(places[complete, at] + 1, weights[complete], total.size).astype(np.int64)
            total += np.roll(rows, -1)  # null, at −1, is last
    return tuple(values.values(total) for values, total in zip(known, counts, strict=True))
