"""RowCounts: the distinct rows of batches with the number of each, found by Arrow alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.errors import VerificationError
from shoal.release.verification.classes import grouped

MIN_ROWS = 1 << 19  # distinct rows to gather before equal ones are merged


class RowCounts:
    """The distinct rows of batches; those of different batches are equal only after they are merged."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)
        self._gathered: list[pa.Table] = []
        self._weights: list[NDArray[np.int64]] = []
        self._merge_above = MIN_ROWS

    def add(self, batch: pa.RecordBatch) -> NDArray[np.int64]:
        """Count the rows of a batch; return the place of each among the gathered rows."""
        before = sum(map(len, self._gathered))
        return before + self._count([_numbered(column) for column in batch.columns], np.ones(len(batch), np.int64))

    @property
    def full(self) -> bool:
        """Whether so many rows are gathered that they should be merged."""
        return sum(map(len, self._gathered)) > self._merge_above

    def _count(
        self, columns: list[tuple[NDArray[np.int32], pa.Array]], weights: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Gather each distinct row once, with the sum of its weights; return the place of each row among them."""
        ids, firsts = grouped([numbers for numbers, _ in columns])
        rows = []
        for numbers, values in columns:
            places = pa.array(numbers[firsts], mask=numbers[firsts] == len(values))  # the last number is null
            rows.append(pa.DictionaryArray.from_arrays(places, values))
        self._gathered.append(pa.table(rows, [str(at) for at in range(len(rows))]))
        self._weights.append(np.bincount(ids, weights).astype(np.int64))
        return ids

    def merge(self) -> NDArray[np.int64]:
        """Merge equal rows of different batches; return the new place of each row that was gathered."""
        table, weights = pa.concat_tables(self._gathered).unify_dictionaries(), np.concatenate(self._weights)
        self._gathered, self._weights = [], []
        columns = [_numbered(column.combine_chunks()) for column in table.columns]
        del table
        places = self._count(columns, weights)
        self._merge_above = MIN_ROWS + 2 * len(self._gathered[0])
        return places

    def result(self, *, plain: Sequence[str]) -> tuple[pa.Table, NDArray[np.int64]]:
        """Return the distinct rows and their numbers; columns that are not `plain` are dictionaries."""
        if not self._gathered:
            raise VerificationError("No row was written.")
        if len(self._gathered) > 1:
            self.merge()
        rows = self._gathered[0].rename_columns(self._names)
        for name in plain:
            column = rows[name].cast(rows.schema.field(name).type.value_type)
            rows = rows.set_column(self._names.index(name), name, column)
        return rows, self._weights[0]


def _numbered(column: pa.Array) -> tuple[NDArray[np.int32], pa.Array]:
    """Number the values of a column, equal ones alike; return the values by number too. Null has the last number."""
    if pa.types.is_string_view(column.type):
        column = column.cast(pa.large_string())  # Arrow decodes no dictionary of views
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    encoded = pc.dictionary_encode(column.dictionary)  # a file's dictionary may contain duplicates or null
    null = len(encoded.dictionary)
    number_of = np.append(
        pc.fill_null(encoded.indices, null).to_numpy(zero_copy_only=False).astype(np.int32), np.int32(null)
    )
    places = pc.fill_null(column.indices.cast(pa.int32()), len(number_of) - 1).to_numpy(zero_copy_only=False)
    numbers: NDArray[np.int32] = number_of[places]
    return numbers, encoded.dictionary
