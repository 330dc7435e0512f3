"""A comparison in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from shoal.analysis.comparison.discussion import discussion
from shoal.analysis.comparison.page import cell_text, scales
from shoal.analysis.comparison.results import rank
from shoal.cli.show.tables import headed, side_by_side

if TYPE_CHECKING:
    from shoal.analysis.comparison.comparison import Comparison
    from shoal.analysis.comparison.results import Cell, Line


def show_comparison(comparison: Comparison, written: list[str], hint: str) -> None:
    """Print a table per measure, the discussion, the files that were written, and a hint if any."""
    console = Console()
    for along, lines in (("k", comparison.by_k), ("ℓ", comparison.by_l)):
        held = comparison.held(along)
        if len(lines) == 1:
            ((name, line),) = lines.items()
            titles = map(comparison.title, comparison.measures)
            _show(console, f"{name}{held}", [along, *titles], _of_one(line, comparison))
        elif lines:
            names = [along, *(name.replace(" ", "\n") for name in lines)]
            for measure in comparison.measures:
                _show(console, f"{comparison.title(measure)}{held}", names, _of_several(lines, measure, comparison))
    for paragraph in discussion(comparison):
        console.print(f"[bold]{paragraph.title}.[/] {escape(paragraph.text)}", highlight=False)
    for note in filter(None, [scales(comparison), *comparison.notes]):
        console.print(escape(note), style="dim", highlight=False)
    if written:
        console.print(f"written: {escape(', '.join(written))}", highlight=False)
    if hint:
        console.print(escape(hint), style="yellow")


def _show(console: Console, title: str, names: list[str], rows: list[list[Text]]) -> None:
    """Print a table; columns that do not fit side by side go into further tables, so that no figure is broken."""
    texts = [names, *([cell.plain for cell in row] for row in rows)]
    for columns in side_by_side(texts, console.width):
        headings = [names[column] for column in columns]
        table = headed(title, *headings, right=headings)
        for row in rows:
            table.add_row(*(row[column] for column in columns))
        console.print(table)


def _of_several(lines: dict[str, Line], measure: str, comparison: Comparison) -> list[list[Text]]:
    """Lay out one measure: k or ℓ by row, algorithms by column, the best of each row in green."""
    by_tick: dict[int, dict[str, Cell]] = {}
    for name, line in lines.items():
        for tick, cell in line:
            by_tick.setdefault(tick, {})[name] = cell
    rows = []
    for tick, cells in sorted(by_tick.items()):
        means = {
            name: rank(measure, mean) for name, cell in cells.items() if (mean := cell.middle(measure)) is not None
        }
        best = min(means.values()) if len(set(means.values())) > 1 else None
        texts = {name: cell_text(comparison, cells.get(name), measure) for name in lines}
        green = {name for name, mean in means.items() if mean == best}
        rows.append([Text(str(tick)), *(Text(text, "green" * (name in green)) for name, text in texts.items())])
    return rows


def _of_one(line: Line, comparison: Comparison) -> list[list[Text]]:
    """Lay out one algorithm: k or ℓ by row, measures by column."""
    return [
        [Text(str(tick)), *(Text(cell_text(comparison, cell, measure)) for measure in comparison.measures)]
        for tick, cell in line
    ]
