"""Scan: a table in one file or a folder of files, read batch by batch as often as it is needed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple, TypeVar

import pyarrow as pa

from shoal.data.arrow_categories import holds_categories
from shoal.data.arrow_types import check_type
from shoal.errors import InputError, reason
from shoal.io import files
from shoal.io.csv import stream_csv
from shoal.io.csv_dialect import Dialect, csv_header, empty_file
from shoal.io.databases.address import Address
from shoal.io.parquet import check_rows, not_readable
from shoal.system.atomic_files import check_name

BATCH = 1 << 18  # rows that are worked on together, fewer where they have more than
BYTES = 1 << 25  # bytes
FEW = 4.0  # bytes of a text, up to which its column is worth a dictionary
Item = TypeVar("Item")
Reading = Callable[[int, float], None]  # told the rows that were read and their share of all


@dataclass(frozen=True, eq=False)
class Scan:
    """The files of a table in the order of their names; `schema` has the columns as a reader of the files sees them."""

    path: Path
    paths: tuple[Path, ...]
    kind: str
    schema: pa.Schema
    dialect: Dialect
    state: files.State

    @classmethod
    def of(cls, path: Path, *, separator: str | None = None, encoding: str = "utf-8") -> Scan:
        """Look at a file or a folder of files of one kind, all with the same columns."""
        paths = _files_of(path)
        state = files.state_of(*paths)
        kinds = {files.format_of(one) for one in paths}
        if len(kinds) > 1:
            raise InputError(f"{path}: the folder holds CSV and Parquet files. Keep those of one kind.")
        kind = kinds.pop()
        with files.unchanged(path, state, lambda: files.state_of(*_files_of(path))):
            heads = [_head(one, kind, separator, encoding) for one in paths]
        schema, dialect = heads[0]
        for one, (other, form) in zip(paths, heads, strict=True):
            if not other.equals(schema):
                raise InputError(f"{one}: its columns are not those of {paths[0].name}. Make all files alike.")
            if (form.separator, form.encoding) != (dialect.separator, dialect.encoding):
                raise InputError(f"{one}: its separator or encoding is not that of {paths[0].name}. Make them alike.")
        twice, times = Counter(schema.names).most_common(1)[0] if schema.names else ("", 0)
        if times > 1:
            raise InputError(f"{path}: the column name {twice!r} appears twice. Rename one of the two.")
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
        """The rows that the footers of Parquet files tell of."""
        import pyarrow.parquet as pq

        with self.unchanged():
            return sum(pq.read_metadata(one).num_rows for one in self.paths)

    def batches(self, columns: Sequence[str], tell: Reading | None = None) -> Generator[pa.RecordBatch]:
        """These columns of all rows in their order, text by places in a dictionary, the next batch read ahead."""
        return _ahead(self._batches(list(columns), tell or (lambda rows, share: None)))

    def _batches(self, columns: list[str], tell: Reading) -> Iterator[pa.RecordBatch]:
        rows, before, size = 0, 0, max(1, sum(own for _, _, own, _ in self.state))
        with self.unchanged():
            for path, (_, _, own, _) in zip(self.paths, self.state, strict=True):
                for batch, done in _read(path, self.kind, self.dialect, self.schema, columns):
                    rows += batch.num_rows
                    tell(rows, (before + own * done) / size)
                    for at in range(0, batch.num_rows, BATCH):
                        yield batch.slice(at, BATCH)
                before += own

    def unchanged(self) -> AbstractContextManager[None]:
        """Refuse what is read of files that are not as they were at first."""
        return files.unchanged(self.path, self.state, lambda: files.state_of(*_files_of(self.path)))

    def checksum(self, found: Sequence[str] = ()) -> str:
        """The SHA-256 of the file, or of those of all files in a folder, which must be as they were at first.

        Those of the files need not be computed again where they were found.
        """
        with self.unchanged():
            digests = list(found) or [files.checksum(one) for one in self.paths]
            return digests[0] if self.path.is_file() else hashlib.sha256("".join(digests).encode()).hexdigest()


def place_of(given: str | PathLike[str]) -> Path:
    """The path of a file or a folder; an address of a database is refused, and none of its secrets shown."""
    if Address.of(given) is not None:
        raise InputError("Tables in databases are not read or written part by part: use shoal.anonymize() and save().")
    return Path(given)


def _files_of(path: Path) -> tuple[Path, ...]:
    """The file, or the files of a folder by name, without hidden ones and marks such as _SUCCESS."""
    check_name(path)
    try:
        if not path.is_dir():
            if path.stat().st_size == 0:
                raise empty_file(path)
            return (path,)
        found = sorted(one for one in path.iterdir() if one.name[0] not in "._")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    folder = next((one for one in found if one.is_dir()), None)
    if folder is not None:
        raise InputError(f"{folder}: a folder within the folder of the table is not read. Put all files into one.")
    if not found:
        raise InputError(f"{path}: the folder has no files.")
    for one in found:
        check_name(one)
    return tuple(found)


def _head(path: Path, kind: str, separator: str | None, encoding: str) -> tuple[pa.Schema, Dialect]:
    """The columns of a file."""
    import pyarrow.parquet as pq

    try:
        if kind == "csv":
            dialect, names = csv_header(path, separator, encoding)
            return pa.schema([(name, pa.string()) for name in names]), dialect
        return pq.read_schema(path.absolute()).remove_metadata(), Dialect()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except pa.ArrowException as error:
        raise InputError(f"{path}: not a readable Parquet file ({reason(error)}).") from error


def _read(
    path: Path, kind: str, dialect: Dialect, schema: pa.Schema, columns: list[str]
) -> Iterator[tuple[pa.RecordBatch, float]]:
    """The batches of one file, each with the share of the file that has been read."""
    import pyarrow.parquet as pq

    if kind == "csv":
        size = max(1, path.stat().st_size)
        for batch, read in stream_csv(path, dialect, list(schema.names)):
            yield batch.select(columns), min(1.0, read / size)
        return
    try:
        widths = _widths(path, schema, columns)
        texts = [field.name for field in schema if _is_text(field.type) and widths[field.name].own < FEW]
        wide = sum(width.read for name, width in widths.items() if name not in texts)
        step = max(1, min(BATCH, int(BYTES // max(1.0, wide))))
        with pq.ParquetFile(path.absolute(), read_dictionary=texts, buffer_size=1 << 20) as file:
            rows, seen = file.metadata.num_rows, 0
            for groups in _together(schema, file.metadata.num_row_groups):
                for batch in file.iter_batches(step, groups, columns=columns):
                    seen += batch.num_rows
                    yield batch.select(columns), seen / max(1, rows)
            check_rows(path, rows, seen)
    except (pa.ArrowException, OSError) as error:
        raise not_readable(path, error, schema) from error


def _together(schema: pa.Schema, groups: int) -> list[list[int]]:
    """The row groups that are read together; each has dictionaries of its own, which Arrow does not join in lists."""
    inner = any(pa.types.is_nested(field.type) and holds_categories(field.type) for field in schema)
    return [[group] for group in range(groups)] if inner else [list(range(groups))]


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


class Width(NamedTuple):
    """The bytes that a row of a column has in the file before it is compressed, and those of them that are read."""

    own: float = 0.0
    read: float = 0.0


def _widths(path: Path, schema: pa.Schema, asked: Sequence[str]) -> dict[str, Width]:
    """The widths of all columns, some of which are asked for; Arrow reads a.b, and b in a struct a, with a."""
    import pyarrow.parquet as pq

    data, wanted = pq.read_metadata(path.absolute()), set(asked)
    names = [field.name for field in schema for _ in range(_stored(field.type))]
    found = dict.fromkeys(names, Width())
    for at, name in zip(range(data.num_columns), names, strict=False):
        groups = map(data.row_group, range(data.num_row_groups))
        size = sum(group.column(at).total_uncompressed_size for group in groups) / max(1, data.num_rows)
        is_read = not wanted.isdisjoint(_with_parents(data.schema.column(at).path))
        own, read = found[name]
        found[name] = Width(own + size, read + size * is_read)
    return found


def _with_parents(path: str) -> list[str]:
    """A path with dots, and all that it lies in.

    >>> _with_parents("a.b.c")
    ['a', 'a.b', 'a.b.c']
    """
    parts = path.split(".")
    return [".".join(parts[: at + 1]) for at in range(len(parts))]


def _stored(kind: pa.DataType) -> int:
    """The columns in which Parquet stores a column of a type."""
    if isinstance(kind, pa.BaseExtensionType):
        return _stored(kind.storage_type)
    if not pa.types.is_nested(kind):
        return 1
    return sum(_stored(kind.field(at).type) for at in range(kind.num_fields))


def _ahead(items: Iterator[Item]) -> Generator[Item]:
    """The same items, the next one made in another thread while one is worked on."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = pool.submit(next, items, None)
            yield item
