"""Hashes of rows, which stay the same when rows are joined, or written and read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shoal.engines.spark.session import pyspark

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# Includes all digits of a timestamp, and fields that are null.
JSON = {
    "ignoreNullFields": "false",
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}
PART_BITS = 22
OFFSETS = range(0, 64, PART_BITS)  # of the parts of a hash, in bits


def row_hash(frame: DataFrame, keys: Sequence[str], *, text: bool = False) -> Column:
    """Hash the cells of these columns and their positions; with `text`, as in a CSV file, null is an empty text."""
    functions = pyspark("sql.functions")
    kinds = {field.name: field.dataType for field in frame.schema.fields}
    cells = [_hashable(key, kinds[key]) for key in keys]
    if text:
        return functions.xxhash64(*(functions.coalesce(cell.cast("string"), functions.lit("")) for cell in cells))
    # Spark's hash skips null, so that a cell could move into the next column unnoticed.
    return functions.xxhash64(*(part for cell in cells for part in (cell.isNull(), cell)))


def hash_sums(hashed: Column, name: str) -> list[Column]:
    """Sum the parts of hashes separately, so that Spark's integers do not overflow for up to 2^41 rows."""
    functions = pyspark("sql.functions")
    mask = (1 << PART_BITS) - 1
    parts = (functions.shiftrightunsigned(hashed, offset).bitwiseAND(mask) for offset in OFFSETS)
    return [functions.sum(part).alias(f"{name}{offset}") for part, offset in zip(parts, OFFSETS, strict=True)]


def total_hash(part_sum: Callable[[str], int], name: str) -> int:
    """Return the sum of hashes, given the function that finds the sum of each part by its name."""
    return sum(part_sum(f"{name}{offset}") << offset for offset in OFFSETS)


def _hashable(key: str, kind: Any) -> Column:
    """Return a column in a form that Spark can hash completely."""
    types, functions = pyspark("sql.types"), pyspark("sql.functions")
    cell = functions.col(key)
    if isinstance(kind, types.StringType):
        return cell.cast("string")  # texts that are equal only under a collation have different hashes
    if isinstance(kind, types.ArrayType | types.MapType | types.StructType | types.VariantType):
        return functions.when(cell.isNotNull(), functions.to_json(functions.struct(cell.alias("cell")), JSON))
    return cell
