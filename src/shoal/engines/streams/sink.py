"""Sink: writes a release batch by batch, into one file or into the parts of a folder."""

from __future__ import annotations

import base64
import os
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.data.arrow_categories import holds_categories, holds_nothing, own_cells, used_values
from shoal.io.compression import created
from shoal.io.csv_dialect import Dialect
from shoal.io.csv_output import csv_head, csv_rows, encoder
from shoal.io.files import no_parquet

GROUP_ROWS = 1 << 20  # of a Parquet row group
MAX_BYTES = {"parquet": 1 << 26, "csv": 1 << 24}  # approximate size of one write if rows are long
PART_ROWS = 10 << 20  # of a file in a folder


class Sink:
    """Writes batches in another thread, in their order; `files` lists the files written so far."""

    def __init__(self, place: Path, schema: pa.Schema, *, kind: str, dialect: Dialect, parts: bool) -> None:
        self.files: list[Path] = []
        self.kind = kind
        self._place, self._schema, self._dialect, self._parts = place, schema, dialect, parts
        self._file: Any = None
        self._rows = 0
        self._pending: list[pa.RecordBatch] = []
        self._pending_bytes = 0
        self._pool = ThreadPoolExecutor(1)
        self._work: Future[None] | None = None
        if parts:
            place.mkdir()

    def __enter__(self) -> Sink:
        return self

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a batch; this raises any error of the previous one."""
        self._wait()
        self._work = self._pool.submit(self._write, batch)

    def _wait(self) -> None:
        if self._work is not None:
            self._work.result()
            self._work = None

    def _write(self, batch: pa.RecordBatch) -> None:
        self._pending.append(batch)
        self._pending_bytes += batch.nbytes
        if sum(map(len, self._pending)) >= GROUP_ROWS or self._pending_bytes >= MAX_BYTES[self.kind]:
            self._flush()

    def _flush(self) -> None:
        """Write the pending batches as one row group; start a new file if the current one is full."""
        if self._file is not None and self._parts and self._rows >= PART_ROWS:
            self._close_file()
        if self._file is None:
            self._open_file()
        if self._pending:
            table = pa.Table.from_batches(self._pending).unify_dictionaries()
            table = table if self.kind == "csv" else _own_values(table)
            self._pending, self._pending_bytes = [], 0
            self._rows += table.num_rows
            self._file.write(table)

    def _open_file(self) -> None:
        path = self._place / f"part-{len(self.files):05}.{self.kind}" if self._parts else self._place
        self.files.append(path)
        self._rows, csv = 0, self.kind == "csv"
        self._file = _CsvFile(path, self._schema, self._dialect) if csv else _ParquetFile(path, self._schema)

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
    """Remove dictionary values that no row of the table has, since a batch may list those of other batches.

    Ordered categories are the same in all parts of a file, and were reduced before.
    """
    for at, field in enumerate(table.schema):
        if holds_categories(field.type) and not (pa.types.is_dictionary(field.type) and field.type.ordered):
            table = table.set_column(at, field, used_values(table.column(at)))
        elif pa.types.is_nested(field.type) and holds_nothing(field.type):
            # Arrow cannot write a slice of a list of nulls.
            table = table.set_column(at, field, own_cells(table.column(at)))
    return table


class _File:
    """A file that is complete once it is closed."""

    def __init__(self, path: Path) -> None:
        self._path, self._out = path, created(path)

    def close(self) -> None:
        """Close the file after its content has reached the disk."""
        self._out.close()
        with self._path.open("rb+") as file:
            os.fsync(file.fileno())

    def abandon(self) -> None:
        """Close the file without completing it."""
        self._out.close()


class _ParquetFile(_File):
    """A Parquet file; text is stored in dictionaries, while readers see the schema of the release."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        super().__init__(path)
        self._schema = schema
        self._writer: Any = None

    def write(self, table: pa.Table) -> None:
        """Write rows."""
        import pyarrow.parquet as pq

        try:
            if self._writer is None:
                self._writer = pq.ParquetWriter(self._out, table.schema, compression="zstd", store_schema=False)
            self._writer.write_table(table.cast(self._writer.schema), GROUP_ROWS)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
            raise no_parquet(table, error) from error

    def close(self) -> None:
        """Complete the file."""
        if self._writer is None:
            self.write(self._schema.empty_table())
        schema = base64.b64encode(self._schema.serialize().to_pybytes())
        self._writer.add_key_value_metadata({b"ARROW:schema": schema})
        self._writer.close()
        super().close()

    def abandon(self) -> None:
        """Close the file without completing it."""
        if self._writer is not None:
            self._writer.is_open = False  # otherwise it would try to complete the file when it is collected
        super().abandon()


class _CsvFile(_File):
    """A CSV file in the dialect of the input."""

    def __init__(self, path: Path, schema: pa.Schema, dialect: Dialect) -> None:
        super().__init__(path)
        self._dialect = dialect
        self._encode = encoder(dialect.encoding)
        self._out.write(self._encode(csv_head(list(schema.names), dialect)))

    def write(self, table: pa.Table) -> None:
        """Write rows."""
        self._out.writelines(map(self._encode, csv_rows(table, self._dialect)))
