"""release(): a DataFrame that keeps its promise, verified row by row and as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from shoal.data.table import Classes
from shoal.documents.html_page import Summary
from shoal.engines.finish import warn_of
from shoal.engines.spark.cautions import cautions_by_rows
from shoal.engines.spark.errors import errors_of_workers
from shoal.engines.spark.frames import check_frame
from shoal.engines.spark.relabel import relabel
from shoal.engines.spark.solve import solve
from shoal.engines.spark.verify import verify
from shoal.release.arguments import Arguments
from shoal.release.figures import Report
from shoal.release.promise import Promise
from shoal.release.request import Request

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class Release(Summary):
    """A verified release: `frame` is a Spark DataFrame, `classes` are the equivalence classes of its labels."""

    frame: DataFrame
    report: Report
    classes: Classes
    promise: Promise
    held: DataFrame | None

    def _figures(self) -> dict[str, object]:
        return self.report._figures()  # rows would have to be computed

    def unpersist(self) -> None:
        """Free what Spark keeps for a release in blocks; the frame is slow to compute afterwards."""
        if self.held is not None:
            self.held.unpersist()


def anonymize(data: DataFrame, **options: Any) -> DataFrame:
    """Return the DataFrame of release(), which takes the same arguments."""
    return release(data, **options).frame


def release(
    data: DataFrame,
    *,
    block_rows: int | None = None,
    progress: Callable[[str, float], None] | None = None,
    **arguments: Unpack[Arguments],
) -> Release:
    """Release a Spark DataFrame; the other arguments are those of shoal.anonymize().

    data        the DataFrame, which must have the same rows each time it is computed
    block_rows  the maximum number of distinct rows to solve together on the driver; more are solved in blocks by the
                workers
    progress    called with the current stage and the share of it that is done
    """
    tell = progress or (lambda stage, share: None)
    check_frame(data)
    request = Request.of(data.columns, **arguments)
    request.check_rows_may_be_elsewhere()
    with errors_of_workers():
        answered = solve(data, request, block_rows, tell)
        answer, promise = answered.answer, answered.promise
        tell("verifying", 0)
        relabelled = relabel(data, promise, labeller=answered.labeller)
        classes = verify(data, relabelled, promise=promise, labeller=answered.labeller)
        cautions = answer.cautions(classes) + cautions_by_rows(data, request, answered)
    facts = {"file": None, "sha256": None, "sha256_of": None, "rows": answered.counted.rows}
    sentences = warn_of(cautions, stacklevel=2)
    report = answer.report(classes, data=facts, dropped=answered.counted.dropped, warned=sentences)
    return Release(relabelled.frame, report, classes, promise, answered.persisted)
