"""Releases of Parquet files that workers write themselves, each task into a file of its own."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from shoal.engines.scan import Scan
from shoal.engines.spark.frames import Batches
from shoal.engines.spark.parquet_parts import ParquetParts, RowsOfTask
from shoal.engines.spark.relabel import CheckedBatches
from shoal.engines.streams.digests import RowDigest
from shoal.engines.streams.sink import Sink
from shoal.errors import VerificationError
from shoal.io.csv_dialect import Dialect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WRITTEN = "task int, file string, rows bigint, digest string"
FILE_ROWS = 1 << 40  # more than a file has: a row's number is its place in its file, plus this for each file before


@dataclass(frozen=True, eq=False)
class WrittenParts:
    """The rows that workers checked and wrote.

    source   the files that were to be read, and `parts` what was read of them
    files    the files that were written into the folder, one for each task, in their order
    rows     how many rows they have in all
    digests  for each file, the sum of the hashes of its rows and their numbers, with this salt
    """

    source: Scan
    parts: ParquetParts
    folder: Path
    files: tuple[str, ...]
    rows: int
    digests: tuple[int, ...]
    salt: int


def write_parts(
    spark: SparkSession, source: Scan, parts: ParquetParts, folder: Path, *, checked: CheckedBatches
) -> WrittenParts:
    """Let workers label, check and write the rows of a table into a new folder; return what they wrote."""
    attempts = folder.absolute().with_name(f"{folder.name}-attempts")
    attempts.mkdir()
    folder.mkdir()
    salt = secrets.randbits(64)
    work = _WriteRows(attempts, checked, _released_schema(parts.schema, checked), salt)
    done = sorted(parts.map(spark, checked.names, work, WRITTEN).collect())
    if [row["task"] for row in done] != list(range(len(parts.tasks))):
        raise VerificationError("A part of the release was not written once.")
    files = [f"part-{row['task']:05}.parquet" for row in done]
    for row, file in zip(done, files, strict=True):  # an attempt that failed, or that another overtook, stays behind
        (attempts / row["file"]).rename(folder / file)
    rows, digests = sum(row["rows"] for row in done), tuple(int(row["digest"]) for row in done)
    return WrittenParts(source, parts, folder, tuple(files), rows, digests, salt)


def numbered_batches(number: int, parts: RowsOfTask, *, checked: CheckedBatches, digest: RowDigest) -> Batches:
    """Label and check the rows of a task; add each released row, with its number, to the digest."""
    sources = chain.from_iterable(batches for _, batches in parts)
    for released in checked(batch.rename_columns(list(checked.keys)) for batch in sources):
        digest.add(released.select(list(checked.keys)), start=number * FILE_ROWS + digest.rows)
        yield released


@dataclass(frozen=True, eq=False)
class _WriteRows:
    """Writes the rows of a task into a file, whose name no other attempt has."""

    folder: Path
    checked: CheckedBatches
    schema: pa.Schema
    salt: int

    def __call__(self, number: int, parts: RowsOfTask) -> Batches:
        file = f"{number:05}-{secrets.token_hex(8)}.parquet"
        digest = RowDigest(self.schema.names, text=False, salt=self.salt)
        with Sink(self.folder / file, self.schema, kind="parquet", dialect=Dialect(), parts=False) as sink:
            for released in numbered_batches(number, parts, checked=self.checked, digest=digest):
                sink.write(released.rename_columns(self.schema.names))
        done = {"task": number, "file": file, "rows": digest.rows, "digest": str(digest.sum)}
        kinds = [pa.int32(), pa.string(), pa.int64(), pa.string()]
        yield pa.RecordBatch.from_pylist([done], pa.schema(list(zip(done, kinds, strict=True))))


def _released_schema(schema: pa.Schema, checked: CheckedBatches) -> pa.Schema:
    """Return the columns of the release, without metadata: labels and pseudonyms are text."""
    roles = checked.promise.roles
    texts = {*roles.quasi, *roles.pseudonymized}
    return pa.schema([(name, pa.string() if name in texts else schema.field(name).type) for name in checked.names])
