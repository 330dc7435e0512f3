"""Checks of DataFrames, columns named by their numbers, which is safe for any characters, and hashes of rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from shoal.data.roles import Roles
from shoal.engines.spark.session import pyspark
from shoal.errors import InputError
from shoal.io.source import named_twice

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

Batches = Iterator[pa.RecordBatch]
ROWS = "rows"  # the number of equal rows
FIRST_ROWS = 10_000  # rows to look at for weak points
# Includes all digits of a timestamp, and fields that are null.
JSON = {
    "ignoreNullFields": "false",
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}
PART_BITS = 22
OFFSETS = range(0, 64, PART_BITS)  # of the parts of a hash, in bits


def check_frame(data: Any) -> None:
    """Refuse anything but a batch DataFrame of Spark."""
    if not isinstance(data, pyspark("sql").DataFrame):
        raise InputError(f"A {type(data).__name__} is not a Spark DataFrame; give one, or call shoal.anonymize().")
    if data.isStreaming:
        raise InputError("The DataFrame is a stream without an end: release a batch of it at a time.")
    if not data.columns:
        raise InputError("The table has no columns.")
    if len(set(data.columns)) < len(data.columns):
        raise InputError(named_twice(data))


def check_types(data: DataFrame, roles: Roles) -> None:
    """Refuse columns whose values cannot be grouped, or cannot be pseudonymized batch by batch."""
    types = pyspark("sql.types")
    times_of_day = (types.TimeType,) if hasattr(types, "TimeType") else ()  # since Spark 4.1
    groupable = (
        types.NumericType,
        types.StringType,
        types.BooleanType,
        types.DateType,
        types.TimestampType,
        types.TimestampNTZType,
        types.DayTimeIntervalType,
        types.NullType,
        *times_of_day,
    )
    times = (types.TimestampType, types.TimestampNTZType, *times_of_day)
    kinds = {field.name: field.dataType for field in data.schema.fields}
    for name in (*roles.quasi, *roles.sensitive, *roles.pseudonymized):
        kind = kinds[name]
        if not isinstance(kind, groupable):
            raise InputError(
                f"Column {name!r} holds values of type {kind.simpleString()}, which shoal cannot group: "
                f"convert it to text."
            )
        if getattr(kind, "collation", "UTF8_BINARY") != "UTF8_BINARY":
            raise InputError(
                f"Column {name!r} of type {kind.simpleString()} has texts that count as equal: cast it to string."
            )
        if name in roles.pseudonymized and isinstance(kind, times):
            raise InputError(f"Column {name!r} holds times, which have more than one spelling: convert it to text.")


def numbered(frame: DataFrame) -> DataFrame:
    """Rename the columns to c0, c1, …"""
    return frame.toDF(*(key(at) for at in range(len(frame.columns))))


def key(at: int) -> str:
    """Return the name of the column with this number."""
    return f"c{at}"


def keys_of(frame: DataFrame, names: tuple[str, ...]) -> list[str]:
    """Return the names that columns have in the numbered frame."""
    return [key(frame.columns.index(name)) for name in names]


def map_batches(frame: DataFrame, function: Callable[[Batches], Batches], schema: Any) -> DataFrame:
    """Let workers apply a function to the batches of each partition."""
    with without_pandas():
        return frame.mapInArrow(function, schema)


@contextmanager
def without_pandas() -> Iterator[None]:
    """Silence Spark's warning about new versions of pandas, which it checks for although pandas is not used here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield


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
