"""A comparison as an HTML page."""

from __future__ import annotations

from html import escape

from shoal.analysis.comparison.discussion import discussion
from shoal.analysis.comparison.phrases import figure, listed
from shoal.analysis.comparison.plots import figures
from shoal.analysis.comparison.results import Cell, Results
from shoal.documents import html_page
from shoal.metrics import METRICS

STYLE = """
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 1rem }
th, td { white-space: nowrap; padding-right: 1rem; font-size: 13px } p { max-width: 52rem }
h1 { overflow-wrap: anywhere }
"""


def html(results: Results) -> str:
    """Write the page: the discussion, the plots, a table for each measure, and notes on the measurement."""
    pictures = "".join(html_page.picture(plot, name.replace("_", " ")) for name, plot in figures(results).items())
    return html_page.page(
        f"Algorithms compared on {results.name}",
        *(html_page.paragraph(line, kind="note") for line in (heading(results), scales(results)) if line),
        html_page.section(
            "Discussion",
            *(f"<p><b>{escape(part.title)}.</b> {escape(part.text)}</p>" for part in discussion(results)),
        ),
        html_page.section("Plots", f'<div class="plots">{pictures}</div>'),
        html_page.section("Figures", *tables(results)),
        html_page.section("How they were measured", *map(html_page.paragraph, results.notes)),
        style=STYLE,
    )


def heading(results: Results) -> str:
    """Describe the compared table in one line."""
    secret = f", {', '.join(results.sensitive)} sensitive" if results.sensitive else ""
    said = f"{results.rows:,} rows, {len(results.quasi)} quasi-identifiers ({', '.join(results.quasi)}){secret}"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in said)


def scales(results: Results) -> str:
    """Describe the scale of each measure for which suppressing everything is the worst; empty without any."""
    ends = [f"{METRICS[name].short} from 0 to {figure(worst)}" for name, worst in results.suppressed.items()]
    return f"Scales: {listed(ends)}, where every cell is suppressed" if ends else ""


def tables(results: Results) -> list[str]:
    """Write for each measure a table of the algorithms by k, and by ℓ if it varies."""
    written = []
    for measure in results.measures:
        for along, lines in (("k", results.by_k), ("ℓ", results.by_l)):
            if lines:
                ticks = sorted({x for line in lines.values() for x, _ in line})
                head = [results.title(measure) + results.held(along), *(f"{along} = {tick}" for tick in ticks)]
                rows = [
                    [name, *(cell_text(results, dict(line).get(tick), measure) for tick in ticks)]
                    for name, line in lines.items()
                ]
                written.append(html_page.table(head, rows, numbers=range(1, len(head))))
    return written


def cell_text(results: Results, cell: Cell | None, measure: str, *, spread: bool = True) -> str:
    """Write the middle of a cell with its spread; – without a release."""
    if cell is None:
        return ""
    middle, deviation = cell.middle(measure), cell.spread(measure) if spread else 0.0
    if middle is None:
        return figure(None)
    even = not results.is_whole(measure)
    return figure(results.scaled(measure, middle), results.scaled(measure, deviation), even=even)
