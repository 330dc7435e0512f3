"""CSV files judged and cut between rows by the driver; the workers read the parts as files are read without Spark."""

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

from shoal.engines.spark.frames import Batches, key, mapped
from shoal.engines.spark.session import pyspark
from shoal.engines.streams.scan import Scan
from shoal.errors import InputError
from shoal.io.csv import csv_part, stream_csv, wrong_row
from shoal.io.csv_diagnosis import LONGEST, undecodable
from shoal.io.csv_dialect import Dialect
from shoal.kernels.csv_rows import ROWS, finish, first_state, follow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BLOCK = 1 << 22  # bytes that are judged together
STEP = 1 << 23  # bytes that a worker parses together
LEAST, MOST = 1 << 22, 1 << 27  # bytes of a task
BATCH = 1 << 16  # rows that are passed on together


@dataclass(frozen=True)
class Part:
    """Whole rows of a file from one offset to another; without a stop all of it, as it has no offsets to cut at."""

    path: Path
    start: int
    stop: int | None
    size: int


@dataclass(frozen=True)
class Judged:
    """The rows of a table in CSV files, its parts, and the checksum of each file."""

    rows: int
    parts: tuple[Part, ...]
    checksums: tuple[str, ...]


def judge(scan: Scan) -> Judged:
    """Read CSV files once, refuse what is wrong with one of them, and cut them between rows."""
    rows, parts, checksums = 0, [], []
    with scan.unchanged():
        for path in scan.paths:
            found, own, checksum = _judge(path, scan.dialect, len(scan.columns))
            rows += found
            parts += own
            checksums.append(checksum)
    return Judged(rows, tuple(parts), tuple(checksums))


def _judge(path: Path, dialect: Dialect, width: int) -> tuple[int, list[Part], str]:
    """The rows, the parts and the checksum of one file."""
    codec = codecs.lookup(dialect.encoding).name
    by_bytes = _by_bytes(codec)
    step, digest = codecs.getincrementaldecoder(codec)(), hashlib.sha256()
    at, state, found = 0, first_state(), list[int]()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(BLOCK), b""):
            digest.update(block)
            try:
                text = step.decode(block, final=False)
            except UnicodeError as error:
                raise undecodable(path, dialect.encoding) from error
            signs = block if by_bytes else text.encode()
            if at == 0 and by_bytes and signs.startswith(codecs.BOM_UTF8) and codec == "utf-8-sig":
                at, signs = len(codecs.BOM_UTF8), signs[len(codecs.BOM_UTF8) :]
            view, cuts = np.frombuffer(signs, np.uint8), np.empty(len(signs) // STEP + 2, np.int64)
            some = follow(view, at, state, cuts, ord(dialect.separator), width, LONGEST, STEP)
            if some < 0:
                raise wrong_row(path, dialect, width, longest=LONGEST)
            found += cuts[:some].tolist()
            at += len(signs)
    try:
        step.decode(b"", final=True)
    except UnicodeError as error:
        raise undecodable(path, dialect.encoding) from error
    if not finish(state, width):
        raise wrong_row(path, dialect, width, longest=LONGEST)
    parts = [Part(path, start, stop, stop - start) for start, stop in pairwise([*found, at])]
    if found and not by_bytes:
        parts = [Part(path, 0, None, at)]
    return int(state[ROWS]) - 1, parts, digest.hexdigest()


def _by_bytes(codec: str) -> bool:
    """Whether separators, quotes and line ends are single bytes that stand for nothing else."""
    return codec in ("utf-8", "utf-8-sig", "ascii") or codec.startswith(("iso8859-", "cp125"))


def read_parts(spark: SparkSession, judged: Judged, dialect: Dialect, columns: list[str]) -> DataFrame:
    """The table of all parts in their order."""
    types = pyspark("sql.types")
    size = sum(part.size for part in judged.parts)
    most = min(MOST, max(LEAST, size // max(1, spark.sparkContext.defaultParallelism)))
    tasks = tuple(_tasks(judged.parts, most))
    fields = [types.StructField(key(at), types.StringType()) for at in range(len(columns))]
    numbers = spark.range(0, len(tasks), 1, max(1, len(tasks)))
    rows = mapped(numbers, _Reader(tasks, dialect, tuple(columns)), types.StructType(fields))
    return rows.toDF(*columns)


def _tasks(parts: tuple[Part, ...], most: int) -> Iterator[tuple[Part, ...]]:
    """Parts one after the other, as many together as one task may have."""
    task, size = list[Part](), 0
    for part in parts:
        if task and size + part.size > most:
            yield tuple(task)
            task, size = [], 0
        task.append(part)
        size += part.size
    if task:
        yield tuple(task)


@dataclass(frozen=True, eq=False)
class _Reader:
    """Numbers of tasks become the rows of their parts."""

    tasks: tuple[tuple[Part, ...], ...]
    dialect: Dialect
    columns: tuple[str, ...]

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for part in self.tasks[number]:
                    yield from self._rows(part)

    def _rows(self, part: Part) -> Batches:
        """The rows of a part."""
        names = [key(at) for at in range(len(self.columns))]
        for batch in self._read(part):
            columns = [one.dictionary_decode() if pa.types.is_dictionary(one.type) else one for one in batch.columns]
            made = pa.RecordBatch.from_arrays(columns, names=names)
            for at in range(0, made.num_rows, BATCH):
                yield made.slice(at, BATCH)

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
