"""The lines of a hierarchy file, with their numbers, and their fields."""

from __future__ import annotations

import csv
from os import PathLike
from pathlib import Path

from shoal.errors import HierarchyError

NumberedLines = list[tuple[int, str]]
NumberedRows = list[tuple[int, list[str]]]


def numbered_lines(path: str | PathLike[str]) -> NumberedLines:
    """The lines of a file that are not blank, with their line numbers; LF or CRLF, with or without a BOM."""
    try:
        content = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = Path(path).read_bytes()[: error.start].count(b"\n") + 1
        raise HierarchyError(f"{path}, line {line}: not UTF-8 text. Save the file as UTF-8.") from error
    except OSError as error:
        raise HierarchyError(f"{path}: cannot be read ({error.strerror}).") from error
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(content.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line.strip()]
    if not lines:
        raise HierarchyError(f"{path}: the file is empty. A hierarchy needs at least a root.")
    return lines


def separator_of(lines: NumberedLines) -> str | None:
    """The separator that stands in every line: `;` before `,`; None where neither does."""
    return next((sign for sign in ";," if all(sign in line for _, line in lines)), None)


def fields(path: str | PathLike[str], lines: NumberedLines) -> NumberedRows:
    """The fields of each line, quoting as in CSV."""
    separator = separator_of(lines)
    if separator is None:
        number, line = next((n, text) for n, text in lines if ";" not in text and "," not in text)
        raise HierarchyError(
            f"{path}, line {number}: {line!r} has no separator. Write value;…;top or child,parent on each line."
        )
    rows: NumberedRows = []
    for number, line in lines:
        try:
            rows.append((number, next(csv.reader([line], delimiter=separator, strict=True))))
        except csv.Error as error:
            raise HierarchyError(f"{path}, line {number}: {line!r} has an unclosed or misplaced quote.") from error
    return rows
