"""The lines of a hierarchy file, with their numbers, and their fields."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from shoal.errors import HierarchyError
from shoal.system.atomic_files import check_name

NumberedLines = list[tuple[int, str]]
NumberedRows = list[tuple[int, list[str]]]

QUOTED_FIELD = re.compile(r'(?:^|(?<=[;,]))"(?:[^"]|"")*"')
NO_LINE = re.compile("[\n\ud800-\udfff]|^\ufeff")  # line ends, halves of characters, a byte order mark in front


def numbered_lines(path: str | PathLike[str]) -> NumberedLines:
    """The lines of a file that are not blank, with their line numbers; LF or CRLF, with or without a BOM."""
    check_name(path)
    try:
        content = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise HierarchyError(f"{path}, line {line}: not UTF-8 text. Save the file as UTF-8.") from error
    except (OSError, ValueError) as error:  # a name with NUL is no value for a path
        raise HierarchyError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from error
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(content.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line.strip()]
    if not lines:
        raise HierarchyError(f"{path}: the file is empty. A hierarchy needs at least a root.")
    return lines


def separators_in(line: str) -> str:
    """Those of `;` and `,` that stand in a line outside quotes."""
    bare = QUOTED_FIELD.sub("", line) if '"' in line else line
    return "".join(sign for sign in ";," if sign in bare)


def separator_of(lines: NumberedLines) -> str | None:
    """The separator that stands in every line: `;` before `,`; None where neither does."""
    found = [separators_in(line) for _, line in lines]
    return next((sign for sign in ";," if all(sign in signs for signs in found)), None)


def fields(path: str | PathLike[str], lines: NumberedLines) -> NumberedRows:
    """The fields of each line, quoting as in CSV."""
    separator = separator_of(lines)
    if separator is None:
        raise _unseparated(path, lines)
    rows: NumberedRows = []
    for number, line in lines:
        try:
            rows.append((number, next(csv.reader([line], delimiter=separator, strict=True))))
        except csv.Error as error:
            raise HierarchyError(f"{path}, line {number}: {line!r} has an unclosed or misplaced quote.") from error
    return rows


def _unseparated(path: str | PathLike[str], lines: NumberedLines) -> HierarchyError:
    sign = separators_in(lines[0][1])[:1]
    number, line = next((n, text) for n, text in lines if not sign or sign not in separators_in(text))
    what = f"is not separated by {sign!r} as line {lines[0][0]} is" if sign else "has no separator"
    return HierarchyError(f"{path}, line {number}: {line!r} {what}. Write value;…;top or child,parent on each line.")


def holds(label: str) -> bool:
    """Whether a line of a file can hold a label, so that it is read back as it was."""
    return label == label.strip() and not NO_LINE.search(label)


def joined(labels: Iterable[str], separator: str) -> str:
    """A line of fields, those quoted that would be read otherwise."""
    quoted = ('"' + label.replace('"', '""') + '"' if re.search('[;,"\r]', label) else label for label in labels)
    return separator.join(quoted) + "\n"
