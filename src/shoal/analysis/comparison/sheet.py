"""A comparison as one A4 page: panels, tables and a discussion."""

from __future__ import annotations

from itertools import product
from math import ceil
from textwrap import shorten
from typing import Any, NamedTuple

from shoal.analysis.comparison.discussion import discussion
from shoal.analysis.comparison.page import cell_text, heading, scales
from shoal.analysis.comparison.plots import draw as draw_panel, draw_relative, draw_trade_off
from shoal.analysis.comparison.results import TIME, Line, Results
from shoal.documents.page_layout import INK, PALE, lines_of, width_of
from shoal.documents.plots import GREY, matplotlib

WIDTH, HEIGHT = 8.27, 11.69  # A4 in inches
MARGIN = 0.5
GAP = 0.45  # inches between two panels
LINE = 0.142  # inches from line to line of 7.4 point type
SMALL = 0.86  # of the notes, as a share of the type of the discussion
TABLE_SIZE = 6.9  # points
EXACT = 20  # text is measured so much larger, as in small type the advances of characters are rounded to points
INNER = (WIDTH - 2 * MARGIN) * 72  # points
MAX_COLUMNS = 9  # of a table; with more k, every second or third is shown
ORDINALS = {2: "second", 3: "third"}
MORE_IN_PAGE = "… more in index.html."


class Layout(NamedTuple):
    """The height of a panel, the number of measures in the tables, and the type size of the discussion."""

    panel: float
    measures: int
    size: float


def draw(results: Results) -> Any:
    """Draw the page in the first layout in which everything fits."""
    figure = matplotlib("figure").Figure(figsize=(WIDTH, HEIGHT), facecolor="white")
    top = _head(figure, results)
    fewer = range(len(results.measures[:3]), -1, -1)
    choices = product(fewer, (8.0, 7.6, 7.2, 6.8, 6.2), (1.25, 1.1, 0.95, 0.8))
    layouts = [Layout(panel, measures, size) for measures, size, panel in choices]
    layout = next((choice for choice in layouts if _needed(results, choice) <= HEIGHT - MARGIN - top), layouts[-1])
    top = _panels(figure, results, layout, top)
    top = _tables(figure, results, layout, top)
    _discuss(figure, results, layout, top)
    return figure


def _needed(results: Results, layout: Layout) -> float:
    """Return the inches that a layout takes below the head."""
    panels = 0.32 + 0.17 * _legend_lines(results) + len(results.measures[:3]) * (layout.panel + GAP) - GAP + 0.42
    tables = sum(_table_height(results, lines, layout) for lines in (results.by_k, results.by_l) if lines)
    return panels + tables + 0.12 + sum(line.step for line in _text(results, layout))


def _head(figure: Any, results: Results) -> float:
    """Write the title and the compared table; return the inches used."""
    _write(figure, MARGIN + 0.1, _title(results.name), size=13, weight="bold")
    about = ". ".join(filter(None, [shorten(heading(results), 290, placeholder=" …"), scales(results)])) + "."
    lines = _wrapped(about, 7.4)
    for number, line in enumerate(lines):
        _write(figure, MARGIN + 0.36 + number * LINE, line, size=7.4, color=GREY)
    return MARGIN + 0.36 + len(lines) * LINE


def _title(name: str) -> str:
    """Return the title with as much of the table's name as the page is wide."""
    title = f"Anonymization algorithms compared on {name}"
    while width_of(title, EXACT * 13, bold=True) > EXACT * INNER:
        title = title.removesuffix("…")[:-1].rstrip() + "…"
    return title


def _panels(figure: Any, results: Results, layout: Layout, top: float) -> float:
    """Draw each measure against k and ℓ; if ℓ does not vary, against k and time."""
    measures = results.measures[:3]
    costs = [measure for measure in measures if measure != TIME]
    left, right, middle = MARGIN + 0.35, WIDTH - MARGIN, 0.55
    width = (right - left - middle) / 2
    above, top = top, top + 0.32 + 0.17 * _legend_lines(results)
    for row, measure in enumerate(measures):
        bottom = 1 - (top + row * (layout.panel + GAP) + layout.panel) / HEIGHT
        places = [(left + column * (width + middle)) / WIDTH for column in (0, 1)]
        left_axes, right_axes = (figure.add_axes((x, bottom, width / WIDTH, layout.panel / HEIGHT)) for x in places)
        draw_panel(left_axes, results, measure, "k", legend=False, size=8)
        if results.by_l:
            draw_panel(right_axes, results, measure, "l", legend=False, size=8)
        elif measure != TIME and TIME in results.measures:
            draw_trade_off(right_axes, results, measure, legend=False, size=8)
        elif costs and len(results.algorithms) > 1:
            draw_relative(right_axes, results, costs[0], size=8)
        else:
            right_axes.remove()
    _legend(figure, results, above - 0.02)
    return top + len(measures) * (layout.panel + GAP) - GAP + 0.42


def _legend(figure: Any, results: Results, top: float) -> None:
    """Draw the algorithms with their colours and markers above the panels."""
    marks, names = figure.axes[0].get_legend_handles_labels()
    figure.legend(
        marks,
        [name.replace("$", r"\$") for name in names],
        loc="upper left",
        bbox_to_anchor=((MARGIN - 0.05) / WIDTH, 1 - top / HEIGHT),
        ncols=_legend_columns(results),
        fontsize=7.4,
        frameon=False,
        columnspacing=1.4,
        borderpad=0,
    )


def _legend_columns(results: Results) -> int:
    longest = max(len(name) for name in results.algorithms)
    return min(len(results.algorithms), max(1, 120 // (longest + 7)))


def _legend_lines(results: Results) -> int:
    return -(-len(results.algorithms) // _legend_columns(results))


def _tables(figure: Any, results: Results, layout: Layout, top: float) -> float:
    """Write the means by k and, below them, by ℓ."""
    for along, lines in (("k", results.by_k), ("ℓ", results.by_l)):
        if lines:
            _table(figure, results, lines, along, layout, top)
            top += _table_height(results, lines, layout)
    return top


def _shown(results: Results, layout: Layout) -> list[str]:
    """Return the measures in the tables."""
    few = [results.measures[0], TIME] if TIME in results.measures else list(results.measures[:2])
    return list(results.measures[:3]) if layout.measures == 3 else list(dict.fromkeys(few))[: layout.measures]


def _ticks(lines: dict[str, Line]) -> tuple[list[int], int]:
    """Return the k (or ℓ) of a table, and how many there are for each one that is shown."""
    ticks = sorted({x for line in lines.values() for x, _ in line})
    step = 1 + (len(ticks) - 1) // MAX_COLUMNS
    return ticks[::step], step


def _left_out(results: Results, layout: Layout) -> str:
    """Say what the tables do not show; empty if they show everything."""
    missing = [results.title(measure) for measure in results.measures if measure not in _shown(results, layout)]
    each = {symbol: _ticks(lines)[1] for symbol, lines in (("k", results.by_k), ("ℓ", results.by_l)) if lines}
    few = [f"only every {ORDINALS.get(step, f'{step}th')} {symbol}" for symbol, step in each.items() if step > 1]
    parts = [*few, *([f"no {' and no '.join(missing)}"] if missing else [])]
    return f"The tables here show {' and '.join(parts)}: index.html has all." if parts else ""


def _blocks(results: Results, lines: dict[str, Line], layout: Layout) -> list[tuple[str, list[tuple[str, str]]]]:
    """Split a table into parts: a heading, and rows of a name and a measure; one algorithm has a single part."""
    measures = _shown(results, layout)
    held = results.held("k" if lines is results.by_k else "ℓ").replace(" at", ",")
    if len(lines) == 1 and measures:
        return [(f"{next(iter(lines))}{held}", [(results.title(measure), measure) for measure in measures])]
    return [(f"{results.title(measure)}{held}", [(name, measure) for name in lines]) for measure in measures]


def _table_height(results: Results, lines: dict[str, Line], layout: Layout) -> float:
    return sum(0.05 + LINE + len(rows) * LINE * 0.9 for _, rows in _blocks(results, lines, layout)) + 0.05


def _table(figure: Any, results: Results, lines: dict[str, Line], along: str, layout: Layout, top: float) -> None:
    """Write one table."""
    ticks, _ = _ticks(lines)
    names = max(1.15, 0.056 * max(len(name) for name in (*lines, *map(results.title, results.measures))))
    step = (WIDTH - 2 * MARGIN - names) / len(ticks)

    def write_line(name: str, cells: list[str], **style: Any) -> None:
        _write(figure, top, name, size=TABLE_SIZE, **style)
        for number, cell in enumerate(cells):
            _write(figure, top, cell, x=MARGIN + names + (number + 1) * step, size=TABLE_SIZE, align="right", **style)

    for head, rows in _blocks(results, lines, layout):
        top += 0.05
        write_line(head, [f"{along} = {tick}" for tick in ticks], color=GREY, weight="bold")
        _rule(figure, top + 0.045)
        top += LINE
        for name, measure in rows:
            cells = dict(next(iter(lines.values())) if len(lines) == 1 else lines[name])
            texts = [cell_text(results, cells.get(tick), measure) for tick in ticks]
            short = [cell_text(results, cells.get(tick), measure, spread=False) for tick in ticks]
            write_line(name, texts if (max(map(len, texts)) + 1) * 0.053 < step else short)
            top += LINE * 0.9


class Printed(NamedTuple):
    """A line of text: its bold beginning, the rest, its size in points, its colour, and the inches down to it."""

    head: str
    text: str
    size: float
    color: str
    step: float


def _rule(figure: Any, down: float) -> None:
    """Draw a thin line under the head of a table."""
    ends, level = [MARGIN / WIDTH, 1 - MARGIN / WIDTH], [1 - down / HEIGHT] * 2
    figure.add_artist(matplotlib("lines").Line2D(ends, level, color=PALE, linewidth=0.8))


def _text(results: Results, layout: Layout) -> list[Printed]:
    """Wrap the discussion, a paragraph under each other, and then the notes to the page's width."""
    lines, size = [], layout.size
    step = LINE * size / 7.4
    notes = " ".join(filter(None, [*results.notes, _left_out(results, layout)]))
    for paragraph in discussion(results):
        head = f"{paragraph.title}."
        hole = " " * ceil(2 + width_of(head, EXACT * size, bold=True) / width_of(" ", EXACT * size))
        for number, line in enumerate(_wrapped(hole + paragraph.text, size)):
            first = number == 0
            lines.append(Printed(head if first else "", line, size, INK, step * (1.35 if first else 1)))
    for number, line in enumerate(_wrapped(notes, size * SMALL)):
        lines.append(Printed("", line, size * SMALL, GREY, step * (1.5 if number == 0 else SMALL)))
    return lines


def _wrapped(text: str, size: float) -> list[str]:
    """Wrap a text to the page's width."""
    return lines_of(text, EXACT * size, EXACT * INNER)


def _discuss(figure: Any, results: Results, layout: Layout, top: float) -> None:
    """Write the discussion; what does not fit even in the smallest type is only on the HTML page."""
    for line in _text(results, layout):
        if top + line.step > HEIGHT - MARGIN:
            _write(figure, top + line.step, MORE_IN_PAGE, size=layout.size)
            return
        top += line.step
        begin = MARGIN
        if line.head:
            _write(figure, top, line.head, size=line.size, color=line.color, weight="bold")
            begin += (width_of(line.head, EXACT * line.size, bold=True) / EXACT + line.size / 2) / 72
        _write(figure, top, line.text.lstrip(), x=begin, size=line.size, color=line.color)


def _write(
    figure: Any, down: float, text: str, *, x: float = MARGIN, size: float, align: str = "left", **style: Any
) -> None:
    """Write text at so many inches from the top and the left."""
    plain = text.replace("$", r"\$")
    figure.text(x / WIDTH, 1 - down / HEIGHT, plain, fontsize=size, ha=align, va="baseline", **style)
