"""A document as a PDF of A4 pages; needs matplotlib."""

from __future__ import annotations

from pathlib import Path

from shoal.documents.document import Bars, Beside, Code, Document, Grid, Line, Pairs, Part, Text
from shoal.documents.page_layout import INK, INNER, MARGIN, UNKNOWN, Paper, fitted, lines_of, width_of
from shoal.documents.plots import ALARM, CALM, GREY, OTHER

SIZE, STEP = 9.0, 13.0  # of the text, and from line to line; all in points
NAME_WIDTH = 118.0
CODE_SIZE = 7.5
GAP = 18.0  # between two columns


def write(document: Document, file: Path) -> None:
    """Write a document to a PDF file."""
    paper = Paper()
    paper.text(MARGIN, document.title, size=20, bold=True)
    paper.down += 30
    paper.text(MARGIN, fitted(document.about, SIZE, INNER), size=SIZE, color=GREY)
    paper.down += STEP
    for section in document.sections:
        paper.down += 12
        paper.room(160)
        paper.text(MARGIN, section.title, size=13, bold=True)
        paper.down += 22
        for part in section.parts:
            _draw(paper, part)
    if paper.lacking:
        _paragraph(
            paper, f"{UNKNOWN} replaces a character that the font does not have; the .html report shows it.", GREY
        )
    paper.save(file, document.title)


def _draw(paper: Paper, part: Part) -> None:
    match part:
        case Text():
            _paragraph(paper, part.text, {"note": GREY, "alarm": ALARM}.get(part.kind, INK))
            paper.down += 5
        case Pairs():
            for name, value in part.rows:
                _pair(paper, name, value)
            paper.down += 5
        case Grid():
            _grid(paper, part)
        case Code():
            for line in lines_of(part.text, CODE_SIZE, INNER - 12, mono=True):
                paper.room(11)
                paper.box(MARGIN, INNER, 11, "#f6f7f9")
                paper.text(MARGIN + 6, line, size=CODE_SIZE, mono=True)
                paper.down += 11
            paper.down += 8
        case Bars():
            _wide(paper, part)
        case Beside():
            _beside(paper, part)


def _paragraph(paper: Paper, text: str, color: str) -> None:
    for line in lines_of(text, SIZE, INNER):
        paper.room(STEP)
        paper.text(MARGIN, line, size=SIZE, color=color)
        paper.down += STEP


def _pair(paper: Paper, name: str, value: str) -> None:
    names, values = lines_of(name, SIZE, NAME_WIDTH - 8), lines_of(value, SIZE, INNER - NAME_WIDTH)
    paper.room(STEP * min(6, max(len(names), len(values))))
    for row in range(max(len(names), len(values))):
        paper.room(STEP)
        if row < len(names):
            paper.text(MARGIN, names[row], size=SIZE, color=GREY)
        if row < len(values):
            paper.text(MARGIN + NAME_WIDTH, values[row], size=SIZE)
        paper.down += STEP
    paper.down += 2


def _grid(paper: Paper, grid: Grid) -> None:
    """Draw a table whose columns after the first are equally wide and right-aligned."""
    column = 105.0
    for bold, row in ((True, grid.head), *((False, row) for row in grid.rows)):
        paper.room(STEP + 3)
        paper.text(MARGIN, fitted(row[0], SIZE, INNER - column * (len(row) - 1)), size=SIZE, bold=bold)
        for place, cell in enumerate(row[1:]):
            right = MARGIN + INNER - column * (len(row) - 2 - place)
            paper.text(right - width_of(cell, SIZE) * (1.06 if bold else 1), cell, size=SIZE, bold=bold)
        paper.down += STEP + 1
        paper.box(MARGIN, INNER, 0.5, "#e5e7eb")
        paper.down += 2
    paper.down += 6


def _wide(paper: Paper, bars: Bars) -> None:
    """Draw bars over the full width."""
    paper.room(3 * STEP)
    paper.text(MARGIN, bars.title, size=SIZE, color=GREY)
    paper.down += STEP
    for line in bars.lines:
        paper.room(STEP)
        _line(paper, line, MARGIN, NAME_WIDTH, INNER - NAME_WIDTH - 180, CALM)
        paper.down += STEP
    paper.down += 6


def _beside(paper: Paper, part: Beside) -> None:
    """Draw a heading and two columns of bars, all on one page."""
    longest = max(len(part.before.lines), len(part.after.lines))
    paper.room(STEP * (longest + 2) + 10)
    paper.text(MARGIN, fitted(part.title, 10, INNER), size=10, bold=True)
    paper.down += STEP + 3
    top, half = paper.down, (INNER - GAP) / 2
    for place, (bars, color) in enumerate(((part.before, CALM), (part.after, OTHER))):
        paper.down, left = top, MARGIN + place * (half + GAP)
        paper.text(left, bars.title, size=8, color=GREY)
        paper.down += STEP
        for line in bars.lines:
            _line(paper, line, left, half * 0.5, half * 0.5 - 46, color)
            paper.down += STEP
    paper.down = top + STEP * (longest + 1) + 8


def _line(paper: Paper, line: Line, left: float, name: float, bar: float, color: str) -> None:
    """Draw a name, a bar and its value."""
    paper.text(left, fitted(line.name, 8, name - 6), size=8)
    paper.bar(left + name, bar, line.share, color=color)
    paper.text(left + name + bar + 6, line.value, size=8, color=GREY)
