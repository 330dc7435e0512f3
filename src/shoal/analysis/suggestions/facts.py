"""Facts about the values of a column: their kind and number, and the hierarchies that fit them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from math import floor, log10
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.column import Column, read_column
from shoal.data.encoding import domain_of
from shoal.data.hierarchies.spec import parse
from shoal.data.style import Style, text
from shoal.data.value_order import numbers_of
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.review.tally import MARKS

Kind = Literal["number", "date", "time", "code", "text", "empty"]
CODE = re.compile(r"(?=.*\d)[0-9A-Za-z][0-9A-Za-z -]*")
CODE_LENGTHS = range(3, 13)
MAX_VALUES = 20  # that can still be shown as sets, and be grouped by hand
MIN_ROWS = 20  # of a value that is written down
NARROW_RANGES = 16  # about this many of the narrowest ranges cover a column of numbers


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


def spellings(facts: Facts, what: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the hierarchy to begin with, if ranges and sets do not suffice, and others that fit the values."""
    typed = not isinstance(facts.column.values[0], str)
    if what == "a postal code" and same_length(facts.column):
        first, others = "prefix", []
    elif facts.kind == "number":
        first, others = None, _intervals(facts)
    elif facts.kind == "date":
        first, others = (None, ["dates"]) if typed else ("dates", ["dates:year,decade"])
    elif facts.kind == "code" and facts.different > MAX_VALUES:
        first, others = "prefix", ["by-frequency:4", "flat"]
    elif facts.kind == "time":
        first, others = None, []
    else:
        first, others = (
            (None, ["by-frequency", "flat"]) if facts.different <= MAX_VALUES else ("by-frequency:4", ["flat"])
        )
    fitting = tuple(spelling for spelling in others if _fits(spelling, facts))
    if first is None or _fits(first, facts):
        return first, fitting
    return (fitting[0] if fitting else None), fitting[1:]


def common_values(facts: Facts) -> tuple[str, ...]:
    """Return all values of a column of text if they are few and each is in many rows; otherwise none."""
    if facts.kind != "text" or not 3 <= facts.different <= MAX_VALUES or facts.column.counts.min() < MIN_ROWS:
        return ()
    return tuple(sorted(map(text, facts.column.values)))


def _fits(spelling: str, facts: Facts) -> bool:
    try:
        domain_of(facts.column, parse(spelling), Style())
    except InputError:
        return False
    return True


def _intervals(facts: Facts) -> list[str]:
    """Suggest ranges of three round widths that nest, such as 5, 10, 20."""
    numbers = numbers_of(facts.column.values)
    if numbers is None:
        return []
    values = numbers.astype(np.float64)
    span = float(values.max() - values.min())
    if not 0 < span < float("inf"):
        return []
    least = span / NARROW_RANGES
    power = floor(log10(least))
    round_widths = (Decimal(digit).scaleb(power) for digit in (1, 2, 5, 10))
    narrowest = next(width for width in round_widths if width >= Decimal(least))
    if (values == np.floor(values)).all():
        narrowest = max(narrowest, Decimal(2))  # a range of one whole number is that number
    widths = [narrowest * factor for factor in (1, 2, 4) if narrowest * factor < Decimal(span)]
    return [f"intervals:{','.join(f'{width:f}' for width in widths)}"] if widths else []
