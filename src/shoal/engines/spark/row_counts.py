"""How many rows a release has, with which labels, and whether they are those of the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from shoal.engines.spark.frames import ROWS, Batches, hash_sums, keys_of, map_batches, numbered, total_hash
from shoal.engines.spark.labellers import MARK
from shoal.engines.spark.relabel import with_marks
from shoal.engines.spark.session import pyspark
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.parts import Parts

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

MARKS, DIGEST = "marks", "digest"


def check_rows(data: DataFrame, promise: Promise, *, rows: int, marks: int | None) -> None:
    """Refuse a release that has dropped too many rows, has too many rows, or has other rows than the source."""
    complete, source_marks = _complete_rows(data, promise, marked=marks is not None)
    if not complete - promise.max_dropped <= rows <= complete:
        raise VerificationError(
            f"The release has {rows} rows of {complete}, of which {promise.max_dropped} may be left out."
        )
    if marks is not None and marks != source_marks:
        raise VerificationError("Rows are missing from the release, and others appear twice.")


def _complete_rows(data: DataFrame, promise: Promise, *, marked: bool) -> tuple[int, int | None]:
    """Return the number of rows of the source that can be released, and the sum of their marks."""
    functions, roles = pyspark("sql.functions"), promise.roles
    names = tuple(name for name in data.columns if name not in roles.identifying)
    rows = numbered(data).select(*keys_of(data, names))
    rows = with_marks(rows) if marked else rows.withColumn(MARK, functions.lit(0).cast("bigint"))
    if promise.drop_missing:
        grouped = tuple(dict.fromkeys((*roles.quasi, *roles.sensitive)))
        keys = keys_of(data, grouped)

        def marks_of_complete_rows(batches: Batches) -> Batches:
            parts = Parts(promise)  # reads missing values independently of the release
            for batch in batches:
                complete = parts.may_stay(batch.select(keys).rename_columns(grouped))
                yield batch.select([MARK]).filter(pa.array(complete))

        rows = map_batches(rows.select(*keys, MARK), marks_of_complete_rows, f"{MARK} bigint")
    if not marked:
        return rows.count(), None
    totals = rows.agg(functions.count(functions.lit(1)).alias(ROWS), *hash_sums(functions.col(MARK), MARKS)).first()
    return totals[ROWS], total_hash(lambda name: totals[name] or 0, MARKS)


def count_labels(frame: DataFrame, labels: Sequence[str], *, hashes: Mapping[str, Column]) -> pa.Table:
    """Count the distinct rows of these columns, with sums of hashes; null and NaN are values like any other."""
    functions = pyspark("sql.functions")
    count = functions.count(functions.lit(1)).alias(ROWS)
    sums = [part for name, hashed in hashes.items() for part in hash_sums(hashed, name)]
    return _some(frame.groupBy(*labels).agg(count, *sums).toArrow())


def sum_labels(counts: DataFrame, labels: Sequence[str]) -> pa.Table:
    """Add up counts of distinct rows, and the other columns of numbers, that workers made part by part."""
    functions = pyspark("sql.functions")
    sums = [functions.sum(name).alias(name) for name in counts.columns if name not in labels]
    return _some(counts.groupBy(*labels).agg(*sums).toArrow())


def _some(counts: pa.Table) -> pa.Table:
    """Refuse a release without rows."""
    if not counts.num_rows:
        raise VerificationError("The release has no rows.")
    return counts


def total(column: pa.ChunkedArray) -> int:
    """Return the sum of a column of whole numbers."""
    return int(pc.sum(column).as_py() or 0)
