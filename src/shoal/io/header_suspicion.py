"""A first line that looks like a row: its "names" are numbers, or values that occur again in their columns.

Such a row would not be protected at all: every release names its columns.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.value_order import NUMBER
from shoal.errors import InputError

ROWS = 10_000  # that are looked at
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


def check_header(path: Path, table: pa.Table) -> None:
    """Refuse a table if at least half of its names look like values."""
    odd = suspects(table)
    if odd and 2 * len(odd) >= table.num_columns:
        count = f"{len(odd)} of its {table.num_columns} names look" if table.num_columns > 1 else "its name looks"
        like = f"{count} like values of the columns, such as {', '.join(map(repr, odd[:3]))}"
        raise InputError(
            f"{path}, line 1: this line seems to be a row, not the names of the columns: {like}. {WHAT_TO_DO}"
        )


def warning(table: pa.Table) -> str | None:
    """Return a sentence about names that look like values, if there are any."""
    odd = suspects(table)
    if not odd:
        return None
    few = ", ".join(map(repr, odd[:3]))
    return f"Some names of columns look like values: {few}. Is the first line a row? {WHAT_TO_DO}"
