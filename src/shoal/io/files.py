"""Reading of files, and writing of CSV and Parquet."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from shoal.errors import InputError
from shoal.io.csv import read_csv
from shoal.io.csv_dialect import Dialect, empty_file
from shoal.io.csv_output import csv_bytes, encoder
from shoal.io.databases.address import Address
from shoal.io.parquet import read_parquet
from shoal.io.spreadsheets import WORKBOOKS, read_workbook, sheet_of
from shoal.io.statistics import READERS, read_statistics
from shoal.system.atomic_files import check_name

CSV = (".csv", ".tsv", ".txt")
PARQUET = (".parquet", ".pq")
State = tuple[tuple[int, int, int, int], ...]
READ_ONLY = (*WORKBOOKS, *READERS)


def format_of(path: Path, *, read: bool = False) -> str:
    """`csv` or `parquet`, by the ending of the file's name; `other` for those that can only be `read`."""
    ending = path.suffix.lower()
    if ending in CSV:
        return "csv"
    if ending in PARQUET:
        return "parquet"
    if read and ending in READ_ONLY:
        return "other"
    if sheet_of(path)[0].suffix.lower() in READ_ONLY:
        raise InputError(
            f"{path}: such files are read and not written. Name a .csv or .parquet file, or a table in a database."
        )
    known = (*CSV, *PARQUET, *(READ_ONLY if read else ()))
    raise InputError(f"{path}: the ending {ending!r} is not known: use {', '.join(known)}.")


def read(
    path: Path, *, kind: str | None = None, separator: str | None = None, encoding: str = "utf-8"
) -> tuple[pa.Table, Dialect]:
    """Read a table; the columns of a CSV stay text, so that what is not changed is written as it was."""
    path, sheet = sheet_of(path) if kind is None else (path, None)
    kind = kind or format_of(path, read=True)
    check_name(path)
    try:
        if path.is_dir():
            raise InputError(f"{path}: this is a folder. Name a file in it.")
        if path.stat().st_size == 0:
            raise empty_file(path)
        if kind == "csv":
            table, dialect = read_csv(path, separator, encoding)
        elif kind == "other":
            workbook = path.suffix.lower() in WORKBOOKS
            table, dialect = read_workbook(path, sheet) if workbook else read_statistics(path), Dialect()
        else:
            table, dialect = read_parquet(path), Dialect()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    twice, times = Counter(table.column_names).most_common(1)[0] if table.column_names else ("", 0)
    if times > 1:
        raise InputError(f"{path}: the column name {twice!r} stands twice. Rename one of the two.")
    if table.num_rows == 0:
        raise InputError(f"{path}: the table has column names but no rows.")
    return table, dialect


def file_of(place: str | PathLike[str]) -> Path | None:
    """The file of a path, of a sheet in a workbook or of a database; None for a table on a server."""
    address = Address.of(place)
    return address.file if address else sheet_of(Path(place))[0]


def same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file; no, where one of them leads nowhere."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # a name with NUL is that of no file
        return False


def is_folder(path: Path) -> bool:
    """Whether a path leads to a folder; no, where it cannot be looked at."""
    try:
        return path.is_dir()
    except OSError:
        return False


def state_of(*paths: Path) -> State:
    """By what a change of files is noticed: which they are, how long, and when they were written to."""
    found = (one.stat() for one in paths)
    return tuple((one.st_dev, one.st_ino, one.st_size, one.st_mtime_ns) for one in found)


@contextmanager
def unchanged(path: Path, before: State, now: Callable[[], State]) -> Iterator[None]:
    """Refuse what was read of a file or folder that has changed since; what went wrong by that is told so, too."""
    try:
        yield
    except Exception as error:
        _check_unchanged(path, before, now, error)
        raise
    _check_unchanged(path, before, now)


def _check_unchanged(path: Path, before: State, now: Callable[[], State], cause: Exception | None = None) -> None:
    with suppress(OSError, InputError):
        if now() == before:
            return
    raise InputError(f"{path}: the input changed while it was read. Run again when nobody writes to it.") from cause


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(table: pa.Table, file: Path, kind: str, dialect: Dialect) -> None:
    """Write a table to a file."""
    with file.open("wb") as out:
        if kind == "csv":
            encode = encoder(dialect.encoding)
            for block in csv_bytes(table, dialect):
                out.write(encode(block))
        else:
            _write_parquet(table, out)


def _write_parquet(table: pa.Table, out: BinaryIO) -> None:
    import pyarrow.parquet as pq

    try:
        pq.write_table(table, out, compression="zstd")
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        raise no_parquet(table, error) from error


def no_parquet(table: pa.Table, error: Exception) -> InputError:
    """What is said of a table that Parquet does not take: the first column that it does not take alone."""
    import pyarrow.parquet as pq

    for at, field in enumerate(table.schema):
        try:
            pq.write_table(table.slice(0, 1).select([at]), pa.BufferOutputStream())
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            return InputError(
                f"Column {field.name!r} of type {field.type} cannot be written as Parquet: convert it to text."
            )
    return InputError(f"The release cannot be written as Parquet ({error}).")
