"""Checks of DataFrames, and columns named by their numbers, which is safe for any characters in their names."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from shoal.data.roles import Roles
from shoal.engines.spark.session import pyspark
from shoal.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Batches = Iterator[pa.RecordBatch]
ROWS = "rows"  # the number of equal rows


def check_frame(data: Any) -> None:
    """Refuse anything but a batch DataFrame of Spark."""
    if not isinstance(data, pyspark("sql").DataFrame):
        raise InputError(f"A {type(data).__name__} is not a Spark DataFrame; give one, or call shoal.anonymize().")
    if data.isStreaming:
        raise InputError("The DataFrame is a stream without an end: release a batch of it at a time.")
    if not data.columns:
        raise InputError("The table has no columns.")
    if len(set(data.columns)) < len(data.columns):
        raise InputError("A column name appears twice in the table: rename one of the two.")


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
