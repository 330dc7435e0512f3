"""Groups: the original records of each class beside its released labels, for the holders of the data only."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.parameters import plain
from shoal.data.style import Style, text
from shoal.data.value_order import numbers_of
from shoal.documents import html_page
from shoal.errors import InputError
from shoal.io import files
from shoal.io.source import Source
from shoal.system import atomic_files

NOTE = "This page contains original records. It is for those who may see them and is not part of the release."
STYLE = """
body { max-width: none } td { font-size: 13px }
.shown { color: var(--calm); font-weight: 600 }
td { white-space: nowrap } .long { white-space: normal; min-width: 18rem }
"""
MAX_ON_ONE_LINE = 40  # characters of a cell; longer ones are wrapped between words
MISSING = "(missing)"
COUNTED = "Counts of original values: for those who may see them, and not part of the release."


@dataclass(frozen=True)
class Group:
    """An equivalence class: its number from 1, its released labels, and its rows in the original table."""

    number: int
    size: int
    shown: dict[str, str]
    rows: NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Groups(html_page.Summary):
    """The classes of a release with their original records, without suppressed rows."""

    source: Source
    numbers: NDArray[np.int64]  # of the source's rows in the original table, from which some may be dropped
    ids: NDArray[np.int32]
    labels: Mapping[str, list[str]]
    sensitive: tuple[str, ...]

    def __len__(self) -> int:
        return len(next(iter(self.labels.values())))

    def _figures(self) -> dict[str, object]:
        return {"classes": len(self), "rows": int((self.ids >= 0).sum())}

    def __iter__(self) -> Iterator[Group]:
        order = np.argsort(self.ids, kind="stable")
        starts = np.searchsorted(self.ids[order], np.arange(len(self) + 1))
        for number in range(len(self)):
            rows = order[starts[number] : starts[number + 1]]
            shown = {name: labels[number] for name, labels in self.labels.items()}
            yield Group(number + 1, rows.size, shown, self.numbers[rows])

    def statistics(self, *, values: bool = False) -> str:
        """Describe each class: size, labels, and the count of each sensitive value; the text may be released, too.

        values  count the original values under the labels, too; such a text is no part of a release.
        """
        names = (*self.labels, *self.sensitive) if values else self.sensitive
        columns = {name: _Values.of(self._columns[name]) for name in names}
        lines = [f"{len(self):,} classes of {int((self.ids >= 0).sum()):,} rows"]
        if values:
            held = np.flatnonzero(self.ids >= 0)
            lines = [COUNTED, "", *lines, *(f"  {name}: {columns[name].extent(held.tolist())}" for name in self.labels)]
        for group in self:
            rows = np.searchsorted(self.numbers, group.rows)
            lines += ["", f"class {group.number}: {group.size:,} rows"]
            for name, label in group.shown.items():
                lines.append(f"  {name}: {_quoted(label, commas=True)}")
                lines += [f"    {columns[name].counted(rows.tolist())}"] if values else []
            lines += [f"  {name}: {columns[name].counted(rows.tolist())}" for name in self.sensitive]
        return "\n".join(lines) + "\n"

    def save_statistics(self, path: str | PathLike[str], *, values: bool = False) -> Path:
        """Write the statistics, whole or not at all."""
        return self._save(Path(path), self.statistics(values=values))

    def records(self, group: Group) -> list[tuple[str, ...]]:
        """Return the original values of each record of a class: quasi-identifiers, then sensitive columns."""
        rows = np.searchsorted(self.numbers, group.rows)
        return list(zip(*(self._texts(name, rows) for name in (*self.labels, *self.sensitive)), strict=True))

    def to_html(self, *, limit: int | None = None) -> str:
        """Return a page with the records of each class beside its labels, for the first `limit` classes."""
        limit = plain(limit)
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 0):
            raise InputError(f"limit = {limit!r} must be a whole number of classes, or None for all.")
        names = [*self.labels, *self.sensitive]
        parts = []
        for group in self:
            if limit is not None and group.number > limit:
                parts.append(f"<p>… and {len(self) - limit:,} more classes</p>")
                break
            head = "".join(f"<th>{escape(name)}</th>" for name in ("record", *names))
            rows = [f"<tr class='shown'>{_cells('released', *group.shown.values(), *[''] * len(self.sensitive))}</tr>"]
            records = zip(group.rows.tolist(), self.records(group), strict=True)
            rows += [f"<tr>{_cells(str(row + 1), *cells)}</tr>" for row, cells in records]
            title = f"<h2>Class {group.number}: {group.size:,} rows</h2>"
            parts.append(f'{title}<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>')
        return html_page.page("Classes and their records", html_page.paragraph(NOTE, kind="alarm"), *parts, style=STYLE)

    def save_html(self, path: str | PathLike[str], *, limit: int | None = None) -> Path:
        """Write the page, whole or not at all."""
        return self._save(Path(path), self.to_html(limit=limit))

    def _save(self, path: Path, content: str) -> Path:
        original = files.file_of(self.source.origin) if self.source.origin else None
        if original is not None and files.same(path, original):
            raise InputError(f"{path}: this is the input, which shoal never overwrites. Choose another file.")
        atomic_files.replace_whole({path: lambda file: atomic_files.write_text(content, file)})
        return path

    @cached_property
    def _columns(self) -> dict[str, pa.ChunkedArray]:
        """The columns of the records, converted once rather than for each class."""
        return {name: self.source.arrow(name) for name in (*self.labels, *self.sensitive)}

    def _texts(self, name: str, rows: NDArray[np.int64]) -> list[str]:
        return _texts_of(self._columns[name].take(pa.array(rows)))


@dataclass(frozen=True)
class _Values:
    """The values of a column as text, and their order: that of numbers where all are."""

    texts: list[str]
    place: dict[str, float]
    numeric: bool

    @staticmethod
    def of(column: pa.ChunkedArray) -> _Values:
        texts = _texts_of(column)
        known = sorted(set(texts) - {MISSING})
        numbers = numbers_of(known) if known else None
        place = dict(zip(known, range(len(known)) if numbers is None else numbers.tolist(), strict=True))
        return _Values(texts, {MISSING: -np.inf, **place}, numbers is not None)

    def counted(self, rows: Iterable[int]) -> str:
        """List the values of some rows, each with how many have it."""
        counts = Counter(self.texts[row] for row in rows)
        return ", ".join(f"{_quoted(value)} {counts[value]:,}" for value in sorted(counts, key=self.place.__getitem__))

    def extent(self, rows: Iterable[int]) -> str:
        """Tell how many values some rows have and, of numbers, the lowest and the highest."""
        values = sorted({self.texts[row] for row in rows}, key=self.place.__getitem__)
        known = [value for value in values if value != MISSING]
        ends = f", {known[0]} to {known[-1]}" if self.numeric and known else ""
        return f"{len(values):,} different value{'s' * (len(values) != 1)}{ends}"


def _texts_of(column: pa.ChunkedArray) -> list[str]:
    return [MISSING if value is None else text(value) for value in column.to_pylist()]


def class_numbers(ids: NDArray[np.int32], style: Style) -> pa.Array:
    """Return the number of each row's class, from 1; suppressed rows get the top label."""
    classes = int(ids.max(initial=-1)) + 1
    names = pa.array([*map(str, range(1, classes + 1)), style.top])
    return names.take(pa.array(np.where(ids < 0, classes, ids)))


def _cells(*texts: str) -> str:
    return "".join(f"<td{' class=long' if len(text) > MAX_ON_ONE_LINE else ''}>{escape(text)}</td>" for text in texts)


def _quoted(value: str, *, commas: bool = False) -> str:
    """Quote a value if a reader could take it for something else in a line of text."""
    plain = value.isprintable() and '"' not in value and (commas or "," not in value)
    return value if plain else json.dumps(value, ensure_ascii=False)
