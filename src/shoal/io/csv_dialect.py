"""The dialect of a CSV file, inferred from its first rows, and the names of its columns."""

from __future__ import annotations

import codecs
import csv
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from shoal.errors import InputError
from shoal.io.compression import opened, opened_text
from shoal.io.csv_diagnosis import LONGEST, Lines, TooLongError, undecodable
from shoal.io.csv_layout import COMMENT, Layout, Names, check_names, columns_of, comments_in, layout_of

SEPARATORS = (",", ";", "\t", "|")
NOT_OF_FILES = {
    "idna",
    "punycode",
    "undefined",
    "unicode_escape",
    "raw_unicode_escape",
}  # but of words in addresses and sources
HEADER = 1 << 24  # characters that the names of the columns may take


@dataclass(frozen=True)
class Dialect:
    """The dialect of a CSV file, which the output takes over from the input, except for the layout.

    layout  of a file without a line of names; what is written has one
    """

    separator: str = ","
    line_end: str = "\n"
    encoding: str = "utf-8"
    layout: Layout | None = None

    @property
    def comments(self) -> int:
        """The lines of comment before the first row, or before the names."""
        return self.layout.comments if self.layout else 0


def csv_header(path: Path, separator: str | None, encoding: str, names: Names = None) -> tuple[Dialect, list[str]]:
    """Read the dialect of a CSV file and the names of its columns, unless the file has none."""
    if isinstance(check_names(names), list) or names is False:
        return _without_header(path, separator, encoding, names)
    dialect, firsts = _sniff(path, separator, encoding)
    return _with_header(path, dialect, firsts[0], comment=separator is None and len(firsts[0]) != len(firsts[1]))


def _with_header(path: Path, dialect: Dialect, names: list[str], *, comment: bool) -> tuple[Dialect, list[str]]:
    """Check the line of names; it may be a comment if it has not as many fields as the next line."""
    with opened_text(path, dialect.encoding, newline="") as file:
        if len(names) == 1 and not file.readline().strip():
            raise InputError(f"{path}, line 1: the line is empty. It should name the column.")
    if comment and comments_in(path, dialect.encoding):
        raise InputError(
            f"{path}, line 1: this line begins with |, like a comment of the UCI repository, whose files do not name "
            f"their columns. Name them (--names age,sex,…; names=[…]), or add --no-header (names=False)."
        )
    marked = next((name for name in names if name.startswith("\ufeff")), None)
    if marked is not None:
        raise InputError(f"{path}: the column name {marked!r} begins with a byte order mark. Remove it.")
    return dialect, names


def _without_header(path: Path, separator: str | None, encoding: str, names: Names) -> tuple[Dialect, list[str]]:
    """Infer the dialect of a file whose first line is a row, and name its columns."""
    dialect, firsts = _sniff(path, separator, encoding, skip=separator != COMMENT)
    rows = [row for row in firsts if row]
    layout = layout_of(path, dialect.encoding, dialect.comments, rows)
    return replace(dialect, layout=layout), columns_of(path, names, rows[0])


def _sniff(
    path: Path, separator: str | None, encoding: str, *, skip: bool = False
) -> tuple[Dialect, tuple[list[str], list[str]]]:
    """Infer the dialect, and read the first two rows; the separator is the one that splits them alike.

    skip  leave out lines of comment at the top
    """
    separators = SEPARATORS if separator is None else (separator_of(separator),)
    try:
        if "\0" in encoding:
            raise LookupError(encoding)  # as codecs raises for every other unknown name
        if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
            with opened(path) as file:
                encoding = "utf-8-sig" if file.read(3) == codecs.BOM_UTF8 else "utf-8"
        comments = comments_in(path, encoding) if skip else 0
        firsts = {
            candidate: _first_rows(path, Dialect(candidate, encoding=encoding), comments) for candidate in separators
        }
    except UnicodeError as error:
        raise undecodable(path, encoding) from error
    except LookupError as error:
        raise _no_encoding(encoding) from error

    def fitness(candidate: str) -> tuple[bool, int]:
        header, second, _ = firsts[candidate]
        return len(header) > 1 and len(header) == len(second), len(header)

    best = max(separators, key=fitness)
    names, second, line = firsts[best]
    if not names:
        raise empty_file(path)
    if any("\0" in name for name in names):
        raise undecodable(path, encoding)
    layout = Layout(comments) if comments else None
    return Dialect(best, "\r\n" if line.endswith("\r\n") else "\n", encoding, layout), (names, second)


def check_encoding(encoding: str) -> None:
    """Raise InputError if there is no such encoding of files."""
    try:
        name = codecs.lookup(encoding).name
        "".encode(encoding)  # some only convert bytes
    except (LookupError, ValueError) as error:  # ValueError for NUL
        raise _no_encoding(encoding) from error
    if name in NOT_OF_FILES:
        raise _no_encoding(encoding)


def _no_encoding(encoding: str) -> InputError:
    return InputError(f"There is no encoding {encoding!r}: use utf-8, latin-1, cp1252, utf-16, ….")


def _first_rows(path: Path, dialect: Dialect, comments: int) -> tuple[list[str], list[str], str]:
    """Return the first two rows that are not blank, if they are short enough, and the last line of the first."""
    rows: list[list[str]] = []
    ends: list[str] = []
    csv.field_size_limit(LONGEST)
    with opened_text(path, dialect.encoding, newline="") as file, suppress(csv.Error):
        for _ in range(comments):
            file.readline()
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


def separator_of(spelling: str) -> str:
    """Return the separator that is meant; raise InputError if a file cannot have it."""
    separator = "\t" if spelling == "\\t" else spelling
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise InputError(f"The separator {spelling!r} cannot be used: give one character such as , ; | or \\t.")
    return separator


def empty_file(path: Path) -> InputError:
    """Describe a file without content."""
    return InputError(f"{path}: the file is empty: it has neither names of columns nor rows.")
