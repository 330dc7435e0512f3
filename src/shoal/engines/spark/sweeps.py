"""Sweeps: numbers that workers find in each part of a DataFrame, added on the driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.engines.spark.frames import Batches, mapped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Counts = NDArray[np.int64]


def sweep(frame: DataFrame, count: Callable[[pa.Table], list[Counts]]) -> list[Counts]:
    """What the function gives for each part, added place by place."""

    def counted(batches: Batches) -> Batches:
        rows = list(batches)
        if rows:
            found = [counts.tolist() for counts in count(pa.Table.from_batches(rows))]
            yield pa.RecordBatch.from_pydict(
                {"at": pa.array(range(len(found)), pa.int32()), "counts": pa.array(found, pa.list_(pa.int64()))}
            )

    found = mapped(frame, counted, "at int, counts array<bigint>").toArrow()
    totals: dict[int, Counts] = {}
    for at, counts in zip(found["at"].to_pylist(), found["counts"], strict=True):
        part = counts.values.to_numpy()
        totals[at] = totals[at] + part if at in totals else part
    return [totals[at] for at in sorted(totals)]
