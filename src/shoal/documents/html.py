"""A document as an HTML page in one file."""

from __future__ import annotations

from shoal.documents import html_page
from shoal.documents.document import Bars, Beside, Code, Document, Grid, Pairs, Part, Text


def html(document: Document) -> str:
    """Write the document as an HTML page."""
    sections = (html_page.section(section.title, *map(_part, section.parts)) for section in document.sections)
    return html_page.page(document.title, html_page.paragraph(document.about, kind="note"), *sections)


def _part(part: Part) -> str:
    match part:
        case Text():
            return html_page.paragraph(part.text, kind=part.kind)
        case Pairs():
            return html_page.facts(dict(part.rows))
        case Grid():
            return html_page.table(part.head, part.rows, numbers=range(1, len(part.head)))
        case Code():
            return html_page.code(part.text)
        case Bars():
            return _bars(part)
        case Beside():
            return html_page.beside(part.title, _bars(part.before), _bars(part.after))


def _bars(part: Bars) -> str:
    return html_page.bars(part.title, ((line.name, line.share, line.value) for line in part.lines))
