"""Columns extended by values that no row has, so that a domain covers what an earlier release shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shoal.data.column import Column


class _ColumnWithMissing(Column):
    """A column whose domain has a missing value even if no value is missing."""

    @property
    def has_missing(self) -> bool:
        """Always true."""
        return True


def extended(column: Column, values: Sequence[Any], *, missing: bool) -> Column:
    """Return a column with more values, which no row has, and with a missing value if wanted."""
    present = set(column.values)
    more = [value for value in values if value not in present]
    kind = _ColumnWithMissing if missing or column.has_missing else Column
    counts = np.append(column.counts, np.zeros(len(more), np.int64))
    return kind(column.name, [*column.values, *more], column.places, counts, column.order)
