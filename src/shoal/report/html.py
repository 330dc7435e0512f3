"""The report as a page in one file."""

from __future__ import annotations

from shoal import pages
from shoal.report.parts import Bars, Beside, Code, Document, Grid, Pairs, Part, Text


def html(document: Document) -> str:
    """The page."""
    sections = (pages.section(one.title, *map(_part, one.parts)) for one in document.sections)
    return pages.page(document.title, pages.paragraph(document.about, kind="note"), *sections)


def _part(part: Part) -> str:
    match part:
        case Text():
            return pages.paragraph(part.text, kind=part.kind)
        case Pairs():
            return pages.facts(dict(part.rows))
        case Grid():
            return pages.table(part.head, part.rows, numbers=range(1, len(part.head)))
        case Code():
            return pages.code(part.text)
        case Bars():
            return _bars(part)
        case Beside():
            return pages.beside(part.title, _bars(part.before), _bars(part.after))


def _bars(part: Bars) -> str:
    return pages.bars(part.title, ((line.name, line.share, line.value) for line in part.lines))
