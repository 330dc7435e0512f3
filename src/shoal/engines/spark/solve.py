"""From a DataFrame to the labels of its rows, found by the driver, or in blocks if there are too many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from shoal.engines.spark.answers import Answered, all_at_once
from shoal.engines.spark.blocks import block_by_block
from shoal.engines.spark.frames import check_types, count_rows, keys_of, numbered
from shoal.engines.streams.run import check_block_rows
from shoal.errors import InputError
from shoal.release.arguments import algorithm_of
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request
from shoal.release.solve import Tell

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BLOCK_ROWS = 1_000_000  # different rows that a driver and a worker can take


def solve(data: DataFrame, request: Request, block_rows: int | None, tell: Tell) -> Answered:
    """Count the different rows, let the algorithm answer them, and say how rows get their labels."""
    check_types(data, request.roles)
    for name in request.roles.pseudonymized:
        pseudonyms(name, pa.chunked_array([], pa.string()), request.key)  # an unusable key is refused here
    check_block_rows(block_rows)
    quick = algorithm_of(request.algorithm).rows_per_block(request.model, len(request.roles.quasi))
    limit = block_rows or quick or BLOCK_ROWS
    tell("counting different rows", 0)
    different = count_rows(numbered(data), keys_of(data, request.names))
    few = different.limit(limit + 1).toArrow()
    if not few.num_rows:
        raise InputError("The table has no rows.")
    if few.num_rows <= limit:
        return all_at_once(data, request, few, tell)
    different.persist()
    try:
        return block_by_block(data, request, different, limit, tell)
    finally:
        different.unpersist()
