"""A comparison as one page of A4 paper: panels, tables and a discussion."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from shoal.comparison.comparison import title
from shoal.comparison.discussion import TIME, discussion
from shoal.comparison.page import cell_text, heading
from shoal.comparison.plots import draw as draw_panel
from shoal.comparison.plots import draw_relative, draw_trade_off
from shoal.plotting import GREY, matplotlib

if TYPE_CHECKING:
    from shoal.comparison.comparison import Comparison, Line

WIDTH, HEIGHT = 8.27, 11.69  # A4 in inches
MARGIN = 0.5
PANEL, GAP = 1.25, 0.45  # inches: the height of a panel, and what is between two
TEXT = 7.4  # points
LINE = 0.142  # inches from line to line
ROWS = 16  # of a table over all measures
CELLS = 9  # columns of a table; with more k every second or third is shown


def draw(found: Comparison) -> Any:
    """The page."""
    figure = matplotlib("figure").Figure(figsize=(WIDTH, HEIGHT), facecolor="white")
    top = _head(figure, found)
    top = _panels(figure, found, top)
    top = _tables(figure, found, top)
    _discuss(figure, found, top)
    return figure


def _head(figure: Any, found: Comparison) -> float:
    """The title and what was compared; returns how far down the page it goes, in inches."""
    _write(figure, MARGIN + 0.1, f"Anonymization algorithms compared on {found.name}", size=13, weight="bold")
    lines = wrap(heading(found), 150)[:2]
    for number, line in enumerate(lines):
        _write(figure, MARGIN + 0.36 + number * LINE, line, size=TEXT, color=GREY)
    return MARGIN + 0.36 + len(lines) * LINE


def _legend(figure: Any, found: Comparison, top: float) -> None:
    """The algorithms with their colours and marks above the panels."""
    marks, names = figure.axes[0].get_legend_handles_labels()
    figure.legend(
        marks,
        names,
        loc="upper left",
        bbox_to_anchor=((MARGIN - 0.05) / WIDTH, 1 - top / HEIGHT),
        ncols=_legend_columns(found),
        fontsize=TEXT,
        frameon=False,
        columnspacing=1.4,
        borderpad=0,
    )


def _legend_columns(found: Comparison) -> int:
    longest = max(len(name) for name in found.algorithms)
    return min(len(found.algorithms), max(1, 120 // (longest + 7)))


def _legend_lines(found: Comparison) -> int:
    return -(-len(found.algorithms) // _legend_columns(found))


def _panels(figure: Any, found: Comparison, top: float) -> float:
    """Each measure against k and ℓ; where ℓ does not vary, against k and time."""
    measures = found.measures[:3]
    costs = [measure for measure in measures if measure != TIME]
    left, right, middle = MARGIN + 0.35, WIDTH - MARGIN, 0.55
    width = (right - left - middle) / 2
    above, top = top, top + 0.32 + 0.17 * _legend_lines(found)
    for row, measure in enumerate(measures):
        begin = top + row * (PANEL + GAP)
        places = [(left + column * (width + middle), begin) for column in (0, 1)]
        axes = [
            figure.add_axes((x / WIDTH, 1 - (y + PANEL) / HEIGHT, width / WIDTH, PANEL / HEIGHT)) for x, y in places
        ]
        draw_panel(axes[0], found, measure, "k", legend=False, size=8)
        if found.by_l:
            draw_panel(axes[1], found, measure, "l", legend=False, size=8)
        elif measure != TIME and TIME in found.measures:
            draw_trade_off(axes[1], found, measure, legend=False, size=8)
        elif costs:
            draw_relative(axes[1], found, costs[0], size=8)
        else:
            axes[1].remove()
    _legend(figure, found, above - 0.02)
    return top + len(measures) * (PANEL + GAP) - GAP + 0.42


def _tables(figure: Any, found: Comparison, top: float) -> float:
    """The means against k and, below them, against ℓ."""
    for along, lines in (("k", found.by_k), ("ℓ", found.by_l)):
        if lines:
            top = _table(figure, found, lines, along, top)
    return top + 0.1


def _table(figure: Any, found: Comparison, lines: dict[str, Line], along: str, top: float) -> float:
    """One table, its rows by measure and algorithm; returns where it ends."""
    ticks = sorted({x for line in lines.values() for x, _ in line})
    ticks = ticks[:: 1 + (len(ticks) - 1) // CELLS]
    alone = len(lines) == 1
    rows: list[tuple[str, str, Line]] = []
    for measure in _fitting(found.measures, len(lines)):
        rows += [(measure, title(measure) if alone else name, line) for name, line in list(lines.items())[:ROWS]]
    names = max(1.15, 0.056 * max(len(name) for _, name, _ in rows))
    step = (WIDTH - 2 * MARGIN - names) / len(ticks)
    size = TEXT - 0.5

    def write_line(name: str, cells: list[str], **style: Any) -> None:
        _write(figure, top, name, size=size, **style)
        for number, cell in enumerate(cells):
            _write(figure, top, cell, x=MARGIN + names + (number + 1) * step, size=size, align="right", **style)

    before = None
    for measure, name, line in rows:
        if measure != before and not (alone and before):
            top += 0.05
            heads = [f"{along} = {tick}" for tick in ticks]
            write_line(next(iter(lines)) if alone else title(measure), heads, color=GREY, weight="bold")
            top += LINE
        cells = dict(line)
        texts = [cell_text(cells.get(tick), measure) for tick in ticks]
        short = [cell_text(cells.get(tick), measure, spread=False) for tick in ticks]
        write_line(name, texts if max(map(len, texts)) * 0.053 < step else short)
        top += LINE * 0.9
        before = measure
    return top + 0.05


def _fitting(measures: tuple[str, ...], lines: int) -> list[str]:
    """The measures that there is room for: the first three, or the first and the time, or the first."""
    few = [measures[0], TIME] if TIME in measures else list(measures[:2])
    for chosen in (list(measures[:3]), list(dict.fromkeys(few))):
        if len(chosen) * lines <= ROWS:
            return chosen
    return [measures[0]]


def _discuss(figure: Any, found: Comparison, top: float) -> None:
    """What the figures say, in a type that is as small as it must be to fit."""
    said = discussion(found)
    room = HEIGHT - MARGIN - top
    for size in (TEXT, 7.0, 6.6, 6.2, 5.8, 5.4, 5.0):
        lines = _filled([*said], size) + _filled(["", *found.notes], size - 0.4)
        step = LINE * size / TEXT
        if (len(lines) + 1) * step <= room:
            break
    _write(figure, top + 0.05, "What the figures say", size=TEXT + 1, weight="bold")
    for number, line in enumerate(lines[: int(room / step) - 1]):
        _write(figure, top + 0.05 + (number + 1.2) * step, line, size=size)


def _filled(sentences: list[str], size: float) -> list[str]:
    """Sentences as lines of the page's width, each beginning with a dot."""
    signs = int((WIDTH - 2 * MARGIN) * 72 / (size * 0.53))
    found = []
    for sentence in sentences:
        found += wrap(sentence, signs, initial_indent="• " if sentence else "", subsequent_indent="  ")
    return found


def _write(
    figure: Any, down: float, text: str, *, x: float = MARGIN, size: float, align: str = "left", **style: Any
) -> None:
    """Text at so many inches from the top and the left."""
    plain = text.replace("$", r"\$")
    figure.text(x / WIDTH, 1 - down / HEIGHT, plain, fontsize=size, ha=align, va="baseline", **style)
