"""Diagnosis of a CSV file that cannot be read: it is read once more, never more than a row at a time."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from shoal.errors import InputError
from shoal.io.compression import compressed_inside, opened, opened_text

LONGEST = 1 << 26  # bytes of a row; a longer one is not a row of a table


class TooLongError(Exception):
    """A row is longer than the limit."""


class Lines:
    """The lines of a file, an optional last line, and how much was read since `begin` was set."""

    def __init__(self, file: TextIO, limit: int, *, end: str = "") -> None:
        self.file, self.limit, self.end = file, limit, end
        self.read, self.begin = 0, 0
        self.last = ""

    def __iter__(self) -> Iterator[str]:
        while True:
            left = self.begin + self.limit - self.read
            if left <= 0:
                raise TooLongError
            line = self.file.readline(left)
            if not line:
                break
            self.last = line
            self.read += len(line)
            if self.read - self.begin == self.limit and not line.endswith(("\n", "\r")):
                raise TooLongError
            yield line
        if self.end:
            yield self.end


def undecodable(path: Path, encoding: str) -> InputError:
    """Name the line in which a file stops being text of an encoding."""
    if compressed := compressed_inside(path):
        return compressed
    step = codecs.getincrementaldecoder(encoding)()
    line = 1
    try:
        with opened(path) as file:
            while block := file.read(1 << 20):
                step.decode(block)
                line += block.count(b"\n")
            step.decode(b"", True)
            line = 1  # it is text, but has NULs in the header
    except UnicodeDecodeError as error:
        line += error.object[: error.start].count(b"\n")
    except UnicodeError:
        pass  # the byte order mark is missing
    return InputError(
        f"{path}, line {line}: the file is not {encoding.removesuffix('-sig').upper()} text. "
        f"Save it as UTF-8 or name its encoding, such as latin-1 or utf-16."
    )


def mistake(
    path: Path, separator: str, encoding: str, width: int, *, longest: int, comments: int = 0, header: bool = True
) -> InputError | None:
    """Describe the first row that cannot be read or is too long; return None if there is no such row.

    comments  lines at the top that are no rows
    header    whether the first row has the names of the columns
    """
    end = "\0end"
    limit = csv.field_size_limit(longest)
    line = 1 + comments
    try:
        with opened_text(path, encoding, newline="") as file:
            for _ in range(comments):
                file.readline()
            lines = Lines(file, longest, end=end)
            rows = csv.reader(lines, delimiter=separator)
            for row in rows:
                if (
                    row == [end] and rows.line_num + comments == line
                ):  # otherwise it is within quotes that were opened before
                    break
                if row and row[-1].endswith(end):
                    return InputError(
                        f"{path}, line {line}: a quote opens in this row and is never closed. "
                        f'Close it, or write "" if the quote is part of the value.'
                    )
                if row and len(row) != width:
                    return InputError(
                        f"{path}, line {line}: the row has {len(row)} field{'s' * (len(row) > 1)}, "
                        f"{'the header' if header else 'the first row'} {width}. "
                        f"Fix the row, or name the separator if it is not {separator!r}."
                    )
                line, lines.begin = rows.line_num + comments + 1, lines.read
    except UnicodeError:
        return undecodable(path, encoding)
    except TooLongError:
        short = " If not, read the table in memory: without --memory, or by shoal.anonymize()."
        return InputError(
            f"{path}, line {line}: the row that begins here is longer than {longest:,} bytes. "
            f"Is a line end missing, or a quote never closed?{short if longest < LONGEST else ''}"
        )
    except csv.Error as problem:
        return InputError(f"{path}, line {line}: not readable as CSV ({problem}).")
    finally:
        csv.field_size_limit(limit)
    return None
