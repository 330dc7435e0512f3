"""Parts: a release that is made in batches, each compared with its original rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.errors import VerificationError
from shoal.io.source import Source
from shoal.release.promise import Original, Promise
from shoal.release.verification.columns import Remembered
from shoal.release.verification.comparison import Comparison
from shoal.release.verification.cover import Cover
from shoal.release.verification.means import Means


@dataclass(eq=False)
class Parts:
    """The rows of all batches so far: those released, and those suppressed and dropped.

    Batches need no identifying columns.
    """

    promise: Promise
    key: bytes | None = field(default=None, repr=False)  # of the pseudonyms, the same in all batches
    rows: int = 0
    dropped: int = 0
    _covers: dict[str, Cover] = field(default_factory=dict)
    _means: Means = field(default_factory=Means)

    def check(
        self, batch: pa.RecordBatch, made: pa.RecordBatch, *, kept: NDArray[np.int64] | None
    ) -> NDArray[np.bool_]:
        """Refuse a released batch (`made`) that does not show the `kept` rows (None: all) of a batch as promised.

        Return which rows of the batch may be released, as they lack no value.
        """
        max_dropped = batch.num_rows if self.promise.max_dropped else 0
        promise = replace(self.promise, rows=made.num_rows, max_dropped=max_dropped)
        after, original = _table(made), Original(_table(batch), at=kept)
        numbered = Remembered(after.arrow)
        comparison = Comparison(promise, original, after, "batch", numbered, self._covers, self._means, self.key)
        comparison.run()
        self.rows += made.num_rows
        self.dropped += int(comparison.stays.sum()) - made.num_rows
        return comparison.stays

    def may_stay(self, batch: pa.RecordBatch) -> NDArray[np.bool_]:
        """Flag the rows of a batch that are not to be dropped for a missing value."""
        table = _table(batch)
        return Comparison(self.promise, Original(table), table, "frame", Remembered(table.arrow)).stays

    def finish(self) -> None:
        """Refuse what can only be found after all batches."""
        if self.dropped > self.promise.max_dropped:
            raise VerificationError(
                f"The release drops {self.dropped} suppressed rows, but {self.promise.max_dropped} are allowed."
            )
        if self.rows != self.promise.rows:
            raise VerificationError(f"The release has {self.rows} rows and should have {self.promise.rows}.")
        self._means.check(self.promise.quasi)


def _table(batch: pa.RecordBatch) -> Source:
    return Source(nw.from_native(pa.Table.from_batches([batch]), eager_only=True))
