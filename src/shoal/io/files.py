"""Files: reading of all formats, and writing of CSV and Parquet."""

from __future__ import annotations

import glob
import hashlib
import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path

import pyarrow as pa

from shoal.data.value_order import NUMBER
from shoal.errors import InputError
from shoal.io.compression import CODECS, codec_of, created, inner_suffix
from shoal.io.csv import read_csv
from shoal.io.csv_dialect import Dialect, empty_file
from shoal.io.csv_layout import Names, check_names
from shoal.io.csv_output import csv_bytes, encoder
from shoal.io.databases.address import Address
from shoal.io.header_suspicion import WHAT_TO_DO, check_first_line
from shoal.io.parquet import read_parquet
from shoal.io.spreadsheets import WORKBOOKS, read_workbook, sheet_of
from shoal.io.statistical_packages import READERS, read_statistics
from shoal.system.atomic_files import check_name
from shoal.system.close_names import close_name

CSV = (".csv", ".tsv", ".txt")
RAW = (".data", ".test")  # CSV files of the UCI repository, which are only read
PARQUET = (".parquet", ".pq")
State = tuple[tuple[int, int, int, int], ...]
READ_ONLY = (*WORKBOOKS, *READERS)


def format_of(path: Path, *, read: bool = False) -> str:
    """Return `csv` or `parquet` by the suffix of a file; `other` for formats that can only be `read`."""
    suffix = inner_suffix(path)
    if suffix in CSV or (read and suffix in RAW):
        return "csv"
    if codec_of(path):
        raise InputError(
            f"{path}: only CSV files are read and written with {path.suffix}, such as safe.csv{path.suffix.lower()}. "
            f"Parquet compresses by itself; unpack other files first."
        )
    if suffix in PARQUET:
        return "parquet"
    if read and suffix in READ_ONLY:
        return "other"
    if sheet_of(path)[0].suffix.lower() in (*RAW, *READ_ONLY):
        raise InputError(
            f"{path}: shoal reads such files but does not write them. Name a .csv or .parquet file, or a table in a "
            f"database."
        )
    compressed = [CSV[0] + suffix for suffix in CODECS]
    supported = (*CSV, *compressed, *PARQUET, *((*RAW, *READ_ONLY) if read else ()))
    raise InputError(f"{path}: the suffix {suffix!r} is not supported: use {', '.join(supported)}.")


def read(
    path: Path,
    *,
    kind: str | None = None,
    separator: str | None = None,
    encoding: str = "utf-8",
    names: Names = None,
) -> tuple[pa.Table, Dialect]:
    """Read a table; the columns of a CSV stay text, so that unchanged values are written as they were.

    names  the names of the columns if the first line of a CSV is a row, False if they have none, True if that line has
           them even if it looks like a row
    """
    path, sheet = sheet_of(path) if kind is None else (path, None)
    kind = kind or format_of(path, read=True)
    check_name(path)
    try:
        if path.is_dir():
            raise InputError(f"{path}: this is a folder. Name a file in it.")
        if path.stat().st_size == 0:
            raise empty_file(path)
        check_csv_names(path, kind, names)
        if kind == "csv":
            table, dialect = read_csv(path, separator, encoding, names)
            if table.num_rows:
                check_first_line(path, table, names)
        elif kind == "other":
            workbook = path.suffix.lower() in WORKBOOKS
            table, dialect = read_workbook(path, sheet) if workbook else read_statistics(path), Dialect()
        else:
            table, dialect = read_parquet(path), Dialect()
    except OSError as error:
        raise unreadable(path, error) from error
    check_columns(path, table.column_names, names=names)
    if table.num_rows == 0:
        raise InputError(f"{path}: the table has column names but no rows.")
    return table, dialect


def unreadable(path: Path, error: OSError) -> InputError:
    """Say why a file cannot be read; if there is none, ask whether a file of nearly that name was meant."""
    meant = None
    if isinstance(error, FileNotFoundError):
        with suppress(OSError):
            files = (file for file in path.parent.iterdir() if file.is_file() and file.name[0] not in "._")
            names = {file.stem: file.name for file in files}
            meant = names.get(close_name(path.stem, names) or "")
    close = "" if meant is None else f" Did you mean {meant!r}?"
    return InputError(f"{path}: cannot be read ({error.strerror or error}).{close}")


def check_csv_names(path: Path, kind: str, names: Names) -> None:
    """Refuse names for a file that has its own."""
    if kind != "csv" and check_names(names) not in (None, True):
        raise InputError(
            f"{path}: only a CSV file may be without names of its columns, and this is none. Leave them out (--names, "
            f"--no-header; names=…)."
        )


def check_columns(path: Path, columns: list[str], *, names: Names = None) -> None:
    """Raise InputError if a column name appears twice; a number hardly is one, unless `names` says so."""
    for name, times in Counter(columns).most_common(1):
        if times > 1 and names is None and inner_suffix(path) in (*CSV, *RAW) and NUMBER.fullmatch(name.strip()):
            raise InputError(
                f"{path}, line 1: this line seems to be a row, not the names of the columns: {name!r} is there twice. "
                f"{WHAT_TO_DO}"
            )
        if times > 1:
            raise InputError(f"{path}: the column name {name!r} appears twice. Rename one of the two.")


def file_of(place: str | PathLike[str]) -> Path | None:
    """Return the file of a path, of a sheet in a workbook or of a database; None for a table on a server."""
    address = Address.of(place)
    return address.file if address else sheet_of(Path(place))[0]


def same(one: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file; False if one of them leads nowhere."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # no file has a name with NUL
        return False


def is_pattern(path: Path) -> bool:
    """Return whether a path stands for the files with names like it, such as visits-*.csv; no file is called so."""
    return _has_wildcard(str(path)) and not os.path.lexists(path)


def _has_wildcard(text: str) -> bool:
    return any(character in text for character in "*?[")


def like(pattern: Path) -> list[Path]:
    """Return the files and folders that a pattern stands for, by name; hidden ones only if it begins with a dot."""
    return sorted(map(Path, glob.glob(str(pattern))))


def matches(path: Path, pattern: Path) -> bool:
    """Return whether a pattern stands for a file or folder, whether it is there yet or not.

    >>> matches(Path("visits-4.csv"), Path("visits-*.csv")), matches(Path("safe"), Path("../*/v.csv"))
    (True, False)
    """
    fixed = Path(*itertools.takewhile(lambda part: not _has_wildcard(part), pattern.parts))
    rest = pattern.relative_to(fixed)
    return (path.parent.resolve() / path.name).match(str(Path(glob.escape(str(fixed.resolve())), rest)))


def is_folder(path: Path) -> bool:
    """Return whether a path leads to a folder; False if it cannot be checked."""
    try:
        return path.is_dir()
    except OSError:
        return False


def state_of(*paths: Path) -> State:
    """Return what changes when files change: their identity, size and time of modification."""
    statuses = (path.stat() for path in paths)
    return tuple((status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns) for status in statuses)


@contextmanager
def unchanged(path: Path, before: State, now: Callable[[], State]) -> Iterator[None]:
    """Raise InputError if a file or folder changed while it was read, also in place of an error that this caused."""
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
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(table: pa.Table, file: Path, kind: str, dialect: Dialect) -> None:
    """Write a table to a file."""
    with created(file) as out:
        if kind == "csv":
            encode = encoder(dialect.encoding)
            out.writelines(map(encode, csv_bytes(table, dialect)))
            return
        import pyarrow.parquet as pq

        try:
            pq.write_table(table, out, compression="zstd")
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
            raise no_parquet(table, error) from error


def no_parquet(table: pa.Table, error: Exception) -> InputError:
    """Describe a table that cannot be written as Parquet, by the first column that cannot be written alone."""
    import pyarrow.parquet as pq

    for number, field in enumerate(table.schema):
        try:
            pq.write_table(table.slice(0, 1).select([number]), pa.BufferOutputStream())
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            return InputError(
                f"Column {field.name!r} of type {field.type} cannot be written as Parquet: convert it to text."
            )
    return InputError(f"The release cannot be written as Parquet ({error}).")
