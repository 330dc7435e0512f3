"""Plain tables and bars for the terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

BAR_WIDTH = 20


def bar(share: float) -> str:
    """Draw a share from 0 to 1 as a bar."""
    filled = round(share * BAR_WIDTH)
    return "█" * filled + "·" * (BAR_WIDTH - filled)


def count_and_share(count: int, total: int) -> str:
    """Format a count and its share of a total."""
    return f"{count:,} ({count / max(1, total):.1%})"


def headed(title: str, *headings: str, right: Collection[str] = (), **style: Any) -> Table:
    """Make a table with headings; those in `right` are right-aligned."""
    table = Table(title=escape(title), title_justify="left", **style)
    for heading in headings:
        table.add_column(escape(heading), justify="right" if heading in right else "left", overflow="fold")
    return table


def show_facts(title: str, facts: Mapping[str, str]) -> None:
    """Print facts as a table of two columns."""
    table = headed(title, show_header=False, box=None, padding=(0, 2))
    for name, value in facts.items():
        table.add_row(escape(name), escape(value))
    Console().print(table)


def show_rows(title: str, columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print rows of a table."""
    table = headed(title, *columns)
    for row in rows:
        table.add_row(*(escape("" if cell is None else str(cell)) for cell in row))
    Console().print(table)


def side_by_side(lines: Sequence[Sequence[str]], width: int) -> list[list[int]]:
    """Divide columns into tables that are as wide as the terminal at most; each begins with the first column."""
    first, *others = [
        max(cell_len(line) for cell in cells for line in cell.split("\n")) + 3 for cells in zip(*lines, strict=True)
    ]
    tables: list[list[int]] = [[0]]
    used = first + 1
    for column, wide in enumerate(others, start=1):
        if used + wide > width and len(tables[-1]) > 1:
            tables.append([0])
            used = first + 1
        tables[-1].append(column)
        used += wide
    return tables
