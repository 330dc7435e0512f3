"""Reading of CSV files: every column as text, so that unchanged values are written as they were."""

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
from shoal.io.compression import codec_of, opened
from shoal.io.csv_diagnosis import LONGEST, mistake, undecodable
from shoal.io.csv_dialect import Dialect, csv_header
from shoal.io.csv_layout import Names
from shoal.kernels.csv_rows import finish, first_state, follow

BLOCK = 1 << 24  # bytes that are parsed together
PART = 1 << 22  # the same, if the file is read part by part
AHEAD = 4  # parts that are parsed while others are read
NO_ROWS = "Empty CSV file"  # Arrow's message for a header without a line end


def read_csv(path: Path, separator: str | None, encoding: str, names: Names = None) -> tuple[pa.Table, Dialect]:
    """Read a CSV file and its dialect."""
    dialect, columns = csv_header(path, separator, encoding, names)
    if len(set(columns)) < len(columns):
        return pa.table([[]] * len(columns), names=columns), dialect  # the caller reports the repeated column
    table = _read_quoted(path, dialect, columns) if has_quotes(path) else _read_lines(path, dialect, columns)
    if table.column_names != columns:
        raise InputError(f"{path}: the line with the names of the columns is not readable as CSV.")
    return table if dialect.layout is None else dialect.layout.values(table), dialect


def _read_lines(path: Path, dialect: Dialect, names: list[str]) -> pa.Table:
    """Read a file without quotes, where every line is a row."""
    from pyarrow import csv as arrow

    compressed = codec_of(path) is not None
    size = LONGEST if compressed else path.stat().st_size + 1

    def parse(block_size: int) -> pa.Table:
        options = _options(dialect, names, pa.string(), block_size, quoted=False)
        if not compressed:
            return arrow.read_csv(path, **options)  # faster than by a file object
        with opened(path) as file:
            return arrow.read_csv(file, **options)

    try:
        try:
            return parse(min(size, BLOCK))
        except pa.ArrowInvalid as error:
            if "straddling" not in str(error):
                raise
            return parse(min(size, LONGEST))  # a row is longer than a block
    except (pa.ArrowInvalid, UnicodeError) as error:
        if NO_ROWS in str(error):
            return pa.table([[]] * len(names), names=names)
        raise unreadable(path, dialect, len(names), error) from error


def _read_quoted(path: Path, dialect: Dialect, names: list[str]) -> pa.Table:
    """Read a file in which values may span several lines, some complete rows at a time on all cores."""
    tables: list[pa.Table] = [pa.table([pa.array([], pa.string())] * len(names), names=names)]
    parts: deque[Future[pa.Table]] = deque()
    with ThreadPoolExecutor() as pool:
        for content, _ in _whole_rows(path, dialect, len(names), step=BLOCK, longest=LONGEST):
            parts.append(pool.submit(csv_part, path, content, dialect, names))
            if len(parts) > AHEAD:
                tables.append(parts.popleft().result())
        tables += [part.result() for part in parts]
    return pa.concat_tables(tables)


def stream_csv(path: Path, dialect: Dialect, names: list[str]) -> Iterator[tuple[pa.RecordBatch, int]]:
    """Yield the rows of a CSV file in batches, each column as a dictionary, and the bytes read so far."""
    for batch, read in _batches(path, dialect, names):
        if dialect.layout is None:
            yield batch, read
        else:
            yield from ((part, read) for part in dialect.layout.values(pa.Table.from_batches([batch])).to_batches())


def _batches(path: Path, dialect: Dialect, names: list[str]) -> Iterator[tuple[pa.RecordBatch, int]]:
    """Yield the rows as they are in the file."""
    from pyarrow import csv as arrow

    kind = pa.dictionary(pa.int32(), pa.string())
    if has_quotes(path):
        for content, read in _whole_rows(path, dialect, len(names), step=PART, longest=PART):
            for batch in csv_part(path, content, dialect, names, kind).to_batches():
                yield batch, read
        return
    try:  # without quotes, every line is a row
        with pa.OSFile(str(path)) if codec_of(path) is None else opened(path) as file:
            reader = arrow.open_csv(file, **_options(dialect, names, kind, PART, quoted=False))
            for batch in reader:
                yield batch, file.tell()
    except (pa.ArrowInvalid, UnicodeError) as error:
        if NO_ROWS in str(error):
            return
        longest = PART if "straddling" in str(error) else LONGEST
        raise unreadable(path, dialect, len(names), error, longest=longest) from error


def _whole_rows(path: Path, dialect: Dialect, width: int, *, step: int, longest: int) -> Iterator[tuple[bytes, int]]:
    """Yield the rows after the header in UTF-8, some complete ones at a time, and the bytes read so far.

    Arrow's own blocks end anywhere, and it loses the line feed of a line break within quotes that is cut by the end of
    a block.
    """
    if dialect.layout is not None and dialect.layout.spaced:
        raise InputError(
            f"{path}: the file has both quotes and a space after each separator, so that a value within quotes does "
            f"not begin with its quote. Remove the spaces, or the quotes if they are none."
        )
    codec = codecs.lookup(dialect.encoding).name
    decode = None if codec in ("utf-8", "utf-8-sig") else codecs.getincrementaldecoder(codec)().decode
    at, begin, state, pending, comments = 0, -1, first_state(), bytearray(), dialect.comments
    separator = dialect.separator.encode()
    start = b"" if dialect.layout is None else separator.join([b"x"] * width) + b"\n"  # in place of the names
    with opened(path) as file:
        for block in iter(lambda: file.read(PART), b""):
            try:
                content = block if decode is None else decode(block).encode()
            except UnicodeError as error:
                raise undecodable(path, dialect.encoding) from error
            if at == 0 and content.startswith(codecs.BOM_UTF8):
                content = content[len(codecs.BOM_UTF8) :]
            while comments and content:
                _, end, content = content.partition(b"\n")
                comments -= bool(end)
            content, start = start + content, b""
            cuts = np.empty(len(content) // step + 2, np.int64)
            count = follow(np.frombuffer(content, np.uint8), at, state, cuts, ord(separator), width, longest, step)
            if count < 0:
                raise unreadable(path, dialect, width, longest=longest)
            pending += content
            at += len(content)
            for cut in cuts[:count].tolist():
                length = len(pending) - (at - cut)
                if begin >= 0:
                    yield bytes(pending[:length]), file.tell()
                begin = cut
                del pending[:length]
    try:
        _ = decode(b"", True) if decode else ""
    except UnicodeError as error:
        raise undecodable(path, dialect.encoding) from error
    if not finish(state, width):
        raise unreadable(path, dialect, width, longest=longest)
    if begin >= 0:
        yield bytes(pending), at


def csv_part(
    path: Path, content: bytes, dialect: Dialect, names: list[str], kind: pa.DataType | None = None
) -> pa.Table:
    """Parse some complete rows of a CSV file, without its header, from their bytes in UTF-8."""
    from pyarrow import csv as arrow

    if content.startswith(codecs.BOM_UTF8):  # the first value begins with this character; Arrow skips one of them
        content = codecs.BOM_UTF8 + content
    options = _options(Dialect(dialect.separator), names, kind or pa.string(), len(content) + 1, quoted=True)
    options["read_options"].column_names = names
    options["read_options"].use_threads = False
    try:
        return arrow.read_csv(pa.BufferReader(content), **options)
    except (pa.ArrowInvalid, UnicodeError) as error:
        if NO_ROWS in str(error):  # only empty lines
            return pa.table([pa.array([], kind or pa.string())] * len(names), names=names)
        raise unreadable(path, dialect, len(names), error) from error


def _options(dialect: Dialect, names: list[str], kind: pa.DataType, block: int, *, quoted: bool) -> dict[str, Any]:
    from pyarrow import csv as arrow

    codec = "utf-8" if dialect.encoding == "utf-8-sig" else dialect.encoding  # Arrow skips the mark by itself
    return {
        "read_options": arrow.ReadOptions(
            encoding=codec,
            block_size=block,
            skip_rows=dialect.comments,
            column_names=None if dialect.layout is None else names,
        ),
        "parse_options": arrow.ParseOptions(
            delimiter=dialect.separator,
            newlines_in_values=quoted,
            ignore_empty_lines=len(names) > 1,  # in one column an empty line is a row with an empty value
        ),
        "convert_options": arrow.ConvertOptions(column_types=dict.fromkeys(names, kind), strings_can_be_null=False),
    }


def unreadable(
    path: Path, dialect: Dialect, width: int, error: Exception | None = None, *, longest: int = LONGEST
) -> InputError:
    """Describe a file that cannot be read, by its first malformed row if there is one."""
    problem = mistake(
        path,
        dialect.separator,
        dialect.encoding,
        width,
        longest=longest,
        comments=dialect.comments,
        header=dialect.layout is None,
    )
    return problem or InputError(
        f"{path}: not readable as CSV{f' ({reason(error)}).' if error else '. Write it again.'}"
    )


def has_quotes(path: Path) -> bool:
    """Return whether a file has a quote, so that a value may span several lines."""
    with opened(path) as raw:
        return any(b'"' in block for block in iter(lambda: raw.read(1 << 20), b""))
