"""Plain tables and bars for the terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

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
