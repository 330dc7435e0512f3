"""verify(): the labels of written files are read back and counted, batch by batch, by Arrow alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.classes import Classes
from shoal.engines.scan import ReadProgress, Scan
from shoal.engines.streams.digests import Digests
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.cells import alike
from shoal.release.verification.classes import grouped
from shoal.release.verification.parquet import check_parquet
from shoal.release.verification.parts import Parts
from shoal.release.verification.release import check_release, readable

MIN_ROWS = 1 << 19  # distinct rows to gather before equal ones are merged


class WrittenRows:
    """The rows on their way into the files: each batch is compared with the rows it was made from."""

    def __init__(self, promise: Promise, names: Sequence[str], *, text: bool, key: bytes | str | None = None) -> None:
        self.promise = promise
        self.digests = Digests(names, text=text)
        self.parts = Parts(promise, key.encode() if isinstance(key, str) else key)

    def check(self, batch: pa.RecordBatch, released: pa.RecordBatch, *, kept: NDArray[np.int64] | None) -> None:
        """Refuse released rows that do not show these rows of a batch (None: all of them) as promised."""
        self.parts.check(batch, released, kept=kept)
        self.digests.add(released)


def verify(written: Scan, schema: pa.Schema, rows: WrittenRows, *, tell: ReadProgress) -> Classes:
    """Read a release back from its files; check that they hold the checked rows and that the labels keep the promise.

    Return the equivalence classes, read from the labels.
    """
    rows.parts.finish()  # runs the checks that need all batches
    _check_columns(written, schema, text=rows.digests.text)
    promise = rows.promise
    names = [*promise.quasi, *promise.sensitive]
    counts, digests = _RowCounts(names), Digests(written.columns, text=rows.digests.text)
    with readable():
        for batch in written.batches(written.columns, tell):
            digests.add(batch)
            counts.add(batch.select(names))
    if digests != rows.digests:
        raise VerificationError(f"Column {digests.different(rows.digests)!r} was not written as it is.")
    if written.kind == "parquet":
        check_parquet(written.paths)
    distinct, weights = counts.result(plain=promise.sensitive)
    return check_release(distinct, promise, weights=weights)


def _check_columns(written: Scan, schema: pa.Schema, *, text: bool) -> None:
    """Refuse files whose columns or types are not those of the release."""
    if written.columns != schema.names:
        raise VerificationError(f"The release has the columns {written.columns} and should have {schema.names}.")
    for name in schema.names if not text else ():
        kind, expected = written.schema.field(name).type, schema.field(name).type
        if not alike(kind, expected, any_text=True):
            raise VerificationError(f"Column {name!r} is of type {kind} and was of type {expected}.")


class _RowCounts:
    """The distinct rows of batches, with the number of each."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)
        self._gathered: list[pa.Table] = []
        self._weights: list[NDArray[np.int64]] = []
        self._merge_above = MIN_ROWS

    def add(self, batch: pa.RecordBatch) -> None:
        """Count the rows of a batch."""
        self._count([_numbered(column) for column in batch.columns], np.ones(len(batch), np.int64))
        if sum(map(len, self._gathered)) > self._merge_above:
            self._merge()
            self._merge_above = MIN_ROWS + len(self._gathered[0])

    def _count(self, columns: list[tuple[NDArray[np.int32], pa.Array]], weights: NDArray[np.int64]) -> None:
        """Gather each distinct row once, with the sum of its weights."""
        ids, firsts = grouped([numbers for numbers, _ in columns])
        rows = []
        for numbers, values in columns:
            places = pa.array(numbers[firsts], mask=numbers[firsts] == len(values))  # the last number is null
            rows.append(pa.DictionaryArray.from_arrays(places, values))
        self._gathered.append(pa.table(rows, [str(at) for at in range(len(rows))]))
        self._weights.append(np.bincount(ids, weights).astype(np.int64))

    def _merge(self) -> None:
        """Merge equal rows of different batches."""
        table, weights = pa.concat_tables(self._gathered).unify_dictionaries(), np.concatenate(self._weights)
        self._gathered, self._weights = [], []
        columns = [_numbered(column.combine_chunks()) for column in table.columns]
        del table
        self._count(columns, weights)

    def result(self, *, plain: Sequence[str]) -> tuple[pa.Table, NDArray[np.int64]]:
        """Return the distinct rows and their numbers; columns that are not `plain` are dictionaries."""
        if not self._gathered:
            raise VerificationError("No row was written.")
        self._merge()
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
