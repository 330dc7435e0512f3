"""release(): from a DataFrame to a DataFrame that keeps its promise, verified row by row and as a whole."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from shoal.data.table import Classes
from shoal.documents.html_page import Summary
from shoal.engines.spark.cautions import cautions_by_rows
from shoal.engines.spark.errors import shown_by_workers
from shoal.engines.spark.frames import check_frame
from shoal.engines.spark.plan import make
from shoal.engines.spark.row_comparison import compared
from shoal.engines.spark.verify import check, check_together
from shoal.engines.streams.run import Asked
from shoal.errors import PrivacyWarning
from shoal.release.plan import Plan
from shoal.release.release import Report
from shoal.release.verification import Promise

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class Release(Summary):
    """A verified release: `frame` is a Spark DataFrame, `classes` are those that its labels show."""

    frame: DataFrame
    report: Report
    classes: Classes
    promise: Promise
    held: DataFrame | None

    def _figures(self) -> dict[str, object]:
        return self.report._figures()  # rows would have to be computed

    def unpersist(self) -> None:
        """Give back what Spark keeps for a release by blocks; the frame is slow to compute afterwards."""
        if self.held is not None:
            self.held.unpersist()


def anonymize(data: DataFrame, **options: Any) -> DataFrame:
    """The DataFrame of release(), which takes the same arguments."""
    return release(data, **options).frame


def release(
    data: DataFrame,
    *,
    block_rows: int | None = None,
    progress: Callable[[str, float], None] | None = None,
    **asked: Unpack[Asked],
) -> Release:
    """Make a release of a Spark DataFrame; the other arguments are those of shoal.anonymize().

    More different rows than `block_rows`, or than the driver and the algorithm can take, are worked on in blocks.
    """
    tell = progress or (lambda stage, share: None)
    check_frame(data)
    plan = Plan.of(data.columns, **asked)
    with shown_by_workers():
        answered = make(data, plan, block_rows, tell)
        tell("verifying", 0)
        rows = compared(data, answered.promise, making=answered.making)
        classes = check(data, rows, promise=answered.promise)
        check_together(data, answered.promise, making=answered.making)
        cautions = answered.cautions(classes) + cautions_by_rows(data, plan, answered)
    for caution in cautions:
        warnings.warn(caution.sentence, PrivacyWarning, stacklevel=2)
    facts = {"file": None, "sha256": None, "sha256_of": None, "rows": answered.counted.rows}
    report = answered.report(classes, facts, cautions)
    return Release(rows.frame, report, classes, answered.promise, answered.held)
