"""The rows of the original and of the release as numbers, for comparison."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.certificates.labels import Labels
from shoal.certificates.tables import Tables
from shoal.data.arrow_text import as_text, plain
from shoal.data.column import plain_values
from shoal.data.style import text
from shoal.release.verification.classes import grouped

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """The labels of the release as numbers, and the contents of the unchanged columns, equal ones numbered alike.

    readers  what the labels of each quasi-identifier mean
    labels   the distinct labels of each quasi-identifier
    shown    the number of each released row's label
    before   for each original row, the number of the content of its exact columns
    after    the same for each released row
    """

    tables: Tables
    readers: dict[str, Labels]
    labels: dict[str, list[str]]
    shown: dict[str, NDArray[np.int32]]
    before: Ints
    after: Ints

    @classmethod
    def of(cls, tables: Tables) -> Rows:
        """Number the labels, and the contents of the columns that must be unchanged."""
        table, style = tables.table, tables.request.style
        readers = {name: Labels(domain, style) for name, domain in zip(table.quasi, table.domains, strict=True)}
        labels, shown = {}, {}
        for name in table.quasi:
            labels[name], shown[name] = _labels(name, tables.released.arrow(name))
        columns = [np.zeros(len(tables.kept) + len(tables.released), np.int32)]
        columns += [alike(tables.kept.arrow(name), tables.released.arrow(name)) for name in tables.exact]
        numbers = grouped(columns)[0]
        return cls(tables, readers, labels, shown, numbers[: len(tables.kept)], numbers[len(tables.kept) :])

    def fits(self, *, original: int, released: int) -> bool:
        """Tell whether a released row can be this row of the original."""
        labels = (self.labels[name][int(self.shown[name][released])] for name in self.readers)
        cells = zip(self.readers.values(), labels, self.tables.table.codes[original].tolist(), strict=True)
        return self.before[original] == self.after[released] and all(
            reader.losses(label, code) is not None for reader, label, code in cells
        )


def _labels(name: str, column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int32]]:
    """Return the distinct labels of a column as text, and the number of each row's label."""
    column = plain(column)
    if pa.types.is_string(column.type):
        column = pc.fill_null(column, "")
    encoded = pc.dictionary_encode(column).combine_chunks()
    values = ["" if value is None else text(value) for value in plain_values(name, encoded.dictionary)]
    return values, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)


def alike(before: pa.ChunkedArray, after: pa.ChunkedArray) -> NDArray[np.int32]:
    """Number the texts of two columns, one after the other, equal ones alike; null is an empty text."""
    both = pa.chunked_array([*_texts(before).chunks, *_texts(after).chunks], pa.string())
    return np.asarray(pc.dictionary_encode(both).combine_chunks().indices.to_numpy(), np.int32)


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as it is written to a CSV file."""
    try:
        return as_text(column)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        cells = ["" if value is None else repr(value) for value in column.to_pylist()]
        return pa.chunked_array([cells], pa.string())


def unique_column(tables: Tables) -> str | None:
    """Return the first unchanged column that has a different value in every row; None if there is none."""
    for name in tables.exact:
        if pc.count_distinct(_texts(tables.kept.arrow(name))).as_py() == len(tables.kept):
            return name
    return None
