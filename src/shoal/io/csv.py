"""CSV files: every column as text, so that what is not changed is written as it was."""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.errors import InputError, reason
from shoal.io.csv_diagnosis import LONGEST, mistake, undecodable
from shoal.io.csv_dialect import Dialect, csv_header
from shoal.kernels.csv_rows import finish, first_state, follow

BLOCK = 1 << 24  # bytes of a CSV that are parsed together
PART = 1 << 22  # the same, where it is read part by part
AHEAD = 4  # parts that are parsed while others are read
NO_ROWS = "Empty CSV file"  # what Arrow says of a header without a line end


def read_csv(path: Path, separator: str | None, encoding: str) -> tuple[pa.Table, Dialect]:
    """Read a CSV file and its dialect."""
    dialect, names = csv_header(path, separator, encoding)
    if len(set(names)) < len(names):
        return pa.table([[]] * len(names), names=names), dialect  # the caller names the column that stands twice
    table = _read_quoted(path, dialect, names) if has_quotes(path) else _read_lines(path, dialect, names)
    if table.column_names != names:
        raise InputError(f"{path}: the line with the names of the columns is not readable as CSV.")
    return table, dialect


def _read_lines(path: Path, dialect: Dialect, names: list[str]) -> pa.Table:
    """A file without quotes, where every line is a row."""
    from pyarrow import csv as arrow

    size = path.stat().st_size + 1

    def parse(block_size: int) -> pa.Table:
        return arrow.read_csv(path, **_options(dialect, names, pa.string(), block_size, quoted=False))

    try:
        try:
            return parse(min(size, BLOCK))
        except pa.ArrowInvalid as error:
            if "straddling" not in str(error):
                raise
            return parse(min(size, LONGEST))  # a record that is longer than a block
    except (pa.ArrowInvalid, UnicodeError) as error:
        if NO_ROWS in str(error):
            return pa.table([[]] * len(names), names=names)
        raise _unreadable(path, dialect, names, error) from error


def _read_quoted(path: Path, dialect: Dialect, names: list[str]) -> pa.Table:
    """A file in which values may go over several lines, some whole rows at a time on all cores."""
    made: list[pa.Table] = [pa.table([pa.array([], pa.string())] * len(names), names=names)]
    parts: deque[Future[pa.Table]] = deque()
    with ThreadPoolExecutor() as pool:
        for content, _ in _whole_rows(path, dialect, len(names), step=BLOCK, longest=LONGEST):
            parts.append(pool.submit(csv_part, path, content, dialect, names))
            if len(parts) > AHEAD:
                made.append(parts.popleft().result())
        made += [part.result() for part in parts]
    return pa.concat_tables(made)


def stream_csv(path: Path, dialect: Dialect, names: list[str]) -> Iterator[tuple[pa.RecordBatch, int]]:
    """The rows of a CSV file batch by batch, the values of a column by their places; and the bytes read so far."""
    kind = pa.dictionary(pa.int32(), pa.string())
    if has_quotes(path):
        for content, read in _whole_rows(path, dialect, len(names), step=PART, longest=PART):
            for batch in csv_part(path, content, dialect, names, kind).to_batches():
                yield batch, read
    else:
        yield from _stream_lines(path, dialect, names, kind)


def _stream_lines(
    path: Path, dialect: Dialect, names: list[str], kind: pa.DataType
) -> Iterator[tuple[pa.RecordBatch, int]]:
    """A file without quotes, where every line is a row."""
    from pyarrow import csv as arrow

    try:
        with pa.OSFile(str(path)) as file:
            reader = arrow.open_csv(file, **_options(dialect, names, kind, PART, quoted=False))
            for batch in reader:
                yield batch, file.tell()
    except (pa.ArrowInvalid, UnicodeError) as error:
        if NO_ROWS in str(error):
            return
        longest = PART if "straddling" in str(error) else LONGEST
        raise _unreadable(path, dialect, names, error, longest=longest) from error


def _whole_rows(path: Path, dialect: Dialect, width: int, *, step: int, longest: int) -> Iterator[tuple[bytes, int]]:
    """The rows behind the header in UTF-8, some whole ones at a time, and the bytes read so far.

    Arrow's own blocks end anywhere, and it loses the line feed of a line break within quotes that lies on both sides of
    such an end.
    """
    codec = codecs.lookup(dialect.encoding).name
    decode = None if codec in ("utf-8", "utf-8-sig") else codecs.getincrementaldecoder(codec)().decode
    at, begin, state, kept = 0, -1, first_state(), bytearray()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(PART), b""):
            try:
                signs = block if decode is None else decode(block).encode()
            except UnicodeError as error:
                raise undecodable(path, dialect.encoding) from error
            if at == 0 and signs.startswith(codecs.BOM_UTF8):
                signs = signs[len(codecs.BOM_UTF8) :]
            cuts = np.empty(len(signs) // step + 2, np.int64)
            separator = ord(dialect.separator)
            found = follow(np.frombuffer(signs, np.uint8), at, state, cuts, separator, width, longest, step)
            if found < 0:
                raise wrong_row(path, dialect, width, longest=longest)
            kept += signs
            at += len(signs)
            for cut in cuts[:found].tolist():
                length = len(kept) - (at - cut)
                if begin >= 0:
                    yield bytes(kept[:length]), file.tell()
                begin = cut
                del kept[:length]
    try:
        _ = decode(b"", True) if decode else ""
    except UnicodeError as error:
        raise undecodable(path, dialect.encoding) from error
    if not finish(state, width):
        raise wrong_row(path, dialect, width, longest=longest)
    if begin >= 0:
        yield bytes(kept), at


def csv_part(
    path: Path, content: bytes, dialect: Dialect, names: list[str], kind: pa.DataType | None = None
) -> pa.Table:
    """Some whole rows of a CSV file without its header, from their bytes in UTF-8."""
    from pyarrow import csv as arrow

    options = _options(Dialect(dialect.separator), names, kind or pa.string(), len(content) + 1, quoted=True)
    options["read_options"].column_names = names
    options["read_options"].use_threads = False
    try:
        return arrow.read_csv(pa.BufferReader(content), **options)
    except (pa.ArrowInvalid, UnicodeError) as error:
        if NO_ROWS in str(error):  # empty lines alone
            return pa.table([pa.array([], kind or pa.string())] * len(names), names=names)
        raise _unreadable(path, dialect, names, error) from error


def _options(dialect: Dialect, names: list[str], kind: pa.DataType, block: int, *, quoted: bool) -> dict[str, Any]:
    from pyarrow import csv as arrow

    return {
        "read_options": arrow.ReadOptions(encoding=_codec(dialect), block_size=block),
        "parse_options": arrow.ParseOptions(
            delimiter=dialect.separator,
            newlines_in_values=quoted,
            ignore_empty_lines=len(names) > 1,  # in one column an empty line is a row with an empty value
        ),
        "convert_options": arrow.ConvertOptions(column_types=dict.fromkeys(names, kind), strings_can_be_null=False),
    }


def _unreadable(
    path: Path, dialect: Dialect, names: list[str], error: Exception, *, longest: int = LONGEST
) -> InputError:
    """What is wrong with a file that Arrow cannot read."""
    found = _mistake(path, dialect, len(names), longest=longest)
    return found or InputError(f"{path}: not readable as CSV ({reason(error)}).")


def wrong_row(path: Path, dialect: Dialect, width: int, *, longest: int) -> InputError:
    """What is wrong with a file in which some row is."""
    found = _mistake(path, dialect, width, longest=longest)
    return found or InputError(f"{path}: not readable as CSV. Write it anew.")


def _mistake(path: Path, dialect: Dialect, width: int, *, longest: int) -> InputError | None:
    return mistake(path, dialect.separator, dialect.encoding, width, longest=longest)


def _codec(dialect: Dialect) -> str:
    return "utf-8" if dialect.encoding == "utf-8-sig" else dialect.encoding  # Arrow skips the mark by itself


def has_quotes(path: Path) -> bool:
    """Whether a file has a quote in it, so that a value may go over several lines."""
    with path.open("rb") as raw:
        return any(b'"' in block for block in iter(lambda: raw.read(1 << 20), b""))
