"""Reports on releases in files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.algorithms.full_domain.lattice import Explored
from shoal.data.recoding import Recoding
from shoal.data.table import Classes, Table
from shoal.engines.streams.scan import Scan
from shoal.io.csv_dialect import Dialect
from shoal.release.cautions import Caution
from shoal.release.plan import Outcome
from shoal.release.release import Report
from shoal.release.request import Request
from shoal.release.reuse.record import json_writer, report_with_generalization
from shoal.release.verification import Promise
from shoal.system import atomic_files

if TYPE_CHECKING:
    from shoal.engines.streams.run import Written


class Shown(NamedTuple):
    """The class of each different row, and what each class shows."""

    ids: NDArray[np.int32]
    labels: Mapping[str, list[str]]


class Levels(NamedTuple):
    """The node of the lattice that a full-domain algorithm chose."""

    node: Mapping[str, int]


@dataclass(frozen=True)
class Input:
    """The table that was read."""

    path: Path
    columns: list[str]
    rows: int
    dialect: Dialect
    values: Mapping[str, pa.Array]  # the different ones of each column with a role

    def arrow(self, name: str) -> pa.ChunkedArray:
        """The different values of a column."""
        return pa.chunked_array([self.values[name]])

    @property
    def origin(self) -> str:
        """The path that was given."""
        return str(self.path)

    @property
    def name(self) -> str:
        """What the table is called."""
        return self.path.name

    def __len__(self) -> int:
        return self.rows


@dataclass(frozen=True, eq=False)
class Told:
    """What a report is made from, as a Release has it, the table being one of different rows."""

    report: Report
    classes: Classes
    promise: Promise
    request: Request
    source: Input
    table: Table
    recoding: Recoding
    groups: Shown
    cautions: list[Caution]
    lattice: Levels | None

    @classmethod
    def of(cls, written: Written, outcome: Outcome, promise: Promise, source: Input, cautions: list[Caution]) -> Told:
        """Gather it."""
        found = outcome.recoding
        return cls(
            written.report,
            written.classes,
            promise,
            written.request,
            source,
            outcome.solved.table,
            outcome.recoding,
            Shown(outcome.ids, outcome.labels),
            cautions,
            Levels(dict(zip(outcome.solved.table.quasi, found.node, strict=True)))
            if isinstance(found, Explored)
            else None,
        )

    def to_json(self) -> str:
        """The report as JSON with what shoal.apply() needs to do the same to the next delivery, to be kept."""
        return report_with_generalization(self)


def report_writers(report: Report, told: Told | None, paths: list[Path], made: Scan) -> atomic_files.Writers:
    """What writes each report on a release that is made."""
    if told is None:
        return {path: json_writer(report.to_json(), made.checksum) for path in paths}
    if not paths:
        return {}
    from shoal.release.report import writers

    return writers(told, paths, made.checksum)
