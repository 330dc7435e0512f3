"""What Parquet files hold beside their rows: no dictionary names a value that no row has, and nothing else is said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import VerificationError
from shoal.release.verification.cells import dictionaries

Found = Iterator[tuple[str, pa.DictionaryArray]]


def check_parquet(paths: Sequence[Path]) -> None:
    """Refuse files of one release that tell of rows, or of the table as it was, beside their rows."""
    for path in paths:
        _check_notes(path)
    unused: dict[str, set[Any]] = defaultdict(set)
    # Arrow writes a dictionary as it is where its values are bytes or text; others it makes of the rows' values.
    for name, column in _written(paths):
        unused[name] |= set(column.dictionary.filter(pa.array(~_in_rows(column))).to_pylist())
    unused = {name: values for name, values in unused.items() if values}
    for name, column in _written(paths, unused) if unused else ():  # ordered ones may be used in another part
        unused[name] -= set(column.dictionary.filter(pa.array(_in_rows(column))).to_pylist())
    for name, values in unused.items():
        if values:
            raise VerificationError(
                f"Column {name!r} names {len(values)} value(s) in the file that no released row has."
            )


def _check_notes(path: Path) -> None:
    """Refuse a file that says anything of itself or its fields but their types."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        said = set(file.metadata.metadata or {}) - {b"ARROW:schema"}
        noted = next((field.name for field in file.schema_arrow if _has_notes(field)), None)
        if said or file.schema_arrow.metadata or noted is not None:
            where = "the file" if noted is None else f"column {noted!r}"
            raise VerificationError(f"Something is said of {where} beside its type.")


def _has_notes(field: pa.Field) -> bool:
    kind = field.type
    return bool(field.metadata) or any(_has_notes(kind.field(at)) for at in range(kind.num_fields))


def _in_rows(column: pa.DictionaryArray) -> Any:
    """For each value of the dictionary whether a row has it; null is no value."""
    found = pc.is_null(column.dictionary).to_numpy(zero_copy_only=False)
    found[column.indices.drop_null().to_numpy(zero_copy_only=False)] = True
    return found


def _written(paths: Sequence[Path], only: Collection[str] | None = None) -> Found:
    """The dictionaries of each part of each file, with the columns that they are in."""
    import pyarrow.parquet as pq

    for path in paths:
        with pq.ParquetFile(path) as file:
            metadata, names = file.metadata, file.schema_arrow.names
        leaves = [metadata.schema.column(at).path for at in range(metadata.num_columns)]
        with pq.ParquetFile(path, read_dictionary=leaves, buffer_size=1 << 20) as file:
            for group in range(metadata.num_row_groups):
                for name in names if only is None else [name for name in names if name in only]:
                    for chunk in _read(file, group, name):
                        yield from ((name, one) for one in dictionaries(chunk))


def _read(file: Any, group: int, name: str) -> Sequence[pa.Array]:
    """A column in a part of a file; Arrow reads a.b, and b in a struct a, where a or a.b is asked for."""
    found = file.read_row_group(group, columns=[name])
    return found.column(found.schema.names.index(name)).chunks if name in found.schema.names else []
