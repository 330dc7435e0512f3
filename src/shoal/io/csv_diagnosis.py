"""What is wrong with a CSV file that cannot be read, found by reading it once more, never more than a row at a time."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from shoal.errors import InputError

LONGEST = 1 << 26  # bytes of a row: a longer one is no row of a table


class TooLongError(Exception):
    """A row goes on beyond what is read of one."""


class Lines:
    """The lines of a file, the last signs that may stand after them, and how much was read since `begin` was set."""

    def __init__(self, file: TextIO, most: int, *, end: str = "") -> None:
        self.file, self.most, self.end = file, most, end
        self.read, self.begin = 0, 0
        self.last = ""

    def __iter__(self) -> Iterator[str]:
        while True:
            left = self.begin + self.most - self.read
            if left <= 0:
                raise TooLongError
            line = self.file.readline(left)
            if not line:
                break
            self.last = line
            self.read += len(line)
            if self.read - self.begin == self.most and not line.endswith(("\n", "\r")):
                raise TooLongError
            yield line
        if self.end:
            yield self.end


def undecodable(path: Path, encoding: str) -> InputError:
    """The line in which a file stops being text of an encoding."""
    step = codecs.getincrementaldecoder(encoding)()
    line = 1
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                step.decode(block)
                line += block.count(b"\n")
            step.decode(b"", True)
            line = 1  # it is text, and yet none that can be read: there are NULs in the header
    except UnicodeDecodeError as error:
        line += error.object[: error.start].count(b"\n")
    except UnicodeError:
        pass  # a mark at the beginning is missing
    return InputError(
        f"{path}, line {line}: the file is not {encoding.removesuffix('-sig').upper()} text. "
        f"Save it as UTF-8 or name its encoding, such as latin-1 or utf-16."
    )


def mistake(path: Path, separator: str, encoding: str, width: int, *, longest: int) -> InputError | None:
    """What is wrong with the first row that cannot be read, or that is too long."""
    end = "\0end"
    limit = csv.field_size_limit(longest)
    line = 1
    try:
        with path.open(encoding=encoding, newline="") as file:
            lines = Lines(file, longest, end=end)
            rows = csv.reader(lines, delimiter=separator)
            for row in rows:
                if row == [end] and rows.line_num == line:  # else it stands within quotes that were opened before
                    break
                if row and row[-1].endswith(end):
                    return _open_quote(path, line)
                if row and len(row) != width:
                    return InputError(
                        f"{path}, line {line}: the row has {len(row)} field{'s' * (len(row) > 1)}, the header {width}. "
                        f"Mend the row, or name the separator if it is not {separator!r}."
                    )
                line, lines.begin = rows.line_num + 1, lines.read
    except UnicodeError:
        return undecodable(path, encoding)
    except TooLongError:
        return _too_long(path, line, longest)
    except csv.Error as problem:
        return InputError(f"{path}, line {line}: not readable as CSV ({problem}).")
    finally:
        csv.field_size_limit(limit)
    return None


def _open_quote(path: Path, line: int) -> InputError:
    return InputError(
        f"{path}, line {line}: a quote opens in this row and is never closed. "
        f'Close it, or write "" if the sign itself is meant.'
    )


def _too_long(path: Path, line: int, longest: int) -> InputError:
    hint = " If not, read the table in memory: without --memory, or by shoal.anonymize()." if longest < LONGEST else ""
    return InputError(
        f"{path}, line {line}: the row that begins here is longer than {longest:,} bytes. "
        f"Is a line end missing, or a quote never closed?{hint}"
    )
