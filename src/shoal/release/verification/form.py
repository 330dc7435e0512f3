"""Form: where a released table is, which decides how exactly its types and missing values can be compared."""

from __future__ import annotations

from typing import Literal

Form = Literal["frame", "batch", "file", "database", "text"]


def row_name(row: int, form: Form) -> str:
    """Name a row in a message; the number of rows before a batch is not known."""
    return f"row {row + 1} of a batch" if form == "batch" else f"row {row + 1}"
