"""Verification of written files: their labels are read back and counted, batch by batch, by Arrow alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.table import Classes
from shoal.engines.streams.digests import Digests
from shoal.engines.streams.scan import Reading, Scan
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.cells import alike
from shoal.release.verification.classes import grouped
from shoal.release.verification.parquet import check_parquet
from shoal.release.verification.parts import Parts
from shoal.release.verification.release import check_release, readable

ENOUGH = 1 << 19  # different rows that are gathered before equal ones are put together


class Seen:
    """What went by on its way into the files: each batch is held against the rows that it was made of."""

    def __init__(self, promise: Promise, names: Sequence[str], *, text: bool, key: bytes | str | None = None) -> None:
        self.promise = promise
        self.digests = Digests(names, text=text)
        self._parts = Parts(promise, key.encode() if isinstance(key, str) else key)

    def see(self, batch: pa.RecordBatch, made: pa.RecordBatch, *, kept: NDArray[np.int64] | None) -> None:
        """Refuse a batch that does not show these rows of another (None: all) as was promised."""
        self._parts.check(batch, made, kept=kept)
        self.digests.add(made)

    def finish(self) -> None:
        """Refuse what shows only at the end."""
        self._parts.finish()


def check_written(written: Scan, schema: pa.Schema, seen: Seen, *, tell: Reading) -> Classes:
    """Read a release back from its files: they hold what was seen, and its labels keep the promise."""
    seen.finish()
    _check_columns(written, schema, text=seen.digests.text)
    promise = seen.promise
    names = [*promise.quasi, *promise.sensitive]
    found, read = _Counted(names), Digests(written.columns, text=seen.digests.text)
    with readable():
        for batch in written.batches(written.columns, tell):
            read.add(batch)
            found.add(batch.select(names))
    if read != seen.digests:
        raise VerificationError(f"Column {read.different(seen.digests)!r} was not written as it is.")
    if written.kind == "parquet":
        check_parquet(written.paths)
    different, counts = found.result(plain=promise.sensitive)
    return check_release(different, promise, weights=counts)


def _check_columns(written: Scan, schema: pa.Schema, *, text: bool) -> None:
    """Refuse files with other columns, or other types, than those of the release."""
    if written.columns != schema.names:
        raise VerificationError(f"The release has the columns {written.columns} and should have {schema.names}.")
    for name in schema.names if not text else ():
        kind, wanted = written.schema.field(name).type, schema.field(name).type
        if not alike(kind, wanted, any_text=True):
            raise VerificationError(f"Column {name!r} is of type {kind} and was of type {wanted}.")


class _Counted:
    """The different rows of batches, with their numbers."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)
        self._gathered: list[pa.Table] = []
        self._weights: list[NDArray[np.int64]] = []
        self._least = ENOUGH

    def add(self, batch: pa.RecordBatch) -> None:
        """Count a batch."""
        self._count([_numbered(column) for column in batch.columns], np.ones(len(batch), np.int64))
        if sum(map(len, self._gathered)) > self._least:
            self._put_together()
            self._least = ENOUGH + len(self._gathered[0])

    def _count(self, columns: list[tuple[NDArray[np.int32], pa.Array]], weights: NDArray[np.int64]) -> None:
        """Keep equal rows as one."""
        ids, firsts = grouped([numbers for numbers, _ in columns])
        rows = [_column(numbers[firsts], values) for numbers, values in columns]
        self._gathered.append(pa.table(rows, [str(at) for at in range(len(rows))]))
        self._weights.append(np.bincount(ids, weights).astype(np.int64))

    def _put_together(self) -> None:
        table, weights = pa.concat_tables(self._gathered).unify_dictionaries(), np.concatenate(self._weights)
        self._gathered, self._weights = [], []
        columns = [_numbered(column.combine_chunks()) for column in table.columns]
        del table
        self._count(columns, weights)

    def result(self, *, plain: Sequence[str]) -> tuple[pa.Table, NDArray[np.int64]]:
        """The different rows, some columns as they were written and the others by dictionaries, and their numbers."""
        if not self._gathered:
            raise VerificationError("No row was written.")
        self._put_together()
        rows = self._gathered[0].rename_columns(self._names)
        for name in plain:
            column = rows[name].cast(rows.schema.field(name).type.value_type)
            rows = rows.set_column(self._names.index(name), name, column)
        return rows, self._weights[0]


def _numbered(column: pa.Array) -> tuple[NDArray[np.int32], pa.Array]:
    """Equal values numbered alike, and the value of each number; null has the number after them."""
    if pa.types.is_string_view(column.type):
        column = column.cast(pa.large_string())  # Arrow decodes no dictionary of views
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    encoded = pc.dictionary_encode(column.dictionary)  # a file may name a value twice, or name null
    null = len(encoded.dictionary)
    number_of = np.append(
        pc.fill_null(encoded.indices, null).to_numpy(zero_copy_only=False).astype(np.int32), np.int32(null)
    )
    places = pc.fill_null(column.indices.cast(pa.int32()), len(number_of) - 1).to_numpy(zero_copy_only=False)
    found: NDArray[np.int32] = number_of[places]
    return found, encoded.dictionary


def _column(numbers: NDArray[np.int32], values: pa.Array) -> pa.Array:
    places = pa.array(numbers, mask=numbers == len(values))
    return pa.DictionaryArray.from_arrays(places, values)
