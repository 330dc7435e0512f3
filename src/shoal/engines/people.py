"""PeopleTable: the distinct rows of each person of a table that is read in parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.data.coding import Coding
from shoal.data.rows import in_order
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs


@dataclass(frozen=True, eq=False)
class PeopleTable:
    """The table with a row for each distinct row of each person; `rows` has the codes of those, `at` their places."""

    table: Table
    rows: Ints
    at: Ints

    @property
    def units(self) -> Ints:
        """The person of each row."""
        return np.zeros(0, np.int32) if self.table.units is None else self.table.units

    def classes_of_rows(self, ids: Ints) -> Ints | None:
        """Return the class of each distinct row; None if the rows of different people can be in different classes."""
        classes = np.empty(len(self.rows), np.int32)
        classes[self.at] = ids
        return classes if (classes[self.at] == ids).all() else None

    @classmethod
    def of(cls, coding: Coding, codes: Ints, units: Ints, weights: Longs) -> PeopleTable:
        """Make the table of rows, given their codes, people and weights."""
        split = len(coding.quasi)
        whole = replace(
            coding.table(codes[:1], weights[:1]),
            codes=np.ascontiguousarray(codes[:, :split]),
            sensitive_codes=np.ascontiguousarray(codes[:, split:]),
            weights=weights,
            units=units,
            everything=None,  # which counts rows
        )
        table, _ = whole.distinct()
        rows = np.concatenate([table.codes, table.sensitive_codes], axis=1)
        order, starts = in_order(rows, [len(domain) for domain in coding.domains])
        at = np.empty(order.size, np.int32)
        at[order] = np.cumsum(np.bincount(starts, minlength=order.size)) - 1
        return cls(table, rows[order[starts]], at)
