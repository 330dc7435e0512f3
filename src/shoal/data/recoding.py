"""Recoding: the answer of an algorithm."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import Ranges, Sets
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.kernels.arrays import Flags, Ints, Longs
from shoal.kernels.groups import group_weights

MAX_NUMBER = 2**32  # below it, numbers of labels and of classes together fit into 64 bits


@dataclass(frozen=True, eq=False)
class Recoding:
    """The class of each row (−1: suppressed) and what each class shows per quasi-identifier."""

    ids: Ints
    sizes: Longs
    shown: tuple[Any, ...]

    @classmethod
    def of_groups(cls, table: Table, ids: Ints) -> Recoding:
        """Generalize each group of rows minimally."""
        shown = _join(table, ids, int(ids.max(initial=-1)) + 1)
        alike = [domain.alike(labels) for domain, labels in zip(table.domains, shown, strict=True)]
        # Groups that show the same labels are one class.
        columns = [numbers if numbers.max(initial=0) < MAX_NUMBER else _renumbered(numbers) for numbers in alike]
        merged, firsts = group_rows(columns, [int(c.max(initial=0)) + 1 for c in columns], alike[0].size)
        if firsts.size < merged.size:
            ids = np.where(ids >= 0, merged[ids], np.int32(-1))
            shown = tuple(some_of(labels, firsts) for labels in shown)
        return cls(ids, table.sizes(ids), shown)

    def of_rows(self, rows: int) -> Recoding:
        """Return the recoding of the first rows."""
        return Recoding(self.ids[:rows], self.sizes, self.shown)

    @property
    def suppressed(self) -> Flags:
        """For each row, whether it is suppressed."""
        return self.ids < 0


def distinct(table: Table, recoding: Recoding) -> tuple[Table, Recoding]:
    """Merge equal rows of a class, in the table and the recoding; all measures stay the same."""
    columns = [*table.codes.T, *table.sensitive_codes.T, recoding.ids + np.int32(1)]
    widths = [len(domain) for domain in (*table.domains, *table.sensitive_domains)]
    ids, firsts = group_rows(columns, [*widths, recoding.sizes.size + 1], len(table.weights))
    small = replace(
        table,
        codes=table.codes[firsts],
        sensitive_codes=table.sensitive_codes[firsts],
        weights=group_weights(table.weights, ids, firsts.size),
        units=None,
    )
    return small, Recoding(recoding.ids[firsts], recoding.sizes, recoding.shown)


def some_of(shown: Any, which: NDArray[Any]) -> Any:
    """Select the generalized values of some classes, in this order."""
    if isinstance(shown, Ranges):
        return Ranges(shown.low[which], shown.high[which])
    if isinstance(shown, Sets):
        sizes = shown.sizes[which]
        starts = np.append(0, np.cumsum(sizes)).astype(np.int64)
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes) + np.repeat(shown.starts[which], sizes)
        return Sets(starts, shown.codes[inside])
    return shown[which]


def _renumbered(numbers: Longs) -> Longs:
    return np.unique(numbers, return_inverse=True)[1]


def _join(table: Table, ids: Ints, classes: int) -> tuple[Any, ...]:
    columns = np.ascontiguousarray(table.codes.T)
    return tuple(domain.join(column, ids, classes) for domain, column in zip(table.domains, columns, strict=True))
