"""count(): the distinct rows of a DataFrame with their numbers, counted by Spark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.coding import Values, places_in
from shoal.engines.distinct_rows import complete_rows, missing_places
from shoal.engines.spark.frames import ROWS, Batches, keys_of, map_batches, numbered
from shoal.engines.spark.parquet_parts import ParquetParts, RowsOfTask
from shoal.engines.spark.session import pyspark
from shoal.engines.streams.count import KnownValues as ValuesOfPart
from shoal.engines.streams.distinct_rows import DistinctRows
from shoal.release.arguments import check_some_complete
from shoal.release.request import Request

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]

BATCH_ROWS = 1 << 16  # of distinct rows, in one batch for Spark
MAX_DISTINCT = 1 << 20  # rows that a worker gathers before it hands them to Spark


def count(data: DataFrame, names: tuple[str, ...]) -> DataFrame:
    """Count the distinct rows of these columns, whose names become keys; null and NaN are values like any other."""
    functions = pyspark("sql.functions")
    return numbered(data).groupBy(*keys_of(data, names)).agg(functions.count(functions.lit(1)).alias(ROWS))


def count_parts(data: DataFrame, parts: ParquetParts, names: tuple[str, ...]) -> DataFrame:
    """Count the distinct rows as count() does, but let workers count those of each part before Spark adds them up."""
    types, functions, keys = pyspark("sql.types"), pyspark("sql.functions"), keys_of(data, names)
    fields = [types.StructField(own, data.schema[name].dataType) for own, name in zip(keys, names, strict=True)]
    schema = types.StructType([*fields, types.StructField(ROWS, types.LongType())])
    counts = parts.map(data.sparkSession, names, _CountRows(parts.schema, names, tuple(keys)), schema)
    return counts.groupBy(*keys).agg(functions.sum(ROWS).alias(ROWS))


@dataclass(frozen=True, eq=False)
class _CountRows:
    """Counts the distinct rows of a task; if they are many, equal ones may come twice."""

    schema: pa.Schema
    names: tuple[str, ...]
    keys: tuple[str, ...]

    def __call__(self, number: int, parts: RowsOfTask) -> Batches:
        known = [ValuesOfPart(name, self.schema.field(name).type) for name in self.names]
        distinct = _no_rows(len(known))
        for batch in chain.from_iterable(batches for _, batches in parts):
            columns = zip(known, batch.columns, strict=True)
            distinct.add(np.stack([values.places(column, learn=True) for values, column in columns], axis=1))
            if len(distinct) > MAX_DISTINCT:
                yield from self._rows(known, distinct)
                distinct = _no_rows(len(known))
        yield from self._rows(known, distinct)

    def _rows(self, known: list[ValuesOfPart], distinct: DistinctRows) -> Batches:
        """Iterate over the rows that were counted, as values."""
        values = [one.values(np.ones(len(one) + 1, np.int64)).values for one in known]  # with null, the last
        for places, weights in distinct.parts():
            for at in range(0, len(places), BATCH_ROWS):
                rows = places[at : at + BATCH_ROWS]
                own = [column.take(pa.array(place % len(column))) for place, column in zip(rows.T, values, strict=True)]
                yield pa.RecordBatch.from_arrays([*own, pa.array(weights[at : at + BATCH_ROWS])], [*self.keys, ROWS])


def _no_rows(columns: int) -> DistinctRows:
    """Return a store of distinct rows in memory."""
    return DistinctRows(columns, max_bytes=2**62, folder=Path())


@dataclass(frozen=True, eq=False)
class KnownValues:
    """The distinct values of columns, null last.

    missing  for each column and place whether it means missing; None if incomplete rows are released
    """

    names: tuple[str, ...]
    values: tuple[pa.Array, ...]
    missing: tuple[NDArray[np.bool_], ...] | None = None

    def places(self, columns: Sequence[pa.Array | pa.ChunkedArray]) -> IntArray:
        """Return the place of each row's value among the values, rows × columns; −1 for null."""
        places = np.empty((len(columns[0]), len(self.names)), np.int32)
        for at, (name, values, column) in enumerate(zip(self.names, self.values, columns, strict=True)):
            if pa.types.is_floating(column.type):
                column = pc.add(column, pa.scalar(0, column.type))  # Spark treats −0.0 and 0.0 as equal
            kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
            column = column if kind == values.type else column.cast(values.type)
            places[:, at] = places_in(column, values, name)
        return places

    def complete(self, places: IntArray) -> NDArray[np.bool_]:
        """Tell which rows are not dropped for a missing value."""
        return complete_rows(places, self.missing)

    def counts(self, places: IntArray, weights: Counts) -> list[Counts]:
        """Count the complete rows that have each value, by column."""
        complete, counts = self.complete(places), []
        for values, column in zip(self.values, places[complete].T, strict=True):
            null_last = np.where(column < 0, len(values) - 1, column) if values.null_count else column
            counts.append(np.bincount(null_last, weights[complete], len(values)).astype(np.int64))
        return counts

    def with_counts(self, counts: Sequence[Counts]) -> tuple[Values, ...]:
        """Return the values with their numbers of rows."""
        return tuple(map(Values, self.names, self.values, counts))


@dataclass(frozen=True, eq=False)
class Counted:
    """The values of the columns with their numbers of rows, and the numbers of all rows and of dropped ones."""

    known: KnownValues
    values: tuple[Values, ...]
    rows: int
    dropped: int

    @classmethod
    def of(cls, known: KnownValues, request: Request, count: Callable[[KnownValues], list[Counts]]) -> Counted:
        """Count the values, without those of incomplete rows if these are dropped."""
        before = after = count(known)
        if request.drop_missing:
            missing = (missing_places(values, request.missing_values) for values in known.with_counts(before))
            known = replace(known, missing=tuple(missing))
            after = count(known)
        rows, kept = int(before[0].sum()), int(after[0].sum())
        check_some_complete(kept)
        return cls(known, known.with_counts(after), rows, rows - kept)


def collect_counts(distinct: pa.Table, request: Request) -> tuple[Counted, IntArray, Counts]:
    """Count the values of distinct rows on the driver; return the complete rows as places too, with their weights."""
    columns, weights = distinct.columns[:-1], distinct[ROWS].to_numpy()
    known = KnownValues(request.names, tuple(map(null_last, map(pc.unique, columns))))
    places = known.places(columns)
    counted = Counted.of(known, request, lambda known: known.counts(places, weights))
    complete = counted.known.complete(places)
    return counted, places[complete], weights[complete]


def sweep_counts(distinct: DataFrame, request: Request) -> Counted:
    """Count the values of distinct rows on the workers."""
    keys = [name for name in distinct.columns if name != ROWS]
    columns = [distinct.select(name).distinct().toArrow().column(0) for name in keys]
    known = KnownValues(request.names, tuple(null_last(column.combine_chunks()) for column in columns))

    def counts(known: KnownValues) -> list[Counts]:
        return sweep(distinct, lambda table: known.counts(known.places(table.columns[:-1]), table[ROWS].to_numpy()))

    return Counted.of(known, request, counts)


def null_last(values: pa.Array) -> pa.Array:
    """Move null, if any, to the end of distinct values."""
    return pa.concat_arrays([values.drop_null(), pa.nulls(values.null_count, values.type)])


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
