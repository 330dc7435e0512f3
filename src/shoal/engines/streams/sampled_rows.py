"""SampledRows: rows of a release that is written in parts, beside their originals, for the review."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from shoal.data.arrow_categories import taken
from shoal.data.arrow_text import plain
from shoal.data.coding import Coding
from shoal.kernels.arrays import Ints, Longs
from shoal.release.request import Request
from shoal.release.review.evidence import MAX_ROWS, Evidence, Hidden, Passed
from shoal.release.review.identifying_columns import columns_that_leave
from shoal.release.row_order import storage

SPREAD = np.int64(2654435761)  # by which numbers of classes are multiplied, so that those drawn lie all over the table


class SampledRows:
    """Collects all rows of some classes, up to a number that memory holds easily."""

    def __init__(
        self,
        request: Request,
        coding: Coding,
        *,
        labels: Mapping[str, list[str]],
        tops: Mapping[str, str],
        columns: list[str],
        rows: int,
    ) -> None:
        self._request, self._coding, self._labels, self._tops, self._rows = request, coding, labels, tops, rows
        self._names = columns_that_leave(columns, request)
        self._one_in = -(-rows // MAX_ROWS) if rows else 1
        self._codes: list[Ints] = []
        self._classes: list[Ints] = []
        self._columns: list[pa.RecordBatch] = []
        self._size = 0

    def add(self, batch: pa.RecordBatch, codes: Ints, classes: Ints, *, numbers: Longs | None) -> None:
        """Add the released rows of a batch, with the codes of their quasi-identifiers and their classes.

        numbers  the numbers of these rows in the batch; None: all
        """
        if self._size >= 2 * MAX_ROWS:
            return
        drawn = (classes * SPREAD) % (1 << 32) % self._one_in == 0
        rows = np.flatnonzero(drawn)[: 2 * MAX_ROWS - self._size]
        self._size += rows.size
        self._codes.append(codes[rows])
        self._classes.append(classes[rows])
        self._columns.append(
            pa.RecordBatch.from_pydict(
                {name: _taken(batch.column(name), rows if numbers is None else numbers[rows]) for name in self._names}
            )
        )

    @property
    def are_all(self) -> bool:
        """Whether all rows of the release were collected."""
        return self._size == self._rows

    def columns(self) -> dict[str, pa.ChunkedArray]:
        """Return the columns that are released as they are."""
        if not self._columns:
            return {}
        table = pa.Table.from_batches(self._columns)
        return {name: table[name] for name in self._names}

    def evidence(self) -> Evidence:
        """Return the rows as evidence."""
        quasi = self._coding.quasi
        codes = np.concatenate([np.zeros((0, len(self._coding.domains)), np.int32), *self._codes])
        classes = np.concatenate([np.zeros(0, np.int32), *self._classes])
        passed = {name: Passed.of(column) for name, column in self.columns().items()}
        return Evidence(
            rows=self._rows,
            classes=classes,
            quasi={
                name: Hidden.of(
                    self._coding.domains[at], codes[:, at], classes, [*self._labels[name], self._tops[name]]
                )
                for at, name in enumerate(quasi)
                if name in self._labels
            },
            columns={name: column for name, column in passed.items() if column is not None},
            sensitive=self._request.roles.sensitive,
        )


def _taken(column: pa.Array, rows: Longs) -> pa.Array:
    """Return rows of a column without categories, whose numbers differ between batches, and without views."""
    return plain(storage(taken(column, pa.array(rows))))
