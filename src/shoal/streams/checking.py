"""Verification of written files: their labels are read back and counted, batch by batch, by Arrow alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.errors import VerificationError
from shoal.release import Promise
from shoal.streams.digests import Digests
from shoal.streams.scan import Reading, Scan
from shoal.table import Classes
from shoal.verification import grouped

ENOUGH = 1 << 21  # different rows that are gathered before equal ones are put together


def check_written(written: Scan, promise: Promise, *, digests: Digests | None, tell: Reading) -> Classes:
    """Read a release back from its files and let it keep its promise, or raise VerificationError."""
    names = [*promise.quasi, *promise.sensitive]
    found, read = _Counted(names), Digests(written.columns)
    for batch in written.batches(written.columns if digests is not None else names, tell):
        if digests is not None:
            read.add(batch)
        found.add(batch.select(names))
    different, counts = found.result()
    if digests is not None and read != digests:
        raise VerificationError(f"Column {read.different(digests)!r} was not written as it is. Nothing was released.")
    return promise.verify(different, weights=counts)


class _Counted:
    """The different rows of batches, with their numbers."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)
        self._keys = [str(at) for at in range(len(names))]
        self._gathered: list[pa.Table] = []
        self._least = ENOUGH

    def add(self, batch: pa.RecordBatch) -> None:
        """Count a batch."""
        columns = [_numbered(column) for column in batch.columns]
        ids, firsts = grouped([numbers for numbers, _ in columns])
        rows = [values.take(pa.array(numbers[firsts])) for numbers, values in columns]
        self._gathered.append(pa.table([*rows, np.bincount(ids)], [*self._keys, "rows"]))
        if sum(len(one) for one in self._gathered) > 2 * self._least:
            self._gathered = [self._together()]
            self._least = max(ENOUGH, len(self._gathered[0]))

    def _together(self) -> pa.Table:
        rows = pa.concat_tables(self._gathered).group_by(self._keys).aggregate([("rows", "sum")])
        return rows.select([*self._keys, "rows_sum"]).rename_columns([*self._keys, "rows"])

    def result(self) -> tuple[pa.Table, NDArray[np.int64]]:
        """The different rows and their numbers."""
        if not self._gathered:
            raise VerificationError("No row was written. Nothing was released.")
        rows = self._together()
        return rows.select(self._keys).rename_columns(self._names), rows.column("rows").to_numpy()


def _numbered(column: pa.Array) -> tuple[NDArray[np.int64], pa.Array]:
    """Equal values numbered alike, null being one of them, and the value of each number."""
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    # Null and the values, of which a file may name one twice, get numbers of their own.
    values = pa.concat_arrays([column.dictionary, pa.nulls(1, column.dictionary.type)])
    encoded = pc.dictionary_encode(values, null_encoding="encode")
    number_of = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    places = pc.fill_null(column.indices.cast(pa.int64()), len(values) - 1).to_numpy(zero_copy_only=False)
    return number_of[places], encoded.dictionary
