"""A comparison as an HTML page."""

from __future__ import annotations

from html import escape

from shoal.analysis.comparison.discussion import discussion, figure
from shoal.analysis.comparison.plots import figures
from shoal.analysis.comparison.results import Cell, Results, title
from shoal.documents import html_page

GRID = ".plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(24rem, 1fr)); gap: 1rem }"


def html(results: Results) -> str:
    """Write the page: the discussion, the plots, a table for each measure, and notes on the measurement."""
    sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in discussion(results))
    pictures = "".join(html_page.picture(plot, name.replace("_", " ")) for name, plot in figures(results).items())
    return html_page.page(
        f"Algorithms compared on {results.name}",
        html_page.paragraph(heading(results), kind="note"),
        html_page.section("What the figures say", f"<ul>{sentences}</ul>"),
        html_page.section("Plots", f'<div class="plots">{pictures}</div>'),
        html_page.section("Figures", *tables(results)),
        html_page.section("How they were measured", *map(html_page.paragraph, results.notes)),
        style=GRID,
    )


def heading(results: Results) -> str:
    """Describe the compared table in one line."""
    secret = f", {', '.join(results.sensitive)} sensitive" if results.sensitive else ""
    return f"{results.rows:,} rows, {len(results.quasi)} quasi-identifiers ({', '.join(results.quasi)}){secret}"


def tables(results: Results) -> list[str]:
    """Write for each measure a table of the algorithms by k, and by ℓ if it varies."""
    written = []
    for measure in results.measures:
        for along, lines in (("k", results.by_k), ("ℓ", results.by_l)):
            if lines:
                ticks = sorted({x for line in lines.values() for x, _ in line})
                head = [title(measure), *(f"{along} = {tick}" for tick in ticks)]
                rows = [
                    [name, *(cell_text(dict(line).get(tick), measure) for tick in ticks)]
                    for name, line in lines.items()
                ]
                written.append(html_page.table(head, rows, numbers=range(1, len(head))))
    return written


def cell_text(cell: Cell | None, measure: str, *, spread: bool = True) -> str:
    """Write the mean of a cell with its spread; – without a release."""
    return "" if cell is None else figure(cell.mean(measure), cell.spread(measure) if spread else 0.0)
