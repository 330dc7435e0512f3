"""Which row of the original each row of a release is: in order, by a column that tells rows apart, or as a multiset."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.certificates.labels import Labels
from shoal.certificates.tables import Tables
from shoal.data.column import plain_values
from shoal.data.style import text
from shoal.release.verification.classes import grouped

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """What both tables show, as numbers: labels of the release by column, and equal rows of exact columns alike."""

    labels: dict[str, list[str]]
    shown: dict[str, NDArray[np.int32]]
    before: Ints  # for each original row, the number of what its exact columns hold
    after: Ints  # the same for each released row

    @classmethod
    def of(cls, tables: Tables) -> Rows:
        """Number the labels, and the contents of the columns that must be as they were."""
        labels, shown = {}, {}
        for name in tables.table.quasi:
            labels[name], shown[name] = _labels(name, tables.released.arrow(name))
        each = [np.zeros(len(tables.kept) + len(tables.released), np.int32)]
        each += [alike(tables.kept.arrow(name), tables.released.arrow(name)) for name in tables.exact]
        numbers = grouped(each)[0]
        return cls(labels, shown, numbers[: len(tables.kept)], numbers[len(tables.kept) :])

    def uncovered(self, tables: Tables, readers: dict[str, Labels], row: int, number: int) -> str | None:
        """The column in which a released row cannot be of an original one; None where it can."""
        if self.before[row] != self.after[number]:
            return ""
        for at, name in enumerate(tables.table.quasi):
            label = self.labels[name][int(self.shown[name][number])]
            if readers[name].losses(label, int(tables.table.codes[row, at])) is None:
                return name
        return None


def _labels(name: str, column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int32]]:
    """The different labels of a column as text, and the number of each row's label."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string(column.type):
        column = pc.fill_null(column, "")
    encoded = pc.dictionary_encode(column).combine_chunks()
    values = ["" if value is None else text(value) for value in plain_values(name, encoded.dictionary)]
    return values, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)


def alike(before: pa.ChunkedArray, after: pa.ChunkedArray) -> NDArray[np.int32]:
    """Equal texts of two columns numbered alike, first those of the one, then of the other; null as an empty text."""
    both = pa.chunked_array([*_texts(before).chunks, *_texts(after).chunks], pa.string())
    return np.asarray(pc.dictionary_encode(both).combine_chunks().indices.to_numpy(), np.int32)


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column as it stands in a text file."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    missing = pc.is_nan(column.cast(pa.float64())) if pa.types.is_floating(column.type) else None
    try:
        column = column.cast(pa.string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        column = pa.chunked_array([[None if one is None else repr(one) for one in column.to_pylist()]], pa.string())
    return pc.fill_null(column if missing is None else pc.if_else(missing, "", column), "")


def telling(tables: Tables) -> str | None:
    """The first column that stays as it was and has another value in every row."""
    for name in tables.exact:
        values = pc.count_distinct(_texts(tables.kept.arrow(name))).as_py()
        if values == len(tables.kept):
            return name
    return None
