"""The report as sections of plain parts, the same for a page and for paper."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A paragraph, of the kind `note` or `alarm` or of none."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Pairs:
    """Names and what is said of them."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Grid:
    """A table; all columns but the first are set flush right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Code:
    """Lines as they are typed."""

    text: str


@dataclass(frozen=True)
class Line:
    """A bar from 0 to 1 with its name and its value in words."""

    name: str
    share: float
    value: str


@dataclass(frozen=True)
class Bars:
    """Bars under one another."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Beside:
    """Bars before and after, side by side, under a heading."""

    title: str
    before: Bars
    after: Bars


Part = Text | Pairs | Grid | Code | Bars | Beside


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Document:
    """A title and sections."""

    title: str
    about: str
    sections: tuple[Section, ...]
