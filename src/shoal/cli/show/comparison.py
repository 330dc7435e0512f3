"""A comparison in the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from shoal.analysis.comparison.discussion import discussion
from shoal.analysis.comparison.page import cell_text, scales
from shoal.analysis.comparison.results import rank
from shoal.cli.show.tables import headed

if TYPE_CHECKING:
    from rich.table import Table

    from shoal.analysis.comparison.comparison import Comparison
    from shoal.analysis.comparison.results import Cell, Line


def show_comparison(comparison: Comparison, written: list[str], hint: str) -> None:
    """Print a table per measure, the discussion, the files that were written, and a hint if any."""
    console = Console()
    for along, lines in (("k", comparison.by_k), ("ℓ", comparison.by_l)):
        if len(lines) == 1:
            console.print(_algorithm_table(lines, along, comparison))
        elif lines:
            for measure in comparison.measures:
                console.print(_measure_table(lines, measure, along, comparison))
    for paragraph in discussion(comparison):
        console.print(f"[bold]{paragraph.title}.[/] {escape(paragraph.text)}", highlight=False)
    for note in filter(None, [scales(comparison), *comparison.notes]):
        console.print(escape(note), style="dim", highlight=False)
    if written:
        console.print(f"written: {escape(', '.join(written))}", highlight=False)
    if hint:
        console.print(escape(hint), style="yellow")


def _measure_table(lines: dict[str, Line], measure: str, along: str, comparison: Comparison) -> Table:
    """Lay out one measure: k or ℓ by row, algorithms by column, the best of each row in green."""
    table = _empty(comparison.title(measure), along, lines, comparison)
    by_tick: dict[int, dict[str, Cell]] = {}
    for name, line in lines.items():
        for tick, cell in line:
            by_tick.setdefault(tick, {})[name] = cell
    for tick, cells in sorted(by_tick.items()):
        means = {
            name: rank(measure, mean) for name, cell in cells.items() if (mean := cell.middle(measure)) is not None
        }
        best = min(means.values()) if len(set(means.values())) > 1 else None
        texts = {name: cell_text(comparison, cells.get(name), measure) for name in lines}
        green = {name for name, mean in means.items() if mean == best}
        table.add_row(str(tick), *(f"[green]{text}[/]" if name in green else text for name, text in texts.items()))
    return table


def _algorithm_table(lines: dict[str, Line], along: str, comparison: Comparison) -> Table:
    """Lay out one algorithm: k or ℓ by row, measures by column."""
    name, line = next(iter(lines.items()))
    table = _empty(name, along, map(comparison.title, comparison.measures), comparison)
    for tick, cell in line:
        table.add_row(str(tick), *(cell_text(comparison, cell, measure) for measure in comparison.measures))
    return table


def _empty(name: str, along: str, columns: Iterable[str], comparison: Comparison) -> Table:
    fixed = f" at ℓ = {comparison.fixed_l}" if along == "k" else f" at k = {comparison.fixed_k}"
    headings = (along, *columns)
    return headed(f"{name}{fixed if comparison.by_l else ''}", *headings, right=headings)
