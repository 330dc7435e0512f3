"""Parquet files whose row groups workers read as Arrow, without a detour through Spark's own rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from shoal.engines.scan import BATCH_BYTES, BATCH_ROWS, DICTIONARY_BYTES, Scan
from shoal.engines.spark.frames import Batches, map_batches
from shoal.io.parquet import check_rows, not_readable
from shoal.release.request import Request

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TASK_ROWS = 1 << 23  # that a worker reads in one task, unless a row group has more
# Spark and Arrow read and write columns of these types alike, and show their values as the same text.
SAME_TYPES = frozenset(
    [
        *(pa.string(), pa.bool_(), pa.date32(), pa.float32(), pa.float64()),
        *(pa.int8(), pa.int16(), pa.int32(), pa.int64()),
    ]
)
SAME_CELLS = SAME_TYPES | {pa.binary(), pa.timestamp("us"), pa.timestamp("us", "UTC")}


@dataclass(frozen=True)
class Part:
    """Consecutive row groups of a file: the number of the first of their rows in the file, and how many they are."""

    path: Path
    groups: tuple[int, ...]
    start: int
    rows: int


RowsOfTask = Sequence[tuple[Part, Batches]]  # part by part
Work = Callable[[int, RowsOfTask], Batches]  # takes the number of a task, too


@dataclass(frozen=True, eq=False)
class ParquetParts:
    """The parts of a table, by task, in the order of the rows."""

    schema: pa.Schema
    tasks: tuple[tuple[Part, ...], ...]

    @classmethod
    def of(cls, scan: Scan, *, parallelism: int) -> ParquetParts:
        """Divide the row groups of files among tasks, as many as can run at once or a multiple of them."""
        import pyarrow.parquet as pq

        with scan.unchanged():
            paths = [path.absolute() for path in scan.paths]  # workers may be in another folder
            footers = [(path, pq.read_metadata(path)) for path in paths]
        groups = [group for path, footer in footers for group in _groups(path, footer)]
        rows = _rows(groups)
        rounds = -(-rows // (TASK_ROWS * parallelism))
        task_rows = max(1, -(-rows // max(1, rounds * parallelism)))
        numbers, before = [], 0
        for group in groups:  # goes to the task in which its middle row is
            numbers.append((before + group.rows // 2) // task_rows)
            before += group.rows
        tasks = [
            tuple(_joined([group for _, group in together]))
            for _, together in groupby(zip(numbers, groups, strict=True), key=lambda pair: pair[0])
        ]
        return cls(scan.schema, tuple(tasks))

    def map(self, spark: SparkSession, columns: Sequence[str], work: Work, schema: Any) -> DataFrame:
        """Let workers apply a function to the rows of each task."""
        count = max(1, len(self.tasks))
        return map_batches(spark.range(0, count, 1, count), _Worker(self, tuple(columns), work), schema)


def parts_of(scan: Scan, request: Request, *, parallelism: int) -> ParquetParts | None:
    """Return the parts of a table, or None if only Spark reads, groups and writes it as documented."""
    if scan.kind != "parquet" or request.unit is not None:
        return None
    read = {*request.names, *request.roles.pseudonymized}
    for field in scan.schema:
        allowed = SAME_TYPES if field.name in read else SAME_CELLS
        if field.name not in request.roles.identifying and field.type not in allowed:
            return None
    return ParquetParts.of(scan, parallelism=parallelism)


def _groups(path: Path, footer: Any) -> Iterator[Part]:
    """Iterate over the row groups of a file, each as a part of its own."""
    start = 0
    for group in range(footer.num_row_groups):
        rows = footer.row_group(group).num_rows
        yield Part(path, (group,), start, rows)
        start += rows


def _joined(groups: list[Part]) -> Iterator[Part]:
    """Join the consecutive row groups of each file."""
    for path, together in groupby(groups, key=lambda group: group.path):
        own = list(together)
        yield Part(path, tuple(number for part in own for number in part.groups), own[0].start, _rows(own))


def _rows(parts: Sequence[Part]) -> int:
    return sum(part.rows for part in parts)


@dataclass(frozen=True, eq=False)
class _Worker:
    """Does the work of tasks, which are given by their numbers."""

    parts: ParquetParts
    columns: tuple[str, ...]
    work: Work

    def __call__(self, batches: Batches) -> Batches:
        schema, columns = self.parts.schema, self.columns
        for batch in batches:
            for number in batch.column(0).to_pylist():
                task = self.parts.tasks[number]
                yield from self.work(number, [(part, read_part(part, schema, columns)) for part in task])


def read_part(part: Part, schema: pa.Schema, columns: Sequence[str]) -> Batches:
    """Read the rows of a part; texts that the file repeats are dictionaries."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(part.path) as file:
            widths = _widths(file.metadata, part.groups)
        texts = [name for name in columns if schema.field(name).type == pa.string() and widths[name] < DICTIONARY_BYTES]
        row_bytes = sum(widths[name] for name in columns if name not in texts)
        batch_rows = max(1, min(BATCH_ROWS, int(BATCH_BYTES // max(1.0, row_bytes))))
        rows = 0
        with pq.ParquetFile(part.path, read_dictionary=texts, buffer_size=1 << 20) as file:
            for batch in file.iter_batches(batch_rows, list(part.groups), columns=list(columns)):
                rows += batch.num_rows
                yield batch.select(list(columns))
        check_rows(part.path, part.rows, rows)
    except (pa.ArrowException, OSError) as error:
        raise not_readable(part.path, error, schema) from error


def _widths(footer: Any, groups: Sequence[int]) -> dict[str, float]:
    """Return the uncompressed bytes per row of each column in these row groups."""
    widths: dict[str, float] = {}
    rows = max(1, sum(footer.row_group(group).num_rows for group in groups))
    for at in range(footer.num_columns):
        size = sum(footer.row_group(group).column(at).total_uncompressed_size for group in groups)
        widths[footer.schema.column(at).path] = size / rows
    return widths
