"""Sweeps: counts that workers compute for each partition of a DataFrame, added up on the driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.engines.spark.frames import Batches, map_batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Counts = NDArray[np.int64]


def sweep(frame: DataFrame, count: Callable[[pa.Table], list[Counts]]) -> list[Counts]:
    """Call the function for each partition; return the sums of its arrays."""

    def count_partition(batches: Batches) -> Batches:
        rows = list(batches)
        if rows:
            arrays = [counts.tolist() for counts in count(pa.Table.from_batches(rows))]
            yield pa.RecordBatch.from_pydict(
                {"at": pa.array(range(len(arrays)), pa.int32()), "counts": pa.array(arrays, pa.list_(pa.int64()))}
            )

    partitions = map_batches(frame, count_partition, "at int, counts array<bigint>").toArrow()
    totals: dict[int, Counts] = {}
    for at, counts in zip(partitions["at"].to_pylist(), partitions["counts"], strict=True):
        array = counts.values.to_numpy()
        totals[at] = totals[at] + array if at in totals else array
    return [totals[at] for at in sorted(totals)]
