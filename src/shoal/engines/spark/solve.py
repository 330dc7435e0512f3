"""solve(): the labels of a DataFrame's rows, found by the driver, or by workers in blocks if rows are too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from shoal.engines.block_size import block_size
from shoal.engines.spark.answers import Answered, solve_together
from shoal.engines.spark.blocks import solve_in_blocks
from shoal.engines.spark.count import count
from shoal.engines.spark.frames import check_types
from shoal.errors import InputError
from shoal.release.pseudonyms import pseudonyms
from shoal.release.request import Request
from shoal.release.solve import Tell

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MAX_ROWS = 1_000_000  # distinct rows that a driver or a worker can solve


def solve(data: DataFrame, request: Request, block_rows: int | None, tell: Tell) -> Answered:
    """Count the distinct rows, solve them, and return the answer with the labeller of the rows."""
    check_types(data, request.roles)
    for name in request.roles.pseudonymized:
        pseudonyms(name, pa.chunked_array([], pa.string()), request.key)  # an unusable key is refused here
    max_rows = block_size(request, block_rows) or MAX_ROWS
    tell("counting different rows", 0)
    distinct = count(data, request.names)
    first = distinct.limit(max_rows + 1).toArrow()
    if not first.num_rows:
        raise InputError("The table has no rows.")
    if first.num_rows <= max_rows:
        return solve_together(data, request, first, tell)
    distinct.persist()
    try:
        return solve_in_blocks(data, request, distinct, max_rows, tell)
    finally:
        distinct.unpersist()
