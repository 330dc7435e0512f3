"""Hashes of rows, the same before and after they were joined, or written and read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shoal.engines.spark.session import pyspark

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# All digits of a moment, and fields that are null.
JSON = {
    "ignoreNullFields": "false",
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}
PART = 22  # bits
LOWS = range(0, 64, PART)


def row_hash(frame: DataFrame, keys: Sequence[str], *, text: bool = False) -> Column:
    """A hash that changes with every cell of these columns and with its column; in a CSV, null is an empty text."""
    functions = pyspark("sql.functions")
    kinds = {field.name: field.dataType for field in frame.schema.fields}
    cells = [_plain(key, kinds[key]) for key in keys]
    if text:
        return functions.xxhash64(*(functions.coalesce(cell.cast("string"), functions.lit("")) for cell in cells))
    # Spark's hash passes over null, so that a cell could move into the next column.
    return functions.xxhash64(*(part for cell in cells for part in (cell.isNull(), cell)))


def totals(hashed: Column, name: str) -> list[Column]:
    """Sums of the parts of hashes, which whole numbers of Spark can hold for 2^41 rows, whatever their order."""
    functions = pyspark("sql.functions")
    parts = (functions.shiftrightunsigned(hashed, low).bitwiseAND((1 << PART) - 1) for low in LOWS)
    return [functions.sum(part).alias(f"{name}{low}") for part, low in zip(parts, LOWS, strict=True)]


def total_of(found: Callable[[str], int], name: str) -> int:
    """The sum of hashes, of which the sums of the parts were found under their names."""
    return sum(found(f"{name}{low}") << low for low in LOWS)


def _plain(key: str, kind: Any) -> Column:
    """A column that Spark can hash, by all that it holds."""
    types, functions = pyspark("sql.types"), pyspark("sql.functions")
    cell = functions.col(key)
    if isinstance(kind, types.StringType):
        return cell.cast("string")  # texts that a collation takes for equal are two
    if isinstance(kind, types.ArrayType | types.MapType | types.StructType | types.VariantType):
        return functions.when(cell.isNotNull(), functions.to_json(functions.struct(cell.alias("cell")), JSON))
    return cell
