"""Facts about the values of a column: their kind, their number, and how many occur in one row only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from shoal.data.column import Column, read_column
from shoal.data.style import text
from shoal.data.value_order import numbers_of
from shoal.io.source import Source

Kind = Literal["number", "date", "time", "code", "text", "empty"]
MARKS = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "#N/A")  # often written for a missing value
CODE = re.compile(r"(?=.*\d)[0-9A-Za-z][0-9A-Za-z -]*")
CODE_LENGTHS = range(3, 13)


@dataclass(frozen=True)
class Facts:
    """Facts about the values of a column: kind, distinct values, rows with a value of their own, rows without one."""

    column: Column
    kind: Kind
    rows: int
    different: int
    unique: int
    missing: int

    def __str__(self) -> str:
        values = "1 value" if self.different == 1 else f"{self.different:,} different values"
        lone = f"rows with one of their own: {self.unique:,} ({self.unique / self.rows:.1%})"
        return f"{values}, {lone}, missing: {self.missing:,}"


def facts_of(source: Source, name: str, missing: Sequence[str]) -> Facts:
    """Collect the facts of a column; raise InputError if its values cannot be grouped."""
    column = read_column(name, source.arrow(name), missing)
    rows = len(source)
    return Facts(
        column=column,
        kind=_kind(column),
        rows=rows,
        different=len(column.values),
        unique=int((column.counts == 1).sum()),
        missing=rows - int(column.counts.sum()),
    )


def marks_in(source: Source) -> tuple[str, ...]:
    """Find the texts of a table that often mean a missing value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found: set[str] = set()
    for name in source.columns:
        column = source.arrow(name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            is_mark = pc.is_in(column, value_set=pa.array(MARKS, column.type))
            found.update(pc.unique(column.filter(is_mark)).to_pylist())
    return tuple(mark for mark in MARKS if mark in found)


def same_length(column: Column) -> bool:
    """Return whether all values have the same length, in the range of codes."""
    lengths = {len(text(value)) for value in column.values}
    return len(lengths) == 1 and lengths <= set(CODE_LENGTHS)


def _kind(column: Column) -> Kind:
    values = column.values
    if not values:
        return "empty"
    if not all(isinstance(value, str) for value in values):
        return "number" if isinstance(values[0], int | float) else "date" if isinstance(values[0], date) else "time"
    if numbers_of(values) is not None:
        return "number"
    if all(_is_date(value) for value in values):
        return "date"
    return "code" if same_length(column) and all(CODE.fullmatch(value) for value in values) else "text"


def _is_date(value: str) -> bool:
    if not re.match(r"\d{4}-\d{2}-\d{2}", value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True
