"""Tables as the bytes of CSV files, quoted only where necessary."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.errors import InputError
from shoal.io.csv_dialect import Dialect

LINES = 1 << 27  # bytes that are written in one step, about


def csv_bytes(table: pa.Table, dialect: Dialect) -> Iterator[memoryview]:
    """Yield a table as the bytes of a CSV file in UTF-8."""
    yield csv_head(table.column_names, dialect)
    yield from csv_rows(table, dialect)


def csv_head(names: list[str], dialect: Dialect) -> memoryview:
    """Write the line with the names of the columns."""
    header = [_quoted(name, dialect) or ('""' if len(names) == 1 else "") for name in names]
    return memoryview((dialect.separator.join(header) + dialect.line_end).encode())


def csv_rows(table: pa.Table, dialect: Dialect) -> Iterator[memoryview]:
    """Yield the lines of the rows, about `LINES` bytes at a time."""
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


def pieces(sizes: NDArray[np.int64], max_bytes: int) -> Iterator[tuple[int, int]]:
    """Split rows of these sizes into parts of at most so many bytes, or of one row.

    >>> list(pieces(np.array([2, 2, 2, 9, 1]), 4))
    [(0, 2), (2, 3), (3, 4), (4, 5)]
    """
    ends, start = np.cumsum(sizes), 0
    while start < len(sizes):
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + max_bytes, "right")))
        yield start, stop
        start = stop


def check_csv_type(name: str, kind: pa.DataType) -> None:
    """Raise InputError, before anything is written, if the type of a column has no text form."""
    _texts_and_places(name, pa.nulls(0, kind))


def _texts_and_places(name: str, column: pa.Array) -> tuple[list[str | None], pa.Array]:
    """Return the distinct texts of a column, and the place of each row's text among them."""
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
    """Return the distinct cells of a column as they are written, and the place of each row's cell among them."""
    from pyarrow import compute as pc

    values, places = _texts_and_places(name, column)
    blank = '""' if alone else ""
    written = [_quoted(value, dialect) or blank if value is not None else blank for value in values]
    indices = pc.fill_null(places.cast(pa.int64()), len(values)).to_numpy()
    return pa.array([value + end for value in [*written, blank]], pa.large_string()), indices


def text_of(values: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Convert values to the text that a CSV file has for them; null if they are missing or NaN."""
    from pyarrow import compute as pc

    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    texts = values if pa.types.is_large_string(values.type) else values.cast(pa.string())
    if not pa.types.is_floating(values.type):
        return texts
    return pc.if_else(pc.is_nan(values.cast(pa.float64())), pa.scalar(None, pa.string()), texts)


def _quoted(value: str, dialect: Dialect) -> str:
    if any(character in value for character in (dialect.separator, '"', "\n", "\r")):
        return '"' + value.replace('"', '""') + '"'
    return value


def encoder(encoding: str) -> Callable[[memoryview], bytes | memoryview]:
    """Return a function that converts consecutive blocks of UTF-8 of one file to another encoding."""
    if encoding == "utf-8":
        return lambda block: block
    step = codecs.getincrementalencoder(encoding)()  # writes the byte order mark of UTF-16 once

    def encode(block: memoryview) -> bytes:
        try:
            return step.encode(str(block, "utf-8"))
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            raise InputError(
                f"The release holds the character {character!r}, which {encoding} cannot write: "
                f"save the input as UTF-8 first, or choose other labels."
            ) from error

    return encode
