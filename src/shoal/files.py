"""Reading of CSV and Parquet, and writing that leaves a whole file or none."""

from __future__ import annotations

import csv
import hashlib
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.errors import InputError

SEPARATORS = (",", ";", "\t", "|")
CSV = (".csv", ".tsv", ".txt")
PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Dialect:
    """The form of a CSV file, kept from the input to the output."""

    separator: str = ","
    line_end: str = "\n"
    encoding: str = "utf-8"


def format_of(path: Path) -> str:
    """`csv` or `parquet`, by the ending of the file's name."""
    ending = path.suffix.lower()
    if ending in CSV:
        return "csv"
    if ending in PARQUET:
        return "parquet"
    raise InputError(f"{path}: the ending {ending!r} is not known: use {', '.join((*CSV, *PARQUET))}.")


def read(
    path: Path, *, kind: str | None = None, separator: str | None = None, encoding: str = "utf-8"
) -> tuple[pa.Table, Dialect]:
    """Read a table; the columns of a CSV stay text, so that what is not changed is written as it was."""
    kind = kind or format_of(path)
    try:
        if path.stat().st_size == 0:
            raise InputError(f"{path}: the file is empty. It needs a line with the names of the columns.")
        if kind == "csv":
            table, dialect = _read_csv(path, separator, encoding)
        else:
            table, dialect = _read_parquet(path), Dialect()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    if len(set(table.column_names)) < len(table.column_names):
        twice = next(name for name in table.column_names if table.column_names.count(name) > 1)
        raise InputError(f"{path}: the column name {twice!r} stands twice. Rename one of the two.")
    if table.num_rows == 0:
        raise InputError(f"{path}: the table has column names but no rows.")
    return table, dialect


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_parquet(path: Path) -> pa.Table:
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path)
    except pa.ArrowException as error:
        raise InputError(f"{path}: not a readable Parquet file ({error}).") from error


def _read_csv(path: Path, separator: str | None, encoding: str) -> tuple[pa.Table, Dialect]:
    from pyarrow import csv as arrow

    dialect, names, quoted = _sniff(path, separator, encoding)
    if len(set(names)) < len(names):
        return pa.table([[]] * len(names), names=names), dialect  # the caller names the column that stands twice
    size = path.stat().st_size
    try:
        table = arrow.read_csv(
            path,
            # A record must fit into a block; the second try takes the file as one block.
            read_options=arrow.ReadOptions(encoding=encoding, block_size=min(size + 1, 1 << 24)),
            parse_options=arrow.ParseOptions(delimiter=dialect.separator, newlines_in_values=quoted),
            convert_options=arrow.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        raise _explained(path, dialect, names, error) from error
    return table, dialect


def _sniff(path: Path, separator: str | None, encoding: str) -> tuple[Dialect, list[str], bool]:
    """The dialect, the names in the header, and whether the file has quotes."""
    try:
        with path.open(encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="") as file:
            header = ""
            for line in file:
                header += line
                if header.count('"') % 2 == 0:
                    break
    except UnicodeDecodeError as error:
        raise _undecodable(path, encoding) from error
    except LookupError as error:
        raise InputError(f"There is no encoding {encoding!r}: use utf-8, latin-1, cp1252, utf-16, ….") from error
    rows = {sign: next(csv.reader([header], delimiter=sign)) for sign in [separator] if sign} or {
        sign: next(csv.reader(header.splitlines(keepends=True), delimiter=sign), []) for sign in SEPARATORS
    }
    sign = max(rows, key=lambda sign: len(rows[sign]))
    with path.open("rb") as raw:
        quoted = any(b'"' in block for block in iter(lambda: raw.read(1 << 20), b""))
    line_end = "\r\n" if header.endswith("\r\n") else "\n"
    return Dialect(sign, line_end, encoding), rows[sign], quoted


def _undecodable(path: Path, encoding: str) -> InputError:
    content = path.read_bytes()
    try:
        content.decode(encoding)
        line = 1
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
    return InputError(
        f"{path}, line {line}: the file is not {encoding.upper()} text. "
        f"Save it as UTF-8 or name its encoding, such as latin-1 or utf-16."
    )


def _explained(path: Path, dialect: Dialect, names: list[str], error: pa.ArrowInvalid) -> InputError:
    """The place of what Arrow could not read, found by reading the file once more, row by row."""
    try:
        with path.open(encoding="utf-8-sig" if dialect.encoding == "utf-8" else dialect.encoding, newline="") as file:
            rows = csv.reader(file, delimiter=dialect.separator)
            for row in rows:
                if row and len(row) != len(names):
                    return InputError(
                        f"{path}, line {rows.line_num}: the row has {len(row)} fields, the header {len(names)}. "
                        f"Mend the row, or name the separator if it is not {dialect.separator!r}."
                    )
    except UnicodeDecodeError:
        return _undecodable(path, dialect.encoding)
    except csv.Error as problem:
        return InputError(f"{path}: not readable as CSV ({problem}).")
    return InputError(f"{path}: not readable as CSV ({error}).")


def csv_bytes(table: pa.Table, dialect: Dialect) -> list[memoryview]:
    """A table as the bytes of a CSV file, quoting only where it is needed."""
    from pyarrow import compute as pc

    header = [_quoted(name, dialect) for name in table.column_names]
    out = [memoryview((dialect.separator.join(header) + dialect.line_end).encode())]
    last = table.num_columns - 1
    for batch in table.to_batches(max_chunksize=1 << 18):
        columns = [
            _csv_column(column, dialect, alone=last == 0, end=dialect.line_end if at == last else "")
            for at, column in enumerate(batch.columns)
        ]
        lines = pc.binary_join_element_wise(*columns, dialect.separator)
        start, stop = lines.offset, lines.offset + len(lines)
        offsets = memoryview(lines.buffers()[1]).cast("q" if pa.types.is_large_string(lines.type) else "i")
        out.append(memoryview(lines.buffers()[2])[offsets[start] : offsets[stop]])
    return out


def _csv_column(column: pa.Array, dialect: Dialect, *, alone: bool, end: str) -> pa.Array:
    from pyarrow import compute as pc

    if pa.types.is_nested(column.type):
        raise InputError(f"A column of type {column.type} cannot stand in a CSV file: write Parquet instead.")
    if not pa.types.is_dictionary(column.type):
        column = column.cast(pa.string()).dictionary_encode()
    values = column.dictionary.cast(pa.string()).to_pylist()
    blank = '""' if alone else ""
    written = [_quoted(value, dialect) or blank if value is not None else blank for value in values]
    indices = pc.fill_null(column.indices, len(values))
    return pa.array([value + end for value in [*written, blank]], pa.string()).take(indices)


def _quoted(value: str, dialect: Dialect) -> str:
    if any(sign in value for sign in (dialect.separator, '"', "\n", "\r")):
        return '"' + value.replace('"', '""') + '"'
    return value


def write(table: pa.Table, file: Path, kind: str, dialect: Dialect) -> None:
    """Write a table to a file and make sure that it is on the disk."""
    with file.open("wb") as out:
        if kind == "csv":
            for block in csv_bytes(table, dialect):
                out.write(block if dialect.encoding == "utf-8" else str(block, "utf-8").encode(dialect.encoding))
        else:
            import pyarrow.parquet as pq

            pq.write_table(table, out, compression="zstd")
        out.flush()
        os.fsync(out.fileno())


def write_text(content: str, file: Path) -> None:
    """Write text to a file and make sure that it is on the disk."""
    with file.open("w", encoding="utf-8", newline="") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())


def replace_whole(targets: dict[Path, Callable[[Path], Any]]) -> None:
    """Let each writer write a temporary file beside its target; when all have succeeded, put them in place."""
    made: list[tuple[Path, Path]] = []
    try:
        for target, writer in targets.items():
            try:
                handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
            except OSError as error:
                raise InputError(f"{target}: cannot be written ({error.strerror}).") from error
            os.close(handle)
            made.append((Path(name), target))
            writer(Path(name))
        for temporary, target in made:
            temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
            os.replace(temporary, target)
        for folder in {target.parent for _, target in made}:
            _sync_folder(folder)
    except OSError as error:
        raise InputError(f"{error.filename or ''}: cannot be written ({error.strerror or error}).") from error
    finally:
        for temporary, _ in made:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
