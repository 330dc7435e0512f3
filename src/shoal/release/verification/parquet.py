"""Parquet files: they contain nothing beside their rows, neither metadata nor dictionary values that no row has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import VerificationError
from shoal.release.verification.cells import dictionaries


def check_parquet(paths: Sequence[Path]) -> None:
    """Refuse files of a release that disclose anything about the original beside their rows."""
    for path in paths:
        _check_metadata(path)
    unused: dict[str, set[Any]] = defaultdict(set)
    # Arrow writes dictionaries of bytes or text unchanged; others it builds from the values of the rows.
    for name, column in _written(paths):
        unused[name] |= set(column.dictionary.filter(pa.array(~_in_rows(column))).to_pylist())
    unused = {name: values for name, values in unused.items() if values}
    for name, column in _written(paths, unused) if unused else ():  # ordered categories may be used in another part
        unused[name] -= set(column.dictionary.filter(pa.array(_in_rows(column))).to_pylist())
    for name, values in unused.items():
        if values:
            raise VerificationError(f"Column {name!r} has {len(values)} value(s) in the file that no released row has.")


def _check_metadata(path: Path) -> None:
    """Refuse a file with metadata about itself or its fields other than their types."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        keys = set(file.metadata.metadata or {}) - {b"ARROW:schema"}
        column = next((field.name for field in file.schema_arrow if _has_metadata(field)), None)
        if keys or file.schema_arrow.metadata or column is not None:
            where = "The file" if column is None else f"Column {column!r}"
            raise VerificationError(f"{where} has metadata beside its type.")


def _has_metadata(field: pa.Field) -> bool:
    kind = field.type
    return bool(field.metadata) or any(_has_metadata(kind.field(at)) for at in range(kind.num_fields))


def _in_rows(column: pa.DictionaryArray) -> Any:
    """Flag the values of the dictionary that a row has, and null, which is not a value."""
    in_rows = pc.is_null(column.dictionary).to_numpy(zero_copy_only=False)
    in_rows[column.indices.drop_null().to_numpy(zero_copy_only=False)] = True
    return in_rows


def _written(paths: Sequence[Path], only: Collection[str] | None = None) -> Iterator[tuple[str, Any]]:
    """Yield the dictionaries in each row group of each file, with the names of their columns."""
    import pyarrow.parquet as pq

    for path in paths:
        with pq.ParquetFile(path) as file:
            metadata, names = file.metadata, file.schema_arrow.names
        leaves = [metadata.schema.column(at).path for at in range(metadata.num_columns)]
        with pq.ParquetFile(path, read_dictionary=leaves, buffer_size=1 << 20) as file:
            for group in range(metadata.num_row_groups):
                for name in names if only is None else [name for name in names if name in only]:
                    for chunk in _read(file, group, name):
                        yield from ((name, array) for array in dictionaries(chunk))


def _read(file: Any, group: int, name: str) -> Sequence[pa.Array]:
    """Read a column of a row group; asked for a or a.b, Arrow also reads the column a.b, or b in a struct a."""
    table = file.read_row_group(group, columns=[name])
    return table.column(table.schema.names.index(name)).chunks if name in table.schema.names else []
