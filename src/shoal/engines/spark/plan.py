"""From a DataFrame to what its rows are to show, found by the driver, or in blocks where rows are too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from shoal.engines.spark.answers import Answered, all_at_once
from shoal.engines.spark.blocks import block_by_block
from shoal.engines.spark.frames import check_types, count_rows, keys_of, numbered
from shoal.errors import InputError
from shoal.release.plan import Plan
from shoal.release.pseudonyms import pseudonyms
from shoal.release.solve import Tell

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BLOCK_ROWS = 1_000_000  # different rows that a driver and a worker can take


def make(data: DataFrame, plan: Plan, block_rows: int | None, tell: Tell) -> Answered:
    """Count the different rows, let the algorithm answer about them, and say how rows get their labels."""
    check_types(data, plan.request.roles)
    for name in plan.request.roles.pseudonymized:
        pseudonyms(name, pa.chunked_array([], pa.string()), plan.key)  # a key that cannot be used is refused here
    limit = _limit(plan, block_rows)
    tell("counting different rows", 0)
    different = count_rows(numbered(data), keys_of(data, plan.names))
    few = different.limit(limit + 1).toArrow()
    if not few.num_rows:
        raise InputError("The table has no rows.")
    if few.num_rows <= limit:
        return all_at_once(data, plan, few, tell)
    different.persist()
    try:
        return block_by_block(data, plan, different, limit, tell)
    except InputError as error:
        raise InputError(str(error).replace("give more memory", "raise block_rows")) from error
    finally:
        different.unpersist()


def _limit(plan: Plan, block_rows: int | None) -> int:
    """The different rows that are worked on at once."""
    if block_rows is not None and (isinstance(block_rows, bool) or not isinstance(block_rows, int) or block_rows < 1):
        raise InputError(f"block_rows = {block_rows!r} must be a whole number of different rows, from 1.")
    quick = plan.algorithm.rows_per_block(plan.request.model, len(plan.request.roles.quasi))
    return block_rows or quick or BLOCK_ROWS
