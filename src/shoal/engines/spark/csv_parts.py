"""CSV files, which the driver checks and splits between rows, and whose parts workers read as shoal does elsewhere."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from shoal.engines.scan import Scan
from shoal.engines.spark.frames import Batches, key, map_batches
from shoal.engines.spark.session import pyspark
from shoal.errors import InputError
from shoal.io.csv import csv_part, stream_csv, unreadable
from shoal.io.csv_diagnosis import LONGEST, undecodable
from shoal.io.csv_dialect import Dialect
from shoal.kernels.csv_rows import ROWS, finish, first_state, follow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CHECK_BYTES = 1 << 22  # that the driver checks together
PART_BYTES = 1 << 23  # that a worker parses together
MIN_TASK_BYTES, MAX_TASK_BYTES = 1 << 22, 1 << 27
BATCH_ROWS = 1 << 16


@dataclass(frozen=True)
class Part:
    """Whole rows of a file between two offsets; without a stop, all of a file that cannot be split."""

    path: Path
    start: int
    stop: int | None
    size: int


@dataclass(frozen=True)
class CheckedFiles:
    """The number of rows of a table in CSV files, its parts, and the checksum of each file."""

    rows: int
    parts: tuple[Part, ...]
    checksums: tuple[str, ...]


def check(scan: Scan) -> CheckedFiles:
    """Read CSV files once, refuse malformed ones, and split them between rows."""
    rows, parts, checksums = 0, [], []
    with scan.unchanged():
        for path in scan.paths:
            file_rows, file_parts, checksum = _check(path, scan.dialect, len(scan.columns))
            rows += file_rows
            parts += file_parts
            checksums.append(checksum)
    return CheckedFiles(rows, tuple(parts), tuple(checksums))


def _check(path: Path, dialect: Dialect, width: int) -> tuple[int, list[Part], str]:
    """Check a file; return its number of rows, its parts and its checksum."""
    codec = codecs.lookup(dialect.encoding).name
    splittable = _is_single_byte(codec)
    decoder, digest = codecs.getincrementaldecoder(codec)(), hashlib.sha256()
    at, state, starts = 0, first_state(), list[int]()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(CHECK_BYTES), b""):
            digest.update(block)
            try:
                text = decoder.decode(block, final=False)
            except UnicodeError as error:
                raise undecodable(path, dialect.encoding) from error
            content = block if splittable else text.encode()
            if at == 0 and splittable and content.startswith(codecs.BOM_UTF8) and codec == "utf-8-sig":
                at, content = len(codecs.BOM_UTF8), content[len(codecs.BOM_UTF8) :]
            view, cuts = np.frombuffer(content, np.uint8), np.empty(len(content) // PART_BYTES + 2, np.int64)
            count = follow(view, at, state, cuts, ord(dialect.separator), width, LONGEST, PART_BYTES)
            if count < 0:
                raise unreadable(path, dialect, width, longest=LONGEST)
            starts += cuts[:count].tolist()
            at += len(content)
    try:
        decoder.decode(b"", final=True)
    except UnicodeError as error:
        raise undecodable(path, dialect.encoding) from error
    if not finish(state, width):
        raise unreadable(path, dialect, width, longest=LONGEST)
    path = path.absolute()  # workers may be in another folder
    parts = [Part(path, start, stop, stop - start) for start, stop in pairwise([*starts, at])]
    if starts and not splittable:
        parts = [Part(path, 0, None, at)]
    return int(state[ROWS]) - 1, parts, digest.hexdigest()


def _is_single_byte(codec: str) -> bool:
    """Tell whether separators, quotes and line ends are single bytes that mean nothing else."""
    return codec in ("utf-8", "utf-8-sig", "ascii") or codec.startswith(("iso8859-", "cp125"))


def read_parts(spark: SparkSession, files: CheckedFiles, dialect: Dialect, columns: list[str]) -> DataFrame:
    """Read all parts in their order."""
    types = pyspark("sql.types")
    size = sum(part.size for part in files.parts)
    task_bytes = min(MAX_TASK_BYTES, max(MIN_TASK_BYTES, size // max(1, spark.sparkContext.defaultParallelism)))
    tasks = tuple(_tasks(files.parts, task_bytes))
    fields = [types.StructField(key(at), types.StringType()) for at in range(len(columns))]
    numbers = spark.range(0, len(tasks), 1, max(1, len(tasks)))
    rows = map_batches(numbers, _Reader(tasks, dialect, tuple(columns)), types.StructType(fields))
    return rows.toDF(*columns)


def _tasks(parts: tuple[Part, ...], max_bytes: int) -> Iterator[tuple[Part, ...]]:
    """Group consecutive parts into tasks of at most this size."""
    task, size = list[Part](), 0
    for part in parts:
        if task and size + part.size > max_bytes:
            yield tuple(task)
            task, size = [], 0
        task.append(part)
        size += part.size
    if task:
        yield tuple(task)


@dataclass(frozen=True, eq=False)
class _Reader:
    """Reads the rows of tasks, which are given by their numbers."""

    tasks: tuple[tuple[Part, ...], ...]
    dialect: Dialect
    columns: tuple[str, ...]

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for part in self.tasks[number]:
                    yield from self._rows(part)

    def _rows(self, part: Part) -> Batches:
        """Iterate over the rows of a part, in small batches without dictionaries."""
        names = [key(at) for at in range(len(self.columns))]
        for batch in self._read(part):
            columns = [
                column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
                for column in batch.columns
            ]
            plain = pa.RecordBatch.from_arrays(columns, names=names)
            for at in range(0, plain.num_rows, BATCH_ROWS):
                yield plain.slice(at, BATCH_ROWS)

    def _read(self, part: Part) -> Batches:
        names = list(self.columns)
        try:
            if part.stop is None:
                yield from (batch for batch, _ in stream_csv(part.path, self.dialect, names))
                return
            with part.path.open("rb") as file:
                file.seek(part.start)
                content = file.read(part.stop - part.start)
        except OSError as error:
            raise InputError(f"{part.path}: cannot be read ({error.strerror or error}).") from error
        if codecs.lookup(self.dialect.encoding).name not in ("utf-8", "utf-8-sig"):
            content = content.decode(self.dialect.encoding).encode()
        yield from csv_part(part.path, content, self.dialect, names).to_batches()
