"""Cells that a spreadsheet would take for formulas, marked as text by an apostrophe.

Different texts stay different, as cells that have an apostrophe already get one more.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import InputError
from shoal.io.csv_output import text_of

FORMULA = r"'*[=+@\t\r\n-]"  # the beginning of a formula, or of a marked one
NUMBERS = r"^(-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)?$"


def formula_columns(table: pa.Table) -> list[str]:
    """Find the columns whose written cells begin like formulas; a column of numbers, such as -5, has none."""
    for name in table.column_names:
        if name[:1] in tuple("=+-@\t\r\n"):
            raise InputError(f"The name of column {name!r} begins like a formula: rename the column.")
    return [name for name in table.column_names if _has_formulas(table[name])]


def _has_formulas(column: pa.ChunkedArray) -> bool:
    if pa.types.is_integer(column.type) or pa.types.is_boolean(column.type):
        return False
    try:
        values = pc.unique(text_of(column)).drop_null()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return False  # the column is refused when it is written
    begins = pc.any(pc.match_substring_regex(values, f"^{FORMULA}")).as_py()
    return bool(begins and not pc.all(pc.match_substring_regex(values, NUMBERS)).as_py())


def marked(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """Put an apostrophe before each cell of these columns that begins like a formula."""
    return _replaced(table, names, f"^({FORMULA})", r"'\1")


def unmarked(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """Remove the apostrophes that `marked` added."""
    return _replaced(table, names, f"^'({FORMULA})", r"\1")


def _replaced(table: pa.Table, names: Sequence[str], pattern: str, by: str) -> pa.Table:
    for name in names:
        column = pc.replace_substring_regex(text_of(table[name]), pattern=pattern, replacement=by)
        table = table.set_column(table.schema.names.index(name), name, column)
    return table
