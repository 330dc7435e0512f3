"""The XML parts of workbooks: sheets and shared texts of .xlsx, tables of .ods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from shoal.io.workbooks.size import Sheet

DIGITS = "0123456789"
MAX_ROWS, MAX_COLUMNS = 1 << 20, 1 << 14  # of .ods; beyond them calamine silently leaves out cells
ROOTS = (b"sheetData", b"<sst", b"document-content", b":sst")
OVERLAP = 32  # bytes of a chunk that are searched again with the next


class Unreadable(Exception):  # noqa: N818
    """A part that is not well-formed."""


class _Done(Exception):  # noqa: N818
    """A part whose root element says that it has no cells."""


@dataclass
class Part:
    """The content of a part: the cells of a sheet, or the bytes of each shared text."""

    sheet: Sheet = field(default_factory=Sheet)
    shared: list[int] = field(default_factory=list)


def measure_part(chunks: Iterator[bytes]) -> Part:
    """Measure a part; all of it is unpacked, even if it is neither a sheet nor shared texts."""
    part, parser, rooted, before = Part(), _parser(), False, b""

    def root(name: str, attributes: Sequence[str]) -> None:
        nonlocal rooted
        rooted = True
        handlers = HANDLERS.get(_local(name))
        if handlers is None:
            raise _Done
        handlers(parser, part)

    parser.StartElementHandler = root
    waiting: Any = parser
    for chunk in chunks:
        if waiting is not None:
            try:
                waiting.Parse(chunk, False)
            except _Done:
                waiting = None
            except (expat.ExpatError, ValueError) as error:
                if rooted:
                    raise Unreadable(f"a part is not well-formed: {error}") from error
                waiting = None
        if waiting is None and not rooted:
            if any(mark in before + chunk for mark in ROOTS):
                raise Unreadable("a part with cells does not begin like XML")
            before = chunk[-OVERLAP:]
    return part


def _parser() -> Any:
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.buffer_text = True

    def refuse(*_: Any) -> None:
        raise Unreadable("a part declares a document type, which no workbook needs")

    parser.StartDoctypeDeclHandler = refuse
    return parser


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _worksheet(parser: Any, part: Part) -> None:
    """Count the cells of a sheet; one without a reference follows the one before."""
    sheet, row, column, shared = part.sheet, -1, -1, False
    columns: dict[str, int] = {}
    text: list[str] = []

    def start(name: str, attributes: list[str]) -> None:
        nonlocal row, column, shared
        if ":" in name:
            name = _local(name)
        if name == "c":
            column, shared = column + 1, False
            pairs = iter(attributes)
            for key, value in zip(pairs, pairs, strict=True):
                if key == "r":
                    letters = value.rstrip(DIGITS)
                    number = value[len(letters) :]
                    if number and letters.isalpha() and letters.isascii():
                        row = int(number[:12]) - 1
                        if letters not in columns:
                            columns[letters] = _column_number(letters)
                        column = columns[letters]
                elif key == "t":
                    shared = value == "s"
        elif name == "v" or name == "is":  # a cell without them is empty
            sheet.add(row, column)
            if shared and name == "v":
                text.clear()
                parser.CharacterDataHandler = text.append
                parser.EndElementHandler = end
        elif name == "row":
            row, column = row + 1, -1
            for at in range(0, len(attributes), 2):
                if attributes[at] == "r" and attributes[at + 1].isdecimal():
                    row = int(attributes[at + 1][:12]) - 1

    def end(name: str) -> None:
        parser.CharacterDataHandler = parser.EndElementHandler = None
        number = "".join(text).strip()
        if number.isdecimal():
            sheet.shared.append(int(number[:12]))

    parser.StartElementHandler = start


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters.upper()[:8]:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _shared_texts(parser: Any, part: Part) -> None:
    """Count the bytes of each shared text."""
    length = 0

    def start(name: str, attributes: list[str]) -> None:
        nonlocal length
        if name == "si" or _local(name) == "si":
            length = 0

    def end(name: str) -> None:
        if name == "si" or _local(name) == "si":
            part.shared.append(length)

    def text(characters: str) -> None:
        nonlocal length
        length += len(characters.encode())

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text


def _tables(parser: Any, part: Part) -> None:
    """Count the cells of the tables of an .ods, where rows, cells and blanks have a number of repetitions."""
    sheet = part.sheet
    row = column = rows = times = length = 0
    here: list[tuple[int, int, int]] = []  # of a row: last column, number of columns, bytes of text
    value = False

    def start(name: str, pairs: list[str]) -> None:
        nonlocal row, column, rows, times, length, value
        attributes = dict(zip(pairs[::2], pairs[1::2], strict=True))
        name = _local(name)
        if name == "table":
            row = 0
        elif name == "table-row":
            rows, column = _number(attributes, "number-rows-repeated", MAX_ROWS + 1), 0
            here.clear()
        elif name in ("table-cell", "covered-table-cell"):
            times, length = _number(attributes, "number-columns-repeated", MAX_COLUMNS + 1), 0
            value = any(_local(attribute) in ("value-type", "value", "formula") for attribute in attributes)
        elif name == "s":
            length += _number(attributes, "c", 1 << 62)
        else:
            value = True

    def end(name: str) -> None:
        nonlocal row, column
        name = _local(name)
        if name in ("table-cell", "covered-table-cell"):
            last, column = column + times, min(column + times, MAX_COLUMNS)
            sheet.longest = max(sheet.longest, length)
            if value or length:
                if last > MAX_COLUMNS:
                    raise Unreadable(f"cells with values go beyond column {MAX_COLUMNS:,}, the last one of a sheet")
                here.append((column - 1, times, length))
        elif name == "table-row":
            if here and row + rows > MAX_ROWS:
                raise Unreadable(f"rows with values go beyond row {MAX_ROWS:,}, the last one of a sheet")
            row = min(row + rows, MAX_ROWS)
            for last, count, bytes_of_text in here:
                sheet.add(0, 0, 0)
                sheet.add(row - 1, last, count * rows)
                sheet.text += bytes_of_text * count * rows

    def text(characters: str) -> None:
        nonlocal length
        length += len(characters.encode())

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text


def _number(attributes: dict[str, str], name: str, at_most: int) -> int:
    for key, value in attributes.items():
        if _local(key) == name and value.isdecimal():
            return min(int(value[:19]), at_most)
    return 1


HANDLERS = {"worksheet": _worksheet, "sst": _shared_texts, "document-content": _tables}
