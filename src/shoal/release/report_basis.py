"""ReportBasis: the data that reports are made from, whichever engine made the release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.classes import Classes
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.io.csv_dialect import Dialect
from shoal.io.source import Source
from shoal.release.figures import Report
from shoal.release.promise import Promise
from shoal.release.request import Request
from shoal.release.review.review import Review


@dataclass(frozen=True)
class FileSource:
    """A table in files that was never entirely in memory: its columns, and the distinct values of those with a role."""

    path: Path
    columns: list[str]
    rows: int
    dialect: Dialect
    values: Mapping[str, pa.Array]

    def arrow(self, name: str) -> pa.ChunkedArray:
        """Return the distinct values of a column."""
        return pa.chunked_array([self.values[name]])

    @property
    def origin(self) -> str:
        """The path as the caller gave it."""
        return str(self.path)

    @property
    def name(self) -> str:
        """The name of the file or folder."""
        return self.path.name

    def __len__(self) -> int:
        return self.rows


@dataclass(frozen=True, eq=False, repr=False)
class ReportBasis:
    """A release as reports see it; a row of `table` may represent several rows, by its weight.

    ids, labels  the equivalence class of each row of `table`, and the labels of each class
    node         the levels that a full-domain algorithm chose, by quasi-identifier
    """

    report: Report
    classes: Classes
    promise: Promise
    request: Request
    source: Source | FileSource
    table: Table
    recoding: Recoding
    ids: NDArray[np.int32]
    labels: Mapping[str, list[str]]
    review: Review
    node: Mapping[str, int] | None
