"""Values of SQL Server: it converts them to texts that lose nothing, and takes them as such texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

INTEGERS = {"tinyint": pa.uint8(), "smallint": pa.int16(), "int": pa.int32(), "bigint": pa.int64()}
NUMBERS = {**INTEGERS, "bit": pa.bool_(), "float": pa.float64(), "real": pa.float32()}  # read as the driver gives them
PADDED = ("char", "nchar")
CHARACTERS = (*PADDED, "varchar", "nvarchar", "text", "ntext")
BYTES = ("binary", "varbinary", "image", "timestamp")
MONEY = {"money": pa.decimal128(19, 4), "smallmoney": pa.decimal128(10, 4)}
DECIMALS = ("decimal", "numeric")
DATETIMES = {"smalldatetime": "s", "datetime": "ms", "datetime2": "us"}  # their units in Arrow
OFFSET = "datetimeoffset"
# The number by which CONVERT knows a form: of dates 2020-01-31 12:00:00.0, of money four decimals, of bytes 0xFF.
STYLES = {**dict.fromkeys((*DATETIMES, OFFSET, "time"), 121), "date": 23, **dict.fromkeys(MONEY, 2)}
STYLES["smalldatetime"] = 120  # without the fraction of a second, which it does not have
WRITTEN_STYLES = {
    **{name: STYLES[name] for name in (*DATETIMES, OFFSET)},
    **dict.fromkeys(("binary", "varbinary", "image"), 1),
}
# What becomes text in a frame, and keeps its declaration only if another table may have it.
DOCUMENTS = ("xml", "json")
KNOWN = (*NUMBERS, *CHARACTERS, *BYTES, *MONEY, *DECIMALS, *DATETIMES, OFFSET, *DOCUMENTS, "date", "time",
         "uniqueidentifier")  # fmt: skip
# Declarations that another table may have; the names of collations are the server's.
DECLARATION = re.compile(
    r"(tinyint|smallint|int|bigint|bit|float|real|date|datetime|smalldatetime|money|smallmoney|uniqueidentifier|image"
    r"|(decimal|numeric)\(\d+,\d+\)|(time|datetime2|datetimeoffset)\(\d\)|(var)?binary\((\d+|max)\)"
    r"|(n?(var)?char\((\d+|max)\)|n?text)( COLLATE \w+)?)"
)
DAY = "1970-01-01 "
# A literal in SQL Server leaves out a backslash before the end of a line, and the end of the line.
NOT_LITERAL = "\\\\[\r\n]|\0"
FIXED_OFFSET = re.compile(r"[+-]\d\d:\d\d")
MAX_ROWS, MAX_VALUES = 1000, 20_000  # of one INSERT: the server takes long to plan a longer one


@dataclass(frozen=True)
class Field:
    """A column of a result: its name, its whole type as SQL Server names it, and its collation."""

    name: str
    kind: str
    collation: str | None

    @property
    def base(self) -> str:
        """The name of the type without its size."""
        return _base(self.kind)

    @property
    def declaration(self) -> str | None:
        """How another table may declare the column."""
        text = self.kind + (f" COLLATE {self.collation}" if self.collation and self.base in CHARACTERS else "")
        return text if DECLARATION.fullmatch(text) else None

    @property
    def selected(self) -> str:
        """The expression that reads the column."""
        name = quoted(self.name)
        if self.base in NUMBERS:
            return name
        wanted = "varbinary(max)" if self.base in BYTES else "nvarchar(max)"
        style = f", {STYLES[self.base]}" if self.base in STYLES else ""
        return f"CONVERT({wanted}, {name}{style})"


def typed(values: Sequence[Any], field: Field) -> tuple[pa.Array, str | None]:
    """Convert values to the Arrow type of a column; return its declaration, too.

    Those that Arrow cannot hold, such as times of several zones, stay text, and have no declaration.
    """
    base = field.base
    if base in NUMBERS:
        return pa.array(values, NUMBERS[base]), field.declaration
    if base in BYTES:
        return pa.array(values, pa.large_binary()), field.declaration
    texts = pa.array(values, pa.string())
    if base in PADDED:
        return pc.utf8_rtrim(texts, " "), field.declaration  # blanks only pad to the width
    if base in (*CHARACTERS, *DOCUMENTS, "uniqueidentifier"):
        return texts, field.declaration
    try:
        return _parsed(texts, field), field.declaration
    except pa.ArrowInvalid:
        return texts, None


def _parsed(texts: pa.Array, field: Field) -> pa.Array:
    base = field.base
    if base in MONEY:
        return texts.cast(MONEY[base])
    if base in DECIMALS:
        return texts.cast(pa.decimal128(*map(int, re.findall(r"\d+", field.kind))))
    if base == "date":
        return texts.cast(pa.date32())
    if base == "time":  # Arrow parses a time only with its day
        return pc.binary_join_element_wise(DAY, texts, "").cast(pa.timestamp("ns")).cast(pa.time64("ns"))
    if base in DATETIMES:
        return _moments(texts, DATETIMES[base])
    return _zoned(texts)


def _moments(texts: pa.Array, unit: str) -> pa.Array:
    """Parse dates with times; seven digits after the second only fit into nanoseconds, unless the last is 0."""
    if unit == "us":
        has_seven = pc.match_substring_regex(texts, r"\.\d{7}$")
        shorter = pc.if_else(has_seven, pc.replace_substring_regex(texts, r"0$", ""), texts)
        unit = "ns" if pc.any(pc.match_substring_regex(shorter, r"\.\d{7}$")).as_py() else "us"
        texts = texts if unit == "ns" else shorter
    return texts.cast(pa.timestamp(unit))


def _zoned(texts: pa.Array) -> pa.Array:
    """Parse dates with times and their distance from UTC, which must be the same for all."""
    offsets = pc.unique(pc.utf8_slice_codeunits(texts, -6)).drop_null().to_pylist()
    if len(offsets) > 1:
        raise pa.ArrowInvalid("times of several zones")
    local = _moments(pc.utf8_rtrim(pc.utf8_slice_codeunits(texts, 0, -6), " "), "us")
    zone = offsets[0] if offsets and offsets[0] != "+00:00" else "UTC"
    return pc.assume_timezone(local, zone)


def quoted(*names: str) -> str:
    """Quote names for SQL Server, whatever characters they hold."""
    return ".".join("[" + name.replace("]", "]]") + "]" for name in names)


def inserts(content: pa.RecordBatch, place: str, types: Sequence[str], size: int) -> Iterator[str]:
    """Write rows as INSERT statements of about `size` characters; only one of a single row is longer."""
    names = [quoted(str(number)) for number in range(len(types))]
    wanted = ", ".join(map(_converted, names, types))
    head = f"INSERT INTO {place} SELECT {wanted} FROM (VALUES "  # noqa: S608  the name is quoted
    tail = f") AS given ({', '.join(names)})"
    columns = [_literals(column).to_pylist() for column in content.columns]
    most = max(1, min(MAX_ROWS, MAX_VALUES // len(types)))
    rows: list[str] = []
    length = 0
    for values in zip(*columns, strict=True):
        row = f"({', '.join(values)})"
        if rows and (len(rows) == most or length + len(row) > size):
            yield head + ", ".join(rows) + tail
            rows, length = [], 0
        rows.append(row)
        length += len(row)
    if rows:
        yield head + ", ".join(rows) + tail


def literal(text: str) -> str:
    """Write a text for SQL Server, whatever characters it holds."""
    if re.search(NOT_LITERAL, text):
        return f"CONVERT(nvarchar(max), 0x{text.encode('utf-16-le').hex()})"
    return "N'" + text.replace("'", "''") + "'"


def _converted(name: str, kind: str) -> str:
    """Return the expression that makes a value of a type from its text; a text that is too long must not be cut."""
    base = _base(kind)
    if base in CHARACTERS:
        return name
    style = f", {WRITTEN_STYLES[base]}" if base in WRITTEN_STYLES else ""
    return f"CONVERT({'varbinary(max)' if base == 'image' else kind}, {name}{style})"


def _literals(column: pa.Array) -> pa.Array:
    texts = _texts(column)
    if pc.any(pc.match_substring_regex(texts, NOT_LITERAL)).as_py():
        return pa.array(["NULL" if text is None else literal(text) for text in texts.to_pylist()], _LARGE)
    escaped = pc.replace_substring(texts, "'", "''")
    quotes = pa.scalar("'", _LARGE)
    return pc.fill_null(
        pc.binary_join_element_wise(pa.scalar("N'", _LARGE), escaped, quotes, pa.scalar("", _LARGE)),
        pa.scalar("NULL", _LARGE),
    )


def _texts(column: pa.Array) -> pa.Array:
    """Write values as texts that `_converted` takes."""
    kind = column.type
    if pa.types.is_boolean(kind):
        return column.cast(pa.int8()).cast(_LARGE)
    if pa.types.is_floating(kind):
        return column.cast(pa.float64()).cast(_LARGE)  # every digit of a float of 32 bits
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return pa.array([None if value is None else f"0x{value.hex()}" for value in column.to_pylist()], _LARGE)
    if pa.types.is_time(kind):
        return _seven_digits(column)
    if not pa.types.is_timestamp(kind):
        return column.cast(_LARGE)
    if not kind.tz:
        return _seven_digits(column)
    keeps = FIXED_OFFSET.fullmatch(kind.tz)
    local = pc.local_timestamp(column) if keeps else column.cast(pa.timestamp(kind.unit))  # in UTC
    zone = pa.scalar(kind.tz if keeps else "+00:00", _LARGE)
    return pc.binary_join_element_wise(_seven_digits(local), zone, pa.scalar(" ", _LARGE))


def _seven_digits(column: pa.Array) -> pa.Array:
    """Write times with the seven digits after the second that SQL Server has; the verification sees what is lost."""
    return pc.replace_substring_regex(column.cast(_LARGE), r"(\.\d{7})\d+$", r"\1")


def _base(kind: str) -> str:
    return kind.partition("(")[0].partition(" ")[0]


_LARGE = pa.large_string()
