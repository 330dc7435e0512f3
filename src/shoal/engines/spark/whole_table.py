"""Tables that the driver needs as a whole: how much memory it may take, and their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from shoal.engines.spark.frames import numbered
from shoal.engines.spark.session import pyspark
from shoal.engines.whole_table import check_room
from shoal.errors import InputError
from shoal.release.request import Request
from shoal.system.memory import free_memory

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

DRIVER_BYTES = 4 * 10**9
CELL_BYTES = 8  # of a number, or of the place of a text
IN_FILES = "Leave out Spark, and give as much if the machine has it: memory='{memory}', --memory {memory}."
FROM_FILES = "Write it to files, and release these by shoal.anonymize_files(…, memory='{memory}')."


def driver_memory() -> int:
    """Return how many bytes the driver may take."""
    free = free_memory()
    return DRIVER_BYTES if free is None else min(DRIVER_BYTES, free)


def collect(data: DataFrame, request: Request) -> pa.Table:
    """Return all rows of a DataFrame; refuse it, before any is fetched, if they are too many for the driver."""
    functions, frame = pyspark("sql.functions"), numbered(data)
    texts = [functions.sum(functions.octet_length(cell)) for cell in _texts(frame)]
    row = frame.agg(functions.count(functions.lit(1)), *texts).first()
    rows, *sizes = row if row is not None else (0,)
    if not rows:
        raise InputError("The table has no rows.")
    size = sum(filter(None, sizes)) + CELL_BYTES * rows * len(data.columns)
    check_room(request, rows, size, limit=driver_memory(), instead=FROM_FILES)
    return frame.toArrow().rename_columns(data.columns)


def _texts(frame: DataFrame) -> list[Column]:
    """Return all columns as text."""
    types, functions = pyspark("sql.types"), pyspark("sql.functions")
    nested = (types.ArrayType, types.MapType, types.StructType, types.VariantType)
    return [
        functions.to_json(functions.struct(field.name))
        if isinstance(field.dataType, nested)
        else functions.col(field.name).cast("string")
        for field in frame.schema.fields
    ]
