"""Parquet files: a small file may hold more than fits into memory, so the content is measured before it is read."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_categories import holds_categories
from shoal.data.arrow_types import check_type
from shoal.errors import InputError, reason
from shoal.system.memory import check_room, fits

INSTEAD = "Read it part by part: --memory 4GB on the command line, shoal.anonymize_files() in Python."
WIDTHS = {"BOOLEAN": 0.125, "INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8, "INT96": 8}  # bytes of a value in memory
OFFSET = 4  # bytes of the offset of each text


def read_parquet(path: Path) -> pa.Table:
    """Read a whole file; raise InputError if it does not fit into memory."""
    import pyarrow.parquet as pq

    schema = pa.schema([])
    place = path.absolute()  # a relative path could be read as an address, such as file:x
    try:
        with pq.ParquetFile(place) as file:
            schema = file.schema_arrow
            for field in schema:
                check_type(field.name, field.type)
            rows, least, names = file.metadata.num_rows, _least(file.metadata), _text_columns(schema)
            check_room(path, least, INSTEAD)
        if names:
            with pq.ParquetFile(place, read_dictionary=names, buffer_size=1 << 16) as file:
                if not fits(least + _longest(file, names)):
                    check_room(path, least + _lengths(file, names), INSTEAD)
        table = pq.read_table(place, partitioning=None)  # otherwise a folder such as year=2024 would become a column
    except (pa.ArrowException, UnicodeError, OverflowError) as error:
        raise not_readable(path, error, schema) from error
    check_rows(path, rows, table.num_rows)
    return table


def not_readable(path: Path, error: Exception, schema: pa.Schema) -> InputError:
    """Describe a file that Arrow cannot read; it reads nested categories only from one dictionary at a time."""
    inner = [field for field in schema if pa.types.is_nested(field.type) and holds_categories(field.type)]
    if inner and "Nested data conversions" in str(error):
        return InputError(
            f"{path}: column {inner[0].name!r} of type {inner[0].type} has more categories than Arrow can read within "
            f"lists, structs and maps: write it with plain text in place of the categories."
        )
    return InputError(f"{path}: not a readable Parquet file ({reason(error)}).")


def check_rows(path: Path, announced: int, rows: int) -> None:
    """Raise InputError if a file does not hold as many rows as it announces."""
    if announced != rows:
        raise InputError(
            f"{path}: the file announces {announced:,} rows and holds {rows:,}: it is damaged. Write it again."
        )


def _least(metadata: Any) -> int:
    """Return the least number of bytes that the values of all columns take in memory."""
    total = 0.0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for chunk in map(group.column, range(metadata.num_columns)):
            values = max(chunk.num_values, group.num_rows)
            total += max(chunk.total_uncompressed_size, values * WIDTHS.get(chunk.physical_type, OFFSET))
    return int(total)


def _text_columns(schema: pa.Schema) -> list[str]:
    """Return the columns whose values are stored once in the file, but in memory once for every row."""
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    return [field.name for field in schema if any(kind(field.type) for kind in kinds)]


def _longest(file: Any, names: list[str]) -> int:
    """Return the bytes of the texts if every row had the longest text of its row group."""
    total = 0
    for group in range(file.metadata.num_row_groups):
        for batch in islice(file.iter_batches(1, row_groups=[group], columns=names), 1):
            texts = _by_places(batch, names)
            longest = sum(pc.max(pc.binary_length(column.dictionary)).as_py() or 0 for column in texts)
            total += file.metadata.row_group(group).num_rows * longest
    return total


def _lengths(file: Any, names: list[str]) -> int:
    """Return the bytes of the texts, summed row by row."""
    total = 0
    for batch in file.iter_batches(columns=names):
        for column in _by_places(batch, names):
            lengths = pc.binary_length(column.dictionary).cast(pa.int64())
            total += pc.sum(lengths.take(column.indices)).as_py() or 0
    return total


def _by_places(batch: pa.RecordBatch, names: list[str]) -> list[pa.DictionaryArray]:
    """Return columns of a batch as dictionaries; for `a`, Arrow also reads `a.b`, and `b` in a struct `a`."""
    columns = batch.select(names).columns
    return [column if pa.types.is_dictionary(column.type) else column.dictionary_encode() for column in columns]
