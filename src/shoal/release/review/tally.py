"""Tally: how often the values of a column repeat."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import is_text

MARKS = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "#N/A")  # often written for a missing value


@dataclass(frozen=True)
class Tally:
    """The rows of a column that have a value, its different values, and those of them that a single row has.

    `exact` says whether they were counted, or estimated from a random part of the values.
    """

    rows: int
    different: int
    single: int
    exact: bool = True

    @classmethod
    def of(cls, counts: NDArray[np.int64], *, rows: int, share: float) -> Tally:
        """Sum up the rows of each value, given the number of all rows and the share of all values in `counts`."""
        return cls(rows, round(counts.size / share), round((counts == 1).sum() / share), exact=share == 1)

    @property
    def mean(self) -> float:
        """The mean number of rows with the same value."""
        return self.rows / self.different if self.different else 0.0

    @property
    def repeated_share(self) -> float:
        """The share of rows whose value other rows have, too."""
        return 1 - self.single / self.rows if self.rows else 0.0


def missing_in(values: pa.Array, missing: Collection[str]) -> NDArray[np.bool_]:
    """Tell which values mean that a value is missing: null, NaN, common marks, and the texts in `missing`."""
    found: NDArray[np.bool_] = pc.is_null(values, nan_is_null=True).to_numpy(zero_copy_only=False)
    if is_text(values.type):
        marks = pa.array([*MARKS, *missing], values.type)
    else:
        marks = pa.array([], values.type)
        for text in missing:
            try:
                marks = pa.concat_arrays([marks, pa.array([text]).cast(values.type)])
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
                continue  # no value of this type has this text
    if len(marks):
        found |= pc.is_in(values, value_set=marks).to_numpy(zero_copy_only=False)
    return found
