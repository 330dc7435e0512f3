"""Groups: the original records of each class beside its released labels, for the holders of the data only."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.style import Style, text
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

    def statistics(self) -> str:
        """Describe each class: size, labels, and the count of each sensitive value; the text may be released, too."""
        sensitive = {name: self._texts(name, np.arange(len(self.source))) for name in self.sensitive}
        lines = [f"{len(self):,} classes of {int((self.ids >= 0).sum()):,} rows"]
        for group in self:
            lines += ["", f"class {group.number}: {group.size:,} rows"]
            lines += [f"  {name}: {_quoted(label, commas=True)}" for name, label in group.shown.items()]
            for name, values in sensitive.items():
                counts = Counter(values[row] for row in np.searchsorted(self.numbers, group.rows).tolist())
                listed = ", ".join(f"{_quoted(value)} {count:,}" for value, count in sorted(counts.items()))
                lines.append(f"  {name}: {listed}")
        return "\n".join(lines) + "\n"

    def save_statistics(self, path: str | PathLike[str]) -> Path:
        """Write the statistics, whole or not at all."""
        return self._save(Path(path), self.statistics())

    def records(self, group: Group) -> list[tuple[str, ...]]:
        """Return the original values of each record of a class: quasi-identifiers, then sensitive columns."""
        rows = np.searchsorted(self.numbers, group.rows)
        return list(zip(*(self._texts(name, rows) for name in (*self.labels, *self.sensitive)), strict=True))

    def to_html(self, *, limit: int | None = None) -> str:
        """Return a page with the records of each class beside its labels, for the first `limit` classes."""
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
        values = self._columns[name].take(pa.array(rows)).to_pylist()
        return ["(missing)" if value is None else text(value) for value in values]


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
