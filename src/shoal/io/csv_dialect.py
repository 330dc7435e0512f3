"""The dialect of a CSV file, inferred from its first rows, and the names of its columns."""

from __future__ import annotations

import codecs
import csv
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError
from shoal.io.csv_diagnosis import LONGEST, Lines, TooLongError, undecodable

SEPARATORS = (",", ";", "\t", "|")
HEADER = 1 << 24  # characters that the names of the columns may take


@dataclass(frozen=True)
class Dialect:
    """The dialect of a CSV file, which the output takes over from the input."""

    separator: str = ","
    line_end: str = "\n"
    encoding: str = "utf-8"


def csv_header(path: Path, separator: str | None, encoding: str) -> tuple[Dialect, list[str]]:
    """Read the dialect of a CSV file and the names of its columns."""
    dialect, names = _sniff(path, separator, encoding)
    with path.open(encoding=dialect.encoding, newline="") as file:
        if len(names) == 1 and not file.readline().strip():
            raise InputError(f"{path}, line 1: the line is empty. It should name the column.")
    marked = next((name for name in names if name.startswith("\ufeff")), None)
    if marked is not None:
        raise InputError(f"{path}: the column name {marked!r} begins with a byte order mark. Remove it.")
    return dialect, names


def _sniff(path: Path, separator: str | None, encoding: str) -> tuple[Dialect, list[str]]:
    """Infer the dialect and read the header; the separator is the one that splits the first rows alike."""
    separators = SEPARATORS if separator is None else (_separator(separator),)
    try:
        if "\0" in encoding:
            raise LookupError(encoding)  # as codecs raises for every other unknown name
        if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
            with path.open("rb") as file:
                encoding = "utf-8-sig" if file.read(3) == codecs.BOM_UTF8 else "utf-8"
        firsts = {candidate: _first_rows(path, Dialect(candidate, encoding=encoding)) for candidate in separators}
    except UnicodeError as error:
        raise undecodable(path, encoding) from error
    except LookupError as error:
        raise InputError(f"There is no encoding {encoding!r}: use utf-8, latin-1, cp1252, utf-16, ….") from error

    def fitness(candidate: str) -> tuple[bool, int]:
        header, second, _ = firsts[candidate]
        return len(header) > 1 and len(header) == len(second), len(header)

    best = max(separators, key=fitness)
    names, _, line = firsts[best]
    if not names:
        raise empty_file(path)
    if any("\0" in name for name in names):
        raise undecodable(path, encoding)
    return Dialect(best, "\r\n" if line.endswith("\r\n") else "\n", encoding), names


def _first_rows(path: Path, dialect: Dialect) -> tuple[list[str], list[str], str]:
    """Return the first two rows that are not blank, if they are short enough, and the last line of the first."""
    rows: list[list[str]] = []
    ends: list[str] = []
    csv.field_size_limit(LONGEST)
    with path.open(encoding=dialect.encoding, newline="") as file, suppress(csv.Error):
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
                    f"{path}, line 1: the line with the names of the columns is longer than {HEADER:,} characters. "
                    f"Does the file have line ends, and is every quote closed?"
                ) from None
    rows, ends = [*rows, [], []], [*ends, ""]
    return rows[0], rows[1], ends[0]


def _separator(spelling: str) -> str:
    separator = "\t" if spelling == "\\t" else spelling
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise InputError(f"The separator {spelling!r} cannot be used: give one character such as , ; | or \\t.")
    return separator


def empty_file(path: Path) -> InputError:
    """Describe a file without content."""
    return InputError(f"{path}: the file is empty. It needs a line with the names of the columns.")
