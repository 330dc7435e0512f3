"""CSV files: every column as text, so that what is not changed is written as it was."""

from __future__ import annotations

import codecs
import csv
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.errors import InputError
from shoal.io.csv_diagnosis import LONGEST, Lines, TooLongError, mistake, undecodable
from shoal.kernels.csv_rows import finish, first_state, follow

SEPARATORS = (",", ";", "\t", "|")
BLOCK = 1 << 24  # bytes of a CSV that are parsed together
PART = 1 << 22  # the same, where it is read part by part
AHEAD = 4  # parts that are parsed while others are read
LINES = 1 << 27  # bytes that are written at once, about
HEADER = 1 << 24  # signs that the names of the columns may take
NO_ROWS = "Empty CSV file"  # what Arrow says of a header without a line end


@dataclass(frozen=True)
class Dialect:
    """The form of a CSV file, kept from the input to the output."""

    separator: str = ","
    line_end: str = "\n"
    encoding: str = "utf-8"


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


def csv_header(path: Path, separator: str | None, encoding: str) -> tuple[Dialect, list[str]]:
    """The dialect of a CSV file and the names of its columns."""
    dialect, names = _sniff(path, separator, encoding)
    if len(names) == 1 and not _first_line(path, dialect).strip():
        raise InputError(f"{path}, line 1: the line is empty. It should name the column.")
    marked = next((name for name in names if name.startswith("\ufeff")), None)
    if marked is not None:
        raise InputError(f"{path}: the column name {marked!r} begins with a byte order mark. Remove it.")
    return dialect, names


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
    return found or InputError(f"{path}: not readable as CSV ({str(error).rstrip('.')}).")


def _sniff(path: Path, separator: str | None, encoding: str) -> tuple[Dialect, list[str]]:
    """The dialect and the names in the header; the separator is the one that cuts the first rows alike."""
    signs = SEPARATORS if separator is None else (_separator(separator),)
    try:
        if "\0" in encoding:
            raise LookupError(encoding)  # as codecs say of every other name
        if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
            with path.open("rb") as file:
                encoding = "utf-8-sig" if file.read(3) == codecs.BOM_UTF8 else "utf-8"
        firsts = {sign: _first_rows(path, Dialect(sign, encoding=encoding)) for sign in signs}
    except UnicodeError as error:
        raise undecodable(path, encoding) from error
    except LookupError as error:
        raise InputError(f"There is no encoding {encoding!r}: use utf-8, latin-1, cp1252, utf-16, ….") from error

    def fitness(sign: str) -> tuple[bool, int]:
        header, second, _ = firsts[sign]
        return len(header) > 1 and len(header) == len(second), len(header)

    sign = max(signs, key=fitness)
    names, _, line = firsts[sign]
    if not names:
        raise empty_file(path)
    if any("\0" in name for name in names):
        raise undecodable(path, encoding)
    return Dialect(sign, "\r\n" if line.endswith("\r\n") else "\n", encoding), names


def _first_rows(path: Path, dialect: Dialect) -> tuple[list[str], list[str], str]:
    """The first two rows that are not blank, as far as they are looked at, and the last line of the first."""
    rows: list[list[str]] = []
    ends: list[str] = []
    csv.field_size_limit(LONGEST)
    with _opened(path, dialect) as file, suppress(csv.Error):
        lines = Lines(file, HEADER)
        try:
            for row in csv.reader(lines, delimiter=dialect.separator):
                if row:
                    rows.append(row)
                    ends.append(lines.last)
                    lines.begin = lines.read
                if len(rows) == 2:
                    break
        except TooLongError:
            if not rows:
                raise InputError(
                    f"{path}, line 1: the line with the names of the columns is longer than {HEADER:,} signs. "
                    f"Does the file have line ends, and is every quote closed?"
                ) from None
    rows, ends = [*rows, [], []], [*ends, ""]
    return rows[0], rows[1], ends[0]


def wrong_row(path: Path, dialect: Dialect, width: int, *, longest: int) -> InputError:
    """What is wrong with a file in which some row is."""
    found = _mistake(path, dialect, width, longest=longest)
    return found or InputError(f"{path}: not readable as CSV. Write it anew.")


def _mistake(path: Path, dialect: Dialect, width: int, *, longest: int) -> InputError | None:
    return mistake(path, dialect.separator, dialect.encoding, width, longest=longest)


def _separator(given: str) -> str:
    sign = "\t" if given == "\\t" else given
    if len(sign) != 1 or not sign.isascii() or sign in '"\r\n\0':
        raise InputError(f"The separator {given!r} cannot be used: give one sign such as , ; | or \\t.")
    return sign


def _codec(dialect: Dialect) -> str:
    return "utf-8" if dialect.encoding == "utf-8-sig" else dialect.encoding  # Arrow skips the mark by itself


def _opened(path: Path, dialect: Dialect) -> TextIO:
    return path.open(encoding=dialect.encoding, newline="")


def _first_line(path: Path, dialect: Dialect) -> str:
    with _opened(path, dialect) as file:
        return file.readline()


def has_quotes(path: Path) -> bool:
    """Whether a file has a quote in it, so that a value may go over several lines."""
    with path.open("rb") as raw:
        return any(b'"' in block for block in iter(lambda: raw.read(1 << 20), b""))


def empty_file(path: Path) -> InputError:
    """What is said of a file without content."""
    return InputError(f"{path}: the file is empty. It needs a line with the names of the columns.")


def csv_bytes(table: pa.Table, dialect: Dialect) -> Iterator[memoryview]:
    """A table as the bytes of a CSV file in UTF-8, quoting only where it is needed."""
    yield csv_head(table.column_names, dialect)
    yield from csv_rows(table, dialect)


def csv_head(names: list[str], dialect: Dialect) -> memoryview:
    """The line with the names of the columns."""
    header = [_quoted(name, dialect) or ('""' if len(names) == 1 else "") for name in names]
    return memoryview((dialect.separator.join(header) + dialect.line_end).encode())


def csv_rows(table: pa.Table, dialect: Dialect) -> Iterator[memoryview]:
    """The lines of the rows, so many at a time as take about `LINES` bytes."""
    from pyarrow import compute as pc

    alone, last = table.num_columns == 1, table.num_columns - 1
    for batch in table.to_batches(max_chunksize=1 << 18):
        columns = [
            _csv_column(name, column, dialect, alone=alone, end=dialect.line_end if at == last else "")
            for at, (name, column) in enumerate(zip(batch.schema.names, batch.columns, strict=True))
        ]
        sizes = sum(pc.binary_length(texts).to_numpy()[places] for texts, places in columns)
        for start, stop in pieces(np.asarray(sizes, np.int64), LINES):
            shown = [texts.take(pa.array(places[start:stop])) for texts, places in columns]
            lines = pc.binary_join_element_wise(*shown, pa.scalar(dialect.separator, pa.large_string()))
            offsets = memoryview(lines.buffers()[1]).cast("q")
            yield memoryview(lines.buffers()[2])[offsets[lines.offset] : offsets[lines.offset + len(lines)]]


def pieces(sizes: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Where to part rows of these sizes, so that each part has at most so many bytes, or one row.

    >>> list(pieces(np.array([2, 2, 2, 9, 1]), 4))
    [(0, 2), (2, 3), (3, 4), (4, 5)]
    """
    ends, start = np.cumsum(sizes), 0
    while start < len(sizes):
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + most, "right")))
        yield start, stop
        start = stop


def check_csv_type(name: str, kind: pa.DataType) -> None:
    """Refuse a column whose type has no text, before anything is written."""
    _texts_and_places(name, pa.nulls(0, kind))


def _texts_and_places(name: str, column: pa.Array) -> tuple[list[str | None], pa.Array]:
    """The different texts of a column, and the place of each row's text among them."""
    kind = column.type
    try:
        if isinstance(kind, pa.BaseExtensionType):
            raise pa.ArrowNotImplementedError("the text would be that of the stored numbers")
        if not pa.types.is_dictionary(kind):
            column = text_of(column).dictionary_encode()
        return text_of(column.dictionary).to_pylist(), column.indices
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        raise InputError(
            f"Column {name!r} of type {kind} cannot be written to a CSV file: write Parquet, or convert it to text."
        ) from error


def _csv_column(
    name: str, column: pa.Array, dialect: Dialect, *, alone: bool, end: str
) -> tuple[pa.Array, NDArray[np.int64]]:
    """The different cells of a column as they are written, and the place of each row's cell among them."""
    from pyarrow import compute as pc

    values, places = _texts_and_places(name, column)
    blank = '""' if alone else ""
    written = [_quoted(value, dialect) or blank if value is not None else blank for value in values]
    indices = pc.fill_null(places.cast(pa.int64()), len(values)).to_numpy()
    return pa.array([value + end for value in [*written, blank]], pa.large_string()), indices


def text_of(values: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Values as the text that a CSV file has of them; null where they are missing, as NaN is."""
    from pyarrow import compute as pc

    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    texts = values if pa.types.is_large_string(values.type) else values.cast(pa.string())
    if not pa.types.is_floating(values.type):
        return texts
    return pc.if_else(pc.is_nan(values.cast(pa.float64())), pa.scalar(None, pa.string()), texts)


def _quoted(value: str, dialect: Dialect) -> str:
    if any(sign in value for sign in (dialect.separator, '"', "\n", "\r")):
        return '"' + value.replace('"', '""') + '"'
    return value


def encoder(encoding: str) -> Callable[[memoryview], bytes | memoryview]:
    """What turns the blocks of UTF-8 of one file into another encoding, one after the other."""
    if encoding == "utf-8":
        return lambda block: block
    step = codecs.getincrementalencoder(encoding)()  # which writes the mark of UTF-16 once

    def encode(block: memoryview) -> bytes:
        try:
            return step.encode(str(block, "utf-8"))
        except UnicodeEncodeError as error:
            sign = error.object[error.start]
            raise InputError(
                f"The release holds the sign {sign!r}, which {encoding} cannot write: "
                f"save the input as UTF-8 first, or choose other labels."
            ) from error

    return encode
