"""HTML pages in one file: no scripts, and nothing that a browser would have to fetch."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Mapping
from html import escape
from io import StringIO
from typing import Any, TypeVar

import narwhals as nw

from shoal.documents.plots import matplotlib

S = TypeVar("S", bound="Summary")
MAX_ROWS, MAX_COLUMNS, MAX_CHARACTERS = 5, 12, 40  # in a summary; characters of a cell
FLOWING = "display: flex; flex-wrap: wrap; gap: 0 1.5em"
LEFT, NARROW = "text-align: left", "; white-space: nowrap"
STYLE = """
:root { --ink: #1f2937; --grey: #6b7280; --line: #e5e7eb; --calm: #33658a; --alarm: #c8553d; --other: #7a9e7e }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 72rem; margin: 0 auto; padding: 2rem }
h1 { font-size: 1.7rem; margin: 0 0 .3rem } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem }
table { border-collapse: collapse; margin: .4rem 0 1rem } th { font-weight: 600; white-space: nowrap }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
td { overflow-wrap: break-word; max-width: 40rem }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
pre { background: #f6f7f9; padding: .8rem 1rem; overflow-x: auto; border-radius: 4px; font-size: 13px }
svg { max-width: 100%; height: auto } .note { color: var(--grey) } .alarm { color: var(--alarm) }
.scroll { overflow-x: auto }
.bars { border: 0; width: 100%; margin: 0 0 .6rem; table-layout: fixed }
.bars td { border: 0; padding: .1rem .6rem .1rem 0 } .bars caption { text-align: left; color: var(--grey) }
.bars td:first-child { width: 38% } .bars td:last-child { width: 32% } .bars .number { white-space: normal }
.track { background: var(--line); border-radius: 2px; margin-top: .35rem }
.track div { background: var(--calm); height: .7rem; border-radius: 2px; print-color-adjust: exact;
  -webkit-print-color-adjust: exact }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 2rem;
  align-items: start }
.beside .bars td:last-child { width: 5rem } .beside .bars td:first-child { width: 46% }
.beside > :last-child .track div { background: var(--other) }
@media print { body { padding: 0; font-size: 11px } h2, h3 { break-after: avoid } table, svg { break-inside: avoid }
  pre { font-size: 10px; white-space: pre-wrap; overflow-wrap: anywhere } .beside { grid-template-columns: 1fr 1fr } }
"""


def page(title: str, *parts: str, style: str = "") -> str:
    """Build a page from parts that are HTML."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    head += f"<style>{STYLE}{style}</style>"
    body = "\n".join([f"<h1>{escape(title)}</h1>", *parts])
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def section(title: str, *parts: str) -> str:
    """Write a heading and its content."""
    return "\n".join([f"<section><h2>{escape(title)}</h2>", *parts, "</section>"])


def paragraph(text: str, *, kind: str = "") -> str:
    """Write a paragraph; `kind` is `note`, `alarm` or empty."""
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def code(text: str) -> str:
    """Lines of code."""
    return f"<pre><code>{escape(text)}</code></pre>"


def facts(rows: Mapping[str, str]) -> str:
    """Names with their descriptions."""
    lines = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return f"<table>{lines}</table>"


def table(head: Iterable[str], rows: Iterable[Iterable[object]], *, numbers: Collection[int] = ()) -> str:
    """Write a table; the columns with these numbers are right-aligned."""

    def line(tag: str, cells: Iterable[object]) -> str:
        written = (
            f"<{tag}{' class=number' if column in numbers else ''}>{escape(str(cell))}</{tag}>"
            for column, cell in enumerate(cells)
        )
        return f"<tr>{''.join(written)}</tr>"

    body = "".join(line("td", row) for row in rows)
    return f'<div class="scroll"><table><thead>{line("th", head)}</thead><tbody>{body}</tbody></table></div>'


def bars(title: str, rows: Iterable[tuple[str, float, str]]) -> str:
    """Write a list of bars, each with a name, a length from 0 to 1, and its value as text."""
    lines = "".join(
        f'<tr><td>{escape(name)}</td><td><div class="track"><div style="width:{100 * share:.2f}%"></div></div></td>'
        f'<td class="number">{escape(value)}</td></tr>'
        for name, share, value in rows
    )
    return f'<table class="bars"><caption>{escape(title)}</caption><tbody>{lines}</tbody></table>'


def beside(title: str, *parts: str) -> str:
    """Put parts that are HTML side by side under a small heading; on a narrow screen, one below the other."""
    return f'<h3>{escape(title)}</h3><div class="beside">{"".join(parts)}</div>'


def picture(figure: Any, describes: str) -> str:
    """Draw a matplotlib figure into the page, with a description for those who cannot see it."""
    text = StringIO()
    with matplotlib("style").context({"svg.hashsalt": "shoal", "svg.fonttype": "none"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the browser has these characters
        figure.savefig(text, format="svg", metadata={"Date": None})
    drawn = text.getvalue()
    drawn = re.sub(r"<metadata>.*?</metadata>", "", drawn[drawn.index("<svg") :], flags=re.DOTALL)
    return drawn.replace("<svg", f'<svg role="img" aria-label="{escape(describes)}"', 1)


Lines = tuple[list[str], list[list[str]]]  # the names of the columns of a table, and its cells


class Summary:
    """A result whose representation shows its figures and, for a release, its first rows; never the input."""

    def _figures(self) -> dict[str, object]:
        """Return the figures by name."""
        raise NotImplementedError

    def _rows_shown(self) -> Lines:
        """Return the table below the figures, such as the first rows of a release; by default there is none."""
        return [], []

    def _sentence(self) -> str:
        """Return what the figures say in words, for notebooks; by default nothing."""
        return ""

    def __repr__(self) -> str:
        figures = ", ".join(f"{name} {figure(value)}" for name, value in self._figures().items())
        names, rows = self._rows_shown()
        lines = [names, *rows] if names else []
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        cells = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
        return "\n".join([f"<{type(self).__name__}: {figures}>", *(line.rstrip() for line in cells)])

    def _repr_html_(self) -> str:
        """Show the same in notebooks."""
        figures = {escape(name): escape(figure(value)) for name, value in self._figures().items()}
        line = "".join(f"<span>{name} <strong>{value}</strong></span>" for name, value in figures.items())
        said = paragraph(self._sentence()) if self._sentence() else ""
        shown = f'<div style="{FLOWING}">{line}</div>{said}{_in_notebooks(*self._rows_shown())}'
        return f"<div><b>{escape(type(self).__name__)}</b>{shown}</div>"


class Summaries(list[S]):
    """A list of results that notebooks show as one table."""

    def _repr_html_(self) -> str:
        figures = [one._figures() for one in self]
        names = list(dict.fromkeys(name for of_one in figures for name in of_one))
        return _in_notebooks(names, [[figure(of_one.get(name, "")) for name in names] for of_one in figures])


def _in_notebooks(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table whose cells start at the left, as notebooks would let them end at the right."""

    def line(tag: str, cells: Iterable[str]) -> str:
        written = (
            f'<{tag} style="{LEFT}{NARROW * (len(cell) <= MAX_CHARACTERS)}">{escape(cell)}</{tag}>' for cell in cells
        )
        return f"<tr>{''.join(written)}</tr>"

    lines = line("th", names) + "".join(line("td", row) for row in rows)
    return f'<div style="overflow-x: auto"><table>{lines}</table></div>' if names else ""


def first_rows(frame: Any) -> Lines:
    """Return the names of the first columns of a released frame and the cells of its first rows, without an index."""
    few = nw.from_native(frame, eager_only=True).head(MAX_ROWS)
    names = few.columns[:MAX_COLUMNS]
    rows = zip(*(few[name].to_list() for name in names), strict=True)
    return list(map(_cell, names)), [[_cell(value) for value in row] for row in rows]


def figure(value: object) -> str:
    """Write a figure as summaries do."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        f"{value:,}"
        if isinstance(value, int)
        else f"{round(value, 12):.4g}"
        if isinstance(value, float)
        else str(value)
    )


def _cell(value: object) -> str:
    """Write a cell as one short line."""
    text = "".join(character if character.isprintable() else repr(character)[1:-1] for character in str(value))
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}…"
