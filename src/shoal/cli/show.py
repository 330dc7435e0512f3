"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from shoal.hierarchy import Hierarchy
    from shoal.release import Report

BAR = 20


def bar(share: float) -> str:
    """A share from 0 to 1 as a bar."""
    return "█" * round(share * BAR) + "·" * (BAR - round(share * BAR))


def facts(title: str, rows: Mapping[str, str]) -> None:
    """A two-column table of facts."""
    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2))
    for name, value in rows.items():
        table.add_row(escape(name), escape(value))
    Console().print(table)


def rows(title: str, columns: Iterable[str], lines: Iterable[Iterable[Any]]) -> None:
    """The first rows of a frame."""
    table = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        table.add_column(escape(column), overflow="fold")
    for line in lines:
        table.add_row(*(escape("" if cell is None else str(cell)) for cell in line))
    Console().print(table)


def report(found: Report, *, took: str, written: str | None) -> None:
    """What a release keeps and what it costs."""
    metrics = found.metrics
    kept = f"{found.parameters['model']}, verified from the released labels"
    facts(
        "Release",
        {
            "promise": kept,
            "rows": f"{found.rows:,}"
            + (f", {found.suppressed_rows:,} suppressed" if found.suppressed_rows else "")
            + (f", {found.dropped_rows:,} with missing values dropped" if found.dropped_rows else ""),
            "classes": f"{found.classes:,} of {found.k:,} rows or more, {metrics['average_class_size']:.1f} on average",
            **{
                f"different {name}": f"at least {count} in each class"
                for name, count in found.distinct_sensitive.items()
            },
            "loss (LM)": f"{metrics['loss']:.4f} per cell, from 0 (nothing changed) to 1 (nothing left)",
            "certainty penalty (NCP)": f"{100 * metrics['certainty_penalty']:.2f} %",
            "distortion (MD)": f"{metrics['distortion']:,} steps up the hierarchies",
            "discernibility (DM)": f"{metrics['discernibility']:,}",
            "algorithm": str(found.parameters["algorithm"]),
            "time": took,
            "written": written or "nothing: name a file with -o",
        },
    )
    table = Table(title="Loss by attribute", title_justify="left", show_header=False, box=None, padding=(0, 2))
    for name, value in found.loss_by_attribute.items():
        table.add_row(escape(name), f"{value:.4f}", bar(value))
    Console().print(table)


def tree(hierarchy: Hierarchy, *, limit: int) -> None:
    """A hierarchy with the number of values under each node."""
    console = Console(highlight=False, soft_wrap=True)
    for shown, (depth, label, size) in enumerate(hierarchy.walk()):
        if shown == limit:
            console.print(f"… and {len(hierarchy.labels) - limit:,} more lines (--limit shows more)")
            return
        console.print("  " * depth + escape(label) + (f" [dim]({size:,})[/dim]" if size > 1 else ""))
