"""A first line that is taken for what it is not.

A row that is taken for names would not be protected at all: every release names its columns. Names that are taken for a
row count as somebody, who hides nobody.
"""

from __future__ import annotations

import re
from functools import reduce
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.value_order import NUMBER
from shoal.errors import InputError
from shoal.io.csv_layout import Names

ROWS = 10_000  # that are looked at
FEW_ROWS = 10  # below which a column of numbers may be chance
WORD = re.compile(r"\s*[^\W\d_]{2}")
WHAT_TO_DO = (
    "Name the columns (--names age,sex,…; names=[…]), or leave them without names (--no-header; names=False). If the "
    "line does name them, say so (--header; names=True)."
)


def suspects(table: pa.Table) -> list[str]:
    """Return the names of columns that look like values; numbers that count up, such as years, do not.

    A line of names that is there twice, as in files that were put together, does not make them values.
    """
    rows = table.slice(0, ROWS)
    again = [pc.fill_null(pc.equal(rows.column(at), name), False) for at, name in enumerate(rows.column_names)]
    twice = reduce(pc.and_, again)
    numbers = [name for name in table.column_names if NUMBER.fullmatch(name.strip().removesuffix("."))]
    steps = {float(later) - float(earlier) for earlier, later in pairwise(numbers)}
    odd = set() if steps == {1.0} else set(numbers)
    return [
        name
        for at, name in enumerate(table.column_names)
        if name and (name in odd or pc.any(pc.and_not(again[at], twice)).as_py())
    ]


def check_first_line(path: Path, table: pa.Table, names: Names) -> None:
    """Refuse names that look like a row, unless `names` says that they are none, and a row that looks like names."""
    if names is None:
        _check_names(path, table)
    elif names is not True:
        _check_row(path, table)


def _check_names(path: Path, table: pa.Table) -> None:
    """Refuse a table if at least half of its names look like values."""
    odd = suspects(table)
    if odd and 2 * len(odd) >= table.num_columns:
        count = f"{len(odd)} of its {table.num_columns} names look" if table.num_columns > 1 else "its name looks"
        like = f"{count} like values of the columns, such as {', '.join(map(repr, odd[:3]))}"
        raise InputError(
            f"{path}, line 1: this line seems to be a row, not the names of the columns: {like}. {WHAT_TO_DO}"
        )


def _check_row(path: Path, table: pa.Table) -> None:
    """Refuse a first row with a word in each column of numbers, if hardly a value of it occurs again."""
    first, rest = table.slice(0, 1), table.slice(1, ROWS)
    words = [column[0].as_py() for column in first.columns if len(first)]
    numbers = [at for at in range(table.num_columns) if _are_numbers(rest.column(at))]
    if len(rest) < FEW_ROWS or not numbers or not all(WORD.match(words[at] or "") for at in numbers):
        return
    again = sum(pc.any(pc.equal(rest.column(at), word)).as_py() is True for at, word in enumerate(words))
    if 4 * again <= table.num_columns:
        raise InputError(
            f"{path}: its first line seems to name the columns, as {words[numbers[0]]!r} stands above numbers. Then "
            f"leave out --names and --no-header (names=…). If it is a row, write a line of names above it instead."
        )


def _are_numbers(column: pa.ChunkedArray) -> bool:
    """Say whether a column has numbers, and nothing else that begins like a word."""
    values = pc.unique(column).to_pylist()
    some = any(NUMBER.fullmatch(value.strip()) for value in values)
    return some and not any(WORD.match(value) for value in values)


def warning(table: pa.Table) -> str | None:
    """Return a sentence about names that look like values, if there are any."""
    odd = suspects(table)
    if not odd:
        return None
    few = ", ".join(map(repr, odd[:3]))
    return f"Some names of columns look like values: {few}. Is the first line a row? {WHAT_TO_DO}"
