"""verify(): the labels of written files are read back and counted, batch by batch, by Arrow alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.classes import Classes
from shoal.engines.scan import ReadProgress, Scan
from shoal.engines.streams.digests import Digests, RowDigest
from shoal.engines.streams.row_counts import RowCounts
from shoal.engines.streams.verify_people import WrittenPeople
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.cells import alike
from shoal.release.verification.parquet import check_parquet
from shoal.release.verification.parts import Parts
from shoal.release.verification.release import check_release, readable


class WrittenRows:
    """The rows on their way into the files: each batch is compared with the rows it was made from."""

    def __init__(self, promise: Promise, names: Sequence[str], *, text: bool, key: bytes | str | None = None) -> None:
        self.promise = promise
        self.text = text
        self.people = None if promise.unit is None else WrittenPeople(promise)
        self.digests = Digests(names, text=text) if self.people is None else RowDigest(names, text=text)
        self.parts = Parts(promise, key.encode() if isinstance(key, str) else key)

    def check(self, batch: pa.RecordBatch, released: pa.RecordBatch, *, kept: NDArray[np.int64] | None) -> None:
        """Refuse released rows that do not show these rows of a batch (None: all of them) as promised."""
        may_stay = self.parts.check(batch, released, kept=kept)
        self.digests.add(released)
        if self.people is not None:
            self.people.add(batch, released, kept=kept, may_stay=may_stay)


def verify(written: Scan, schema: pa.Schema, rows: WrittenRows, *, tell: ReadProgress) -> Classes:
    """Read a release back from its files; check that they hold the checked rows and that the labels keep the promise.

    Return the equivalence classes, read from the labels.
    """
    rows.parts.finish()  # runs the checks that need all batches
    _check_columns(written, schema, text=rows.text)
    promise = rows.promise
    names = [*promise.quasi, *promise.sensitive]
    counts, digests = RowCounts(names), rows.digests.again(written.columns)
    with readable():
        for batch in written.batches(written.columns, tell):
            digests.add(batch)
            if rows.people is None:
                counts.add(batch.select(names))
                if counts.full:
                    counts.merge()
    if digests != rows.digests:
        if isinstance(rows.digests, Digests) and isinstance(digests, Digests):
            raise VerificationError(f"Column {digests.different(rows.digests)!r} was not written as it is.")
        raise VerificationError("The rows were not written as they are.")
    if written.kind == "parquet":
        check_parquet(written.paths)
    if rows.people is not None:  # whose rows they are is known only from the rows that were checked
        return rows.people.check()
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
