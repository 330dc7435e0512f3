"""Sink: a release written batch by batch, into one file or into the parts of a folder."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from shoal.data.arrow_categories import holds_categories, holds_nothing, own_cells, used_values
from shoal.io.csv_dialect import Dialect
from shoal.io.csv_output import csv_head, csv_rows, encoder
from shoal.io.files import no_parquet

GROUP = 1 << 20  # rows of a row group of Parquet
MOST = {"parquet": 1 << 26, "csv": 1 << 24}  # bytes that are written at once, about, where rows are long
PART = 10 << 20  # rows of a file in a folder


class Sink:
    """Batches are written in another thread, in their order; `files` are those that were written."""

    def __init__(self, place: Path, schema: pa.Schema, *, kind: str, dialect: Dialect, parts: bool) -> None:
        self.files: list[Path] = []
        self.kind = kind
        self._place, self._schema, self._dialect, self._parts = place, schema, dialect, parts
        self._file: Any = None
        self._rows = 0
        self._kept: list[pa.RecordBatch] = []
        self._bytes = 0
        self._pool = ThreadPoolExecutor(1)
        self._work: Future[None] | None = None
        if parts:
            place.mkdir()

    def __enter__(self) -> Sink:
        return self

    def write(self, batch: pa.RecordBatch) -> None:
        """Take a batch; an error of an earlier one is raised here."""
        self._wait()
        self._work = self._pool.submit(self._write, batch)

    def _wait(self) -> None:
        if self._work is not None:
            self._work.result()
            self._work = None

    def _write(self, batch: pa.RecordBatch) -> None:
        self._kept.append(batch)
        self._bytes += batch.nbytes
        if sum(map(len, self._kept)) >= GROUP or self._bytes >= MOST[self.kind]:
            self._flush()

    def _flush(self) -> None:
        """Write what was kept as one row group, into the next file when one is full."""
        if self._file is not None and self._parts and self._rows >= PART:
            self._close_file()
        if self._file is None:
            self._open_file()
        if self._kept:
            table = pa.Table.from_batches(self._kept).unify_dictionaries()
            table = table if self.kind == "csv" else _own_values(table)
            self._kept, self._bytes = [], 0
            self._rows += table.num_rows
            self._file.write(table)

    def _open_file(self) -> None:
        ending = "csv" if self.kind == "csv" else "parquet"
        path = self._place / f"part-{len(self.files):05}.{ending}" if self._parts else self._place
        self.files.append(path)
        self._rows = 0
        if self.kind == "csv":
            self._file = _CsvFile(path, self._schema, self._dialect)
        else:
            self._file = _ParquetFile(path, self._schema)

    def _close_file(self) -> None:
        self._file.close()
        self._file = None

    def __exit__(self, kind: object, *others: object) -> None:
        try:
            if kind is None:
                self._wait()
                self._pool.submit(self._flush).result()
                self._close_file()
        finally:
            self._pool.shutdown(cancel_futures=True)
            if self._file is not None:
                self._file.abandon()


def _own_values(table: pa.Table) -> pa.Table:
    """A table without values in its dictionaries that no row of it has, as a batch may name those of other batches.

    Ordered categories are the same in all parts of a file, and have been cleaned before.
    """
    for at, field in enumerate(table.schema):
        if holds_categories(field.type) and not (pa.types.is_dictionary(field.type) and field.type.ordered):
            table = table.set_column(at, field, used_values(table.column(at)))
        elif pa.types.is_nested(field.type) and holds_nothing(field.type):
            # Arrow writes no part of a list of nulls.
            table = table.set_column(at, field, own_cells(table.column(at)))
    return table


class _ParquetFile:
    """Text goes by places in a dictionary into the file; its readers see the schema."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._out = path.open("wb")
        self._schema = schema
        self._writer: Any = None

    def write(self, table: pa.Table) -> None:
        """Write rows."""
        import pyarrow.parquet as pq

        try:
            if self._writer is None:
                self._writer = pq.ParquetWriter(self._out, table.schema, compression="zstd", store_schema=False)
            self._writer.write_table(table.cast(self._writer.schema), GROUP)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
            raise no_parquet(table, error) from error

    def close(self) -> None:
        """End the file."""
        if self._writer is None:
            self.write(self._schema.empty_table())
        told = base64.b64encode(self._schema.serialize().to_pybytes())
        self._writer.add_key_value_metadata({b"ARROW:schema": told})
        self._writer.close()
        _finish(self._out)

    def abandon(self) -> None:
        """Leave the file as it is."""
        if self._writer is not None:
            self._writer.is_open = False  # else it would try to end the file when it is forgotten
        self._out.close()


class _CsvFile:
    """Lines in the dialect of the input."""

    def __init__(self, path: Path, schema: pa.Schema, dialect: Dialect) -> None:
        self._out = path.open("wb")
        self._dialect = dialect
        self._encode = encoder(dialect.encoding)
        self._put([csv_head(list(schema.names), dialect)])

    def write(self, table: pa.Table) -> None:
        """Write rows."""
        self._put(csv_rows(table, self._dialect))

    def _put(self, blocks: Iterable[memoryview]) -> None:
        for block in blocks:
            self._out.write(self._encode(block))

    def close(self) -> None:
        """End the file."""
        _finish(self._out)

    def abandon(self) -> None:
        """Leave the file as it is."""
        self._out.close()


def _finish(out: BinaryIO) -> None:
    """Make sure that a file is on the disk."""
    out.flush()
    os.fsync(out.fileno())
    out.close()
