"""The check of Parquet files that workers wrote: all of the source was read, and they hold the checked rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from shoal.engines.scan import Scan
from shoal.engines.spark.frames import OFFSETS, PART_BITS, ROWS, Batches, keys_of, total_hash
from shoal.engines.spark.labellers import Labeller
from shoal.engines.spark.parquet_parts import ParquetParts, RowsOfTask
from shoal.engines.spark.relabel import CheckedBatches, Relabelled, check_batches, plain, released_fields
from shoal.engines.spark.row_counts import DIGEST, sum_labels, total
from shoal.engines.spark.session import errors_in_one_sentence, pyspark
from shoal.engines.spark.written_parts import FILE_ROWS, WrittenParts, numbered_batches
from shoal.engines.streams.digests import RowDigest
from shoal.engines.streams.row_counts import RowCounts
from shoal.errors import VerificationError
from shoal.release.promise import Promise
from shoal.release.verification.parquet import check_parquet
from shoal.release.verification.release import readable
from shoal.release.verification.witnesses import Witnesses

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BATCH_ROWS = 1 << 16  # of label counts, in one batch for Spark


def check_parts(rows: WrittenParts, written: DataFrame, names: tuple[str, ...]) -> pa.Table:
    """Check the source and the files; return the distinct rows of these columns in the files, and the number of each.

    written  the same files as Spark reads them
    """
    _check_source(rows.source, rows.parts)
    if sorted(path.name for path in rows.folder.iterdir()) != sorted(rows.files):
        raise VerificationError("The folder of the release does not hold the files that were written, and no others.")
    with readable(), errors_in_one_sentence():
        counts = _counts(rows, written, names)
    digest = total_hash(lambda name: total(counts[name]), DIGEST)
    if total(counts[ROWS]) != rows.rows or (digest - sum(rows.digests)) % 2**64:
        raise VerificationError("The values were not written as they are.")
    return counts


def written_rows(rows: WrittenParts, data: DataFrame, promise: Promise, *, labeller: Labeller) -> Relabelled:
    """Return the rows that were written, with witnesses: they are made again, and refused if they are not the same."""
    checked = check_batches(data.columns, promise, labeller=labeller, witnesses=Witnesses(promise))
    schema = pyspark("sql.types").StructType(released_fields(data, checked))
    frame = rows.parts.map(data.sparkSession, checked.names, _SameRows(checked, rows.digests, rows.salt), schema)
    return Relabelled(frame, checked.keys, checked.names, marked=False)


@dataclass(frozen=True, eq=False)
class _SameRows:
    """Makes the rows of a task again, with witnesses."""

    checked: CheckedBatches
    digests: Sequence[int]
    salt: int

    def __call__(self, number: int, parts: RowsOfTask) -> Batches:
        digest = RowDigest(self.checked.names, text=False, salt=self.salt)
        yield from map(plain, numbered_batches(number, parts, checked=self.checked, digest=digest))
        if digest.sum != self.digests[number]:
            raise VerificationError("The rows are not those that were written.")


def _check_source(source: Scan, parts: ParquetParts) -> None:
    """Refuse parts that are not all row groups of the files, each of them once and in their order."""
    import pyarrow.parquet as pq

    paths = [path.absolute() for path in source.paths]
    expected = [(path, group) for path in paths for group in range(pq.read_metadata(path).num_row_groups)]
    found = [(part.path, group) for task in parts.tasks for part in task for group in part.groups]
    if found != expected:
        raise VerificationError("A part of the table was not read once.")


def _counts(rows: WrittenParts, written: DataFrame, names: tuple[str, ...]) -> pa.Table:
    """Read the files; count the distinct rows of these columns, with parts of the digest of all rows."""
    types, spark = pyspark("sql.types"), written.sparkSession
    parts = ParquetParts.of(Scan.of(rows.folder), parallelism=spark.sparkContext.defaultParallelism)
    labels = keys_of(written, names)
    kinds = [types.StructField(own, written.schema[name].dataType) for own, name in zip(labels, names, strict=True)]
    numbers = [types.StructField(name, types.LongType()) for name in (ROWS, *_digest_names())]
    work = _CountLabels(tuple(written.columns), names, tuple(labels), rows.files, rows.salt)
    found = sum_labels(parts.map(spark, written.columns, work, types.StructType([*kinds, *numbers])), labels)
    with_rows = {part.path.name for task in parts.tasks for part in task}
    check_parquet([rows.folder / file for file in rows.files if file not in with_rows])  # workers see no others
    return found


@dataclass(frozen=True, eq=False)
class _CountLabels:
    """Counts the labels of written rows, by Arrow alone; the first of them has the digest of all rows of its task."""

    columns: tuple[str, ...]
    names: tuple[str, ...]
    labels: tuple[str, ...]
    files: Sequence[str]
    salt: int

    def __call__(self, number: int, parts: RowsOfTask) -> Batches:
        counts, digest = RowCounts(self.labels), RowDigest(self.columns, text=False, salt=self.salt)
        for part, batches in parts:
            start = self.files.index(part.path.name) * FILE_ROWS + part.start
            for batch in batches:
                digest.add(batch, start=start)
                start += len(batch)
                counts.add(batch.select(list(self.names)))
                if counts.full:
                    counts.merge()
        check_parquet([part.path for part, _ in parts if 0 in part.groups])
        if not digest.rows:
            return
        rows, weights = counts.result(plain=self.labels)
        columns: dict[str, Any] = dict(zip(self.labels, rows.columns, strict=True)) | {ROWS: pa.array(weights)}
        for name, offset in zip(_digest_names(), OFFSETS, strict=True):
            part_of_sum = (digest.sum >> offset) & ((1 << PART_BITS) - 1)
            columns[name] = pa.array([part_of_sum, *[0] * (len(weights) - 1)], pa.int64())
        yield from pa.table(columns).combine_chunks().to_batches(BATCH_ROWS)


def _digest_names() -> list[str]:
    """Return the names of the parts of a digest."""
    return [f"{DIGEST}{offset}" for offset in OFFSETS]
