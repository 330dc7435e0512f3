"""A comparison as a page for a browser."""

from __future__ import annotations

from html import escape

from shoal.analysis.comparison.discussion import discussion, figure
from shoal.analysis.comparison.plots import figures
from shoal.analysis.comparison.results import Cell, Line, Results, title
from shoal.documents import html_page

GRID = ".plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(24rem, 1fr)); gap: 1rem }"


def html(results: Results) -> str:
    """The whole page: the discussion, the plots, a table for each measure, and how the figures came about."""
    said = "".join(f"<li>{escape(sentence)}</li>" for sentence in discussion(results))
    drawn = "".join(html_page.picture(made, name.replace("_", " ")) for name, made in figures(results).items())
    return html_page.page(
        f"Algorithms compared on {results.name}",
        html_page.paragraph(heading(results), kind="note"),
        html_page.section("What the figures say", f"<ul>{said}</ul>"),
        html_page.section("Plots", f'<div class="plots">{drawn}</div>'),
        html_page.section("Figures", *tables(results)),
        html_page.section("How they came about", *map(html_page.paragraph, results.notes)),
        style=GRID,
    )


def heading(results: Results) -> str:
    """What was compared, in one line."""
    secret = f", {', '.join(results.sensitive)} sensitive" if results.sensitive else ""
    return f"{results.rows:,} rows, {len(results.quasi)} quasi-identifiers ({', '.join(results.quasi)}){secret}"


def tables(results: Results) -> list[str]:
    """For each measure the algorithms against k, and against ℓ where it varies."""
    made = []
    for measure in results.measures:
        for along, lines in (("k", results.by_k), ("ℓ", results.by_l)):
            if lines:
                ticks = sorted({x for line in lines.values() for x, _ in line})
                head = [title(measure), *(f"{along} = {tick}" for tick in ticks)]
                rows = [[name, *_cells(line, ticks, measure)] for name, line in lines.items()]
                made.append(html_page.table(head, rows, numbers=range(1, len(head))))
    return made


def _cells(line: Line, ticks: list[int], measure: str) -> list[str]:
    cells = dict(line)
    return [cell_text(cells.get(tick), measure) for tick in ticks]


def cell_text(cell: Cell | None, measure: str, *, spread: bool = True) -> str:
    """The mean of a cell with its spread, – without a release."""
    return "" if cell is None else figure(cell.mean(measure), cell.spread(measure) if spread else 0.0)
