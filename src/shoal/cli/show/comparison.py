"""A comparison in the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from shoal.analysis.comparison.discussion import discussion, rank
from shoal.analysis.comparison.page import cell_text
from shoal.analysis.comparison.results import title

if TYPE_CHECKING:
    from shoal.analysis.comparison.comparison import Comparison
    from shoal.analysis.comparison.results import Cell, Line


def comparison(found: Comparison, written: list[str], lacking: str) -> None:
    """A table for each measure against k and ℓ, what the figures say, and where everything is."""
    console = Console()
    for along, lines in (("k", found.by_k), ("ℓ", found.by_l)):
        if len(lines) == 1:
            console.print(_alone(lines, along, found))
        elif lines:
            for measure in found.measures:
                console.print(_table(lines, measure, along, found))
    for sentence in discussion(found):
        console.print(f"• {escape(sentence)}", highlight=False)
    for note in found.notes:
        console.print(escape(note), style="dim", highlight=False)
    if written:
        console.print(f"written: {escape(', '.join(written))}", highlight=False)
    if lacking:
        console.print(escape(lacking), style="yellow")


def _table(lines: dict[str, Line], measure: str, along: str, found: Comparison) -> Table:
    """One measure: a k or ℓ in each row, an algorithm in each column, the best of each row in green."""
    made = _empty(title(measure), along, lines, found)
    by_tick: dict[int, dict[str, Cell]] = {}
    for name, line in lines.items():
        for tick, cell in line:
            by_tick.setdefault(tick, {})[name] = cell
    for tick, cells in sorted(by_tick.items()):
        means = {name: rank(measure, mean) for name, cell in cells.items() if (mean := cell.mean(measure)) is not None}
        best = min(means.values()) if len(set(means.values())) > 1 else None
        texts = {name: cell_text(cells.get(name), measure) for name in lines}
        green = {name for name, mean in means.items() if mean == best}
        made.add_row(str(tick), *(f"[green]{text}[/]" if name in green else text for name, text in texts.items()))
    return made


def _alone(lines: dict[str, Line], along: str, found: Comparison) -> Table:
    """One algorithm: a k or ℓ in each row, a measure in each column."""
    name, line = next(iter(lines.items()))
    made = _empty(name, along, map(title, found.measures), found)
    for tick, cell in line:
        made.add_row(str(tick), *(cell_text(cell, measure) for measure in found.measures))
    return made


def _empty(name: str, along: str, columns: Iterable[str], found: Comparison) -> Table:
    fixed = (f" at ℓ = {found.fixed_l}" if along == "k" else f" at k = {found.fixed_k}") if found.by_l else ""
    made = Table(title=escape(f"{name}{fixed}"), title_justify="left", header_style="bold")
    made.add_column(along, justify="right")
    for column in columns:
        made.add_column(escape(column), justify="right", overflow="fold")
    return made
