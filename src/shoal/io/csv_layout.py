"""CSV files without a line of names, as the UCI repository has them: where their rows begin, and what is no value.

Nothing of the rows is taken for anything else but in the UCI form, which `Layout.note` states: lines of comment that
begin with | at the top, one space after each separator, and a full stop at the end of every row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import InputError
from shoal.io.compression import opened_text
from shoal.io.csv_diagnosis import LONGEST, Lines, TooLongError

Names = Sequence[str] | bool | None
COMMENT = "|"


@dataclass(frozen=True)
class Layout:
    """The form of a file whose first row is data.

    comments  lines of comment before the first row
    spaced    a space follows each separator
    stopped   a full stop ends each row
    """

    comments: int = 0
    spaced: bool = False
    stopped: bool = False

    @property
    def note(self) -> str:
        """What was taken for no part of the values, as a sentence."""
        parts = [f"{self.comments} line{'s' * (self.comments > 1)} of comment at the top"] if self.comments else []
        parts += ["the space after each separator"] if self.spaced else []
        parts += ["the full stop at the end of each row"] if self.stopped else []
        if not parts:
            return "The table has no line of names: its first line is a row."
        listed = ", ".join(parts[:-1]) + (" and " if parts[1:] else "") + parts[-1]
        return f"The table has no line of names; {listed} {'are' if parts[1:] else 'is'} not part of its values."

    def values(self, table: pa.Table) -> pa.Table:
        """Return the columns of some rows without what is not part of their values."""
        for at in range(table.num_columns):
            changes: list[Callable[[pa.Array], pa.Array]] = [_without_space] if self.spaced and at else []
            changes += [_without_stop] if self.stopped and at == table.num_columns - 1 else []
            for change in changes:
                table = table.set_column(at, table.schema.names[at], _changed(table.column(at), change))
        return table


def check_names(names: Names) -> Names:
    """Refuse anything but names of columns, True (the first line has them), False (there are none) and None."""
    if names is None or isinstance(names, bool):
        return names
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(f"names = {names!r} must be the names of all columns in their order, True or False.")
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise InputError(f"The column name {twice!r} is given twice: name each column once.")
    return list(names)


def comments_in(path: Path, encoding: str) -> int:
    """Count the lines at the top that begin with |, if others follow."""
    number = 0
    try:
        with opened_text(path, encoding, newline="") as file:
            lines = Lines(file, LONGEST)
            for line in lines:
                if not line.startswith(COMMENT):
                    return number
                number += 1
                lines.begin = lines.read
    except TooLongError:
        pass
    return 0  # all lines do, so that they are rows that begin with an empty value


def layout_of(path: Path, encoding: str, comments: int, rows: Sequence[Sequence[str]]) -> Layout:
    """Return the form of a file, given its lines of comment and its first rows."""
    first = next(iter(rows), ())
    alike = [row for row in rows if len(row) == len(first)]
    spaced = len(first) > 1 and all(value.startswith(" ") for row in alike for value in row[1:])
    stopped = bool(comments or spaced) and all(row and row[-1].endswith(".") for row in rows)
    return Layout(comments, spaced, stopped and _all_stopped(path, encoding, comments))


def columns_of(path: Path, names: Names, row: Sequence[str]) -> list[str]:
    """Return the names of the columns of a file, given its first row."""
    if not isinstance(names, Sequence):
        return [f"column{number}" for number in range(1, len(row) + 1)]
    if len(names) != len(row):
        raise InputError(
            f"{path}: {len(names)} column{'s are' if len(names) != 1 else ' is'} named, and the first row has "
            f"{len(row)} value{'s' * (len(row) != 1)}. Name each column once, in the order of the file."
        )
    if [value.strip() for value in row] == [name.strip() for name in names]:
        raise InputError(f"{path}: the first line has these names itself. Leave them out (--names, names=…).")
    return list(names)


def _all_stopped(path: Path, encoding: str, comments: int) -> bool:
    """Return whether each row ends with a full stop; blank lines are no rows."""
    try:
        with opened_text(path, encoding) as file:
            lines = Lines(file, LONGEST)
            for number, line in enumerate(lines):
                lines.begin = lines.read
                text = line.rstrip("\r\n")
                if number >= comments and text and not text.endswith("."):
                    return False
    except TooLongError:
        return False  # the reader refuses the row
    return True


def _changed(column: pa.ChunkedArray, change: Callable[[pa.Array], pa.Array]) -> pa.ChunkedArray:
    if not pa.types.is_dictionary(column.type):
        return change(column)
    chunks = []
    for chunk in column.chunks:
        values = change(chunk.dictionary)
        plain = pa.DictionaryArray.from_arrays(chunk.indices, values)
        again = len(pc.unique(values)) < len(values)  # two values have become one
        chunks.append(plain.dictionary_decode().dictionary_encode().cast(column.type) if again else plain)
    return pa.chunked_array(chunks, column.type)


def _without_space(values: pa.Array) -> pa.Array:
    return pc.if_else(pc.starts_with(values, " "), pc.utf8_slice_codeunits(values, 1), values)


def _without_stop(values: pa.Array) -> pa.Array:
    return pc.if_else(pc.ends_with(values, "."), pc.utf8_slice_codeunits(values, 0, -1), values)
