"""The numbered lines of a hierarchy file, and their fields."""

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
UNWRITABLE = re.compile("[\n\ud800-\udfff]|^\ufeff")  # line ends, unpaired surrogates, a byte order mark in front


def numbered_lines(path: str | PathLike[str]) -> NumberedLines:
    """Read the lines of a file that are not blank, with their numbers; LF or CRLF, with or without a BOM."""
    check_name(path)
    try:
        content = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise HierarchyError(f"{path}, line {line}: not UTF-8 text. Save the file as UTF-8.") from error
    except (OSError, ValueError) as error:  # Python refuses a path with NUL as a bad value
        raise HierarchyError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from error
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(content.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line.strip()]
    if not lines:
        raise HierarchyError(f"{path}: the file is empty. A hierarchy needs at least a root.")
    return lines


def separators_in(line: str) -> str:
    """List which of `;` and `,` a line has outside quotes."""
    bare = QUOTED_FIELD.sub("", line) if '"' in line else line
    return "".join(character for character in ";," if character in bare)


def separator_of(lines: NumberedLines) -> str | None:
    """Return the separator that every line has, `;` before `,`; None if neither is in every line."""
    separators = [separators_in(line) for _, line in lines]
    return next((candidate for candidate in ";," if all(candidate in present for present in separators)), None)


def fields(path: str | PathLike[str], lines: NumberedLines) -> NumberedRows:
    """Split each line into its fields, quoted as in CSV."""
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
    first = separators_in(lines[0][1])[:1]
    number, line = next((n, text) for n, text in lines if not first or first not in separators_in(text))
    problem = f"is not separated by {first!r} as line {lines[0][0]} is" if first else "has no separator"
    return HierarchyError(f"{path}, line {number}: {line!r} {problem}. Write value;…;top or child,parent on each line.")


def holds(label: str) -> bool:
    """Return whether a label that is written on a line is read back unchanged."""
    return label == label.strip() and not UNWRITABLE.search(label)


def joined(labels: Iterable[str], separator: str) -> str:
    """Join fields into a line; quote those that would otherwise be read differently."""
    quoted = ('"' + label.replace('"', '""') + '"' if re.search('[;,"\r]', label) else label for label in labels)
    return separator.join(quoted) + "\n"
