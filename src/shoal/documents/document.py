"""A document as sections of plain parts, which is written as HTML or PDF."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A paragraph; `kind` is `note`, `alarm` or empty."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Pairs:
    """Names with their descriptions."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Grid:
    """A table; all columns but the first are right-aligned."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Code:
    """Lines of code."""

    text: str


@dataclass(frozen=True)
class Line:
    """A bar from 0 to 1 with its name and its value as text."""

    name: str
    share: float
    value: str


@dataclass(frozen=True)
class Bars:
    """A list of bars."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Beside:
    """Bars before and after, side by side under a heading."""

    title: str
    before: Bars
    after: Bars


Part = Text | Pairs | Grid | Code | Bars | Beside


@dataclass(frozen=True)
class Section:
    """A heading and its content."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Document:
    """A title and sections."""

    title: str
    about: str
    sections: tuple[Section, ...]
