"""Traces of rows that are not in a release: none of their own values stands in its bytes, at any depth of a column."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq

DIARY = "diary"  # a column of lists or structs of categories, each of which one row has


def gone(original, released):
    """The values that only rows have that were left out."""
    left = {row.get(DIARY) for row in released}
    return [row[DIARY] for row in original if DIARY in row and row[DIARY] not in left]


def check_table(table, values):
    """Refuse a table that names one of the values, as it is written for another process."""
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    content = out.getvalue().to_pybytes()
    for value in values:
        if value[value.index("visit") :][:10].encode() in content:
            raise AssertionError(f"the release names {value}, which no row of it has")


def check_file(path, values):
    """Refuse a Parquet file that names one of the values in its dictionaries or elsewhere."""
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        metadata = pq.read_metadata(file)
        leaves = [metadata.schema.column(at).path for at in range(metadata.num_columns)]
        with pq.ParquetFile(file, read_dictionary=leaves) as opened:
            for group in range(metadata.num_row_groups):
                check_table(opened.read_row_group(group), values)
