"""Scan: a table in a file or a folder of files, read batch by batch, as often as needed."""

from __future__ import annotations

import filecmp
import hashlib
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from shoal.data.arrow_categories import holds_categories
from shoal.data.arrow_types import check_type
from shoal.errors import InputError, reason
from shoal.io import files
from shoal.io.compression import CODECS, inner_suffix
from shoal.io.csv import stream_csv
from shoal.io.csv_dialect import Dialect, csv_header, empty_file
from shoal.io.csv_layout import Names
from shoal.io.databases.address import Address
from shoal.io.header_suspicion import ROWS as LOOKED_AT, check_first_line
from shoal.io.parquet import check_rows, not_readable
from shoal.system.atomic_files import check_name

BATCH_ROWS = 1 << 18  # rows of a batch, unless they have more than
BATCH_BYTES = 1 << 25
DICTIONARY_BYTES = 4.0  # bytes per text in the file, below which a column is read as a dictionary
Item = TypeVar("Item")
ReadProgress = Callable[[int, float], None]  # called with the rows read so far and their share of all


@dataclass(frozen=True, eq=False)
class Scan:
    """The files of a table in the order of their names; `schema` has the columns as stored in the files."""

    path: Path
    paths: tuple[Path, ...]
    kind: str
    schema: pa.Schema
    dialect: Dialect
    state: files.State

    @classmethod
    def of(cls, path: Path, *, separator: str | None = None, encoding: str = "utf-8", names: Names = None) -> Scan:
        """Read the header of a file, or of all in a folder or like a pattern, which must be alike in kind and columns.

        names  of the columns of CSV files whose first line is a row, as in `shoal.read`
        """
        paths = _files_of(path)
        state = files.state_of(*paths)
        kinds = {"csv" if inner_suffix(file) in files.RAW else files.format_of(file) for file in paths}
        if len(kinds) > 1:
            raise InputError(f"{path}: the folder holds CSV and Parquet files. Keep those of one kind.")
        kind = kinds.pop()
        with files.unchanged(path, state, lambda: files.state_of(*_files_of(path))):
            files.check_csv_names(path, kind, names)
            headers = [_header(file, kind, separator, encoding, names) for file in paths]
        schema, dialect = headers[0]
        for file, (file_schema, form) in zip(paths, headers, strict=True):
            if not file_schema.equals(schema):
                raise InputError(f"{file}: its columns are not those of {paths[0].name}. Make all files alike.")
            if (form.separator, form.encoding) != (dialect.separator, dialect.encoding):
                raise InputError(f"{file}: its separator or encoding is not that of {paths[0].name}. Make them alike.")
            if form.layout != dialect.layout:
                raise InputError(
                    f"{file}: the ends of its rows, spaces or lines of comment are not those of {paths[0].name}. "
                    f"Make them alike."
                )
        files.check_columns(paths[0], schema.names, names=names)
        if not schema.names:
            raise InputError(f"{path}: the table has no columns.")
        for field in schema:
            check_type(field.name, field.type)
        return cls(path, paths, kind, schema, dialect, state)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.schema.names)

    def rows(self) -> int:
        """Return the number of rows in the footers of Parquet files."""
        import pyarrow.parquet as pq

        with self.unchanged():
            return sum(pq.read_metadata(path).num_rows for path in self.paths)

    def batches(self, columns: Sequence[str], tell: ReadProgress | None = None) -> Generator[pa.RecordBatch]:
        """Iterate over all rows in their order; the next batch is read ahead, and short texts are dictionaries."""
        return _read_ahead(self._batches(list(columns), tell or (lambda rows, share: None)))

    def _batches(self, columns: list[str], tell: ReadProgress) -> Iterator[pa.RecordBatch]:
        rows, bytes_before, total_bytes = 0, 0, max(1, sum(size for _, _, size, _ in self.state))
        with self.unchanged():
            for path, (_, _, size, _) in zip(self.paths, self.state, strict=True):
                for batch, share in _read(path, self.kind, self.dialect, self.schema, columns):
                    rows += batch.num_rows
                    tell(rows, (bytes_before + size * share) / total_bytes)
                    for at in range(0, batch.num_rows, BATCH_ROWS):
                        yield batch.slice(at, BATCH_ROWS)
                bytes_before += size

    def unchanged(self) -> AbstractContextManager[None]:
        """Refuse whatever is read in this context if the files have changed since the scan was made."""
        return files.unchanged(self.path, self.state, lambda: files.state_of(*_files_of(self.path)))

    def checksum(self, digests: Sequence[str] = ()) -> str:
        """Return the SHA-256 of the file, or of the checksums of all files in a folder, which must be unchanged.

        digests  the checksums of the files, if they have been computed already
        """
        with self.unchanged():
            digests = digests or [files.checksum(path) for path in self.paths]
            return digests[0] if self.path.is_file() else hashlib.sha256("".join(digests).encode()).hexdigest()


def written_scan(path: Path, dialect: Dialect) -> Scan:
    """Read what was written in a dialect; the first line of a CSV file has the names, whatever they look like."""
    return Scan.of(path, separator=dialect.separator, encoding=dialect.encoding, names=True)


def path_of(path: str | PathLike[str]) -> Path:
    """Return the path of a file or folder; refuse the address of a database, without showing its secrets."""
    if Address.of(path) is not None:
        raise InputError("Tables in databases are not read or written part by part: use shoal.anonymize() and save().")
    return Path(path)


def _files_of(path: Path) -> tuple[Path, ...]:
    """Return the file, or the files of a folder by name, without hidden ones and markers such as _SUCCESS."""
    check_name(path)
    try:
        if files.is_pattern(path):
            return _files_like(path)
        if not path.is_dir():
            if path.stat().st_size == 0:
                raise empty_file(path)
            return (path,)
        paths = sorted(file for file in path.iterdir() if file.name[0] not in "._")
    except OSError as error:
        raise files.unreadable(path, error) from error
    folder = next((file for file in paths if file.is_dir()), None)
    if folder is not None:
        raise InputError(f"{folder}: a folder within the folder of the table is not read. Put all files into one.")
    if not paths:
        raise InputError(f"{path}: the folder has no files.")
    for file in paths:
        check_name(file)
    return tuple(paths)


def _files_like(pattern: Path) -> tuple[Path, ...]:
    """Return the files that a pattern stands for, by name."""
    if "**" in pattern.parts:
        raise InputError(f"{pattern}: ** for folders within folders is not read. Write one * for each level.")
    paths = files.like(pattern)
    if not paths:
        raise InputError(f"{pattern}: no file has a name like this. Is the folder right? It is {Path.cwd()} here.")
    folder = next((path for path in paths if path.is_dir()), None)
    if folder is not None:
        raise InputError(f"{folder}: this is a folder, and {pattern} should stand for files alone. Change the pattern.")
    for path in paths:
        check_name(path)
        if path.stat().st_size == 0:
            raise empty_file(path)
    _check_no_copies(paths)
    return tuple(paths)


def _check_no_copies(paths: Sequence[Path]) -> None:
    """Refuse a file beside a copy of it, whose rows would look like other people's."""
    names: dict[Path, Path] = {}
    sizes: dict[int, list[Path]] = {}
    for path in paths:
        packed = names.setdefault(path.with_suffix("") if path.suffix in CODECS else path, path)
        alike = sizes.setdefault(path.stat().st_size, [])
        copied = [packed] if packed != path else [other for other in alike if filecmp.cmp(other, path, shallow=False)]
        if copied:
            raise InputError(
                f"{path} looks like a copy of {copied[0]}: each of its rows would count twice. Remove one of the two, "
                f"or change the pattern."
            )
        alike.append(path)


def _header(path: Path, kind: str, separator: str | None, encoding: str, names: Names) -> tuple[pa.Schema, Dialect]:
    """Return the columns of a file, and the dialect of a CSV file."""
    import pyarrow.parquet as pq

    try:
        if kind == "csv":
            dialect, columns = csv_header(path, separator, encoding, names)
            if names is not True and len(set(columns)) == len(columns):
                check_first_line(path, _first_rows(path, dialect, columns), names)
            return pa.schema([(name, pa.string()) for name in columns]), dialect
        return pq.read_schema(path.absolute()).remove_metadata(), Dialect()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except pa.ArrowException as error:
        raise InputError(f"{path}: not a readable Parquet file ({reason(error)}).") from error


def _first_rows(path: Path, dialect: Dialect, columns: list[str]) -> pa.Table:
    """Read as many rows of a CSV file as show whether its first line names the columns."""
    parts: list[pa.RecordBatch] = []
    for batch, _ in stream_csv(path, dialect, columns):
        parts.append(batch)
        if sum(part.num_rows for part in parts) >= LOOKED_AT:
            break
    schema = pa.schema([(name, pa.string()) for name in columns])
    return pa.Table.from_batches(parts).cast(schema) if parts else schema.empty_table()


def _read(
    path: Path, kind: str, dialect: Dialect, schema: pa.Schema, columns: list[str]
) -> Iterator[tuple[pa.RecordBatch, float]]:
    """Iterate over the batches of a file, each with the share of the file that has been read."""
    import pyarrow.parquet as pq

    if kind == "csv":
        size = max(1, path.stat().st_size)
        for batch, read in stream_csv(path, dialect, list(schema.names)):
            yield batch.select(columns), min(1.0, read / size)
        return
    try:
        widths, read_widths = _widths(path, schema, columns)
        texts = [
            field.name
            for field in schema
            if field.type in (pa.string(), pa.large_string()) and widths[field.name] < DICTIONARY_BYTES
        ]
        row_bytes = sum(width for name, width in read_widths.items() if name not in texts)
        batch_rows = max(1, min(BATCH_ROWS, int(BATCH_BYTES // max(1.0, row_bytes))))
        with pq.ParquetFile(path.absolute(), read_dictionary=texts, buffer_size=1 << 20) as file:
            total_rows, rows = file.metadata.num_rows, 0
            # Each row group has its own dictionaries, which Arrow does not merge within lists.
            nested = any(pa.types.is_nested(field.type) and holds_categories(field.type) for field in schema)
            groups = range(file.metadata.num_row_groups)
            for together in [[group] for group in groups] if nested else [list(groups)]:
                for batch in file.iter_batches(batch_rows, together, columns=columns):
                    rows += batch.num_rows
                    yield batch.select(columns), rows / max(1, total_rows)
            check_rows(path, total_rows, rows)
    except (pa.ArrowException, OSError) as error:
        raise not_readable(path, error, schema) from error


def _widths(path: Path, schema: pa.Schema, columns: Sequence[str]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the uncompressed bytes per row of each column in the file, in total and of the parts that are read.

    With a, Arrow reads a.b, and b in a struct a.
    """
    import pyarrow.parquet as pq

    data, read_columns = pq.read_metadata(path.absolute()), set(columns)
    names = [field.name for field in schema for _ in range(_leaf_columns(field.type))]
    widths, read_widths = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    for at, name in zip(range(data.num_columns), names, strict=False):
        groups = map(data.row_group, range(data.num_row_groups))
        size = sum(group.column(at).total_uncompressed_size for group in groups) / max(1, data.num_rows)
        widths[name] += size
        with_parents = accumulate(data.schema.column(at).path.split("."), "{}.{}".format)
        if not read_columns.isdisjoint(with_parents):
            read_widths[name] += size
    return widths, read_widths


def _leaf_columns(kind: pa.DataType) -> int:
    """Return in how many columns Parquet stores a column of this type."""
    if isinstance(kind, pa.BaseExtensionType):
        return _leaf_columns(kind.storage_type)
    if not pa.types.is_nested(kind):
        return 1
    return sum(_leaf_columns(kind.field(at).type) for at in range(kind.num_fields))


def _read_ahead(items: Iterator[Item]) -> Generator[Item]:
    """Yield the items; another thread produces the next one meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = pool.submit(next, items, None)
            yield item
