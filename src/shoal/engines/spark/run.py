"""release(): a DataFrame that keeps its promise, verified row by row and as a whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import pyarrow as pa

from shoal.analysis.call_to_write import call_with_models, complete_call
from shoal.data.classes import Classes
from shoal.documents.html_page import Summary
from shoal.engines.finish import warn_of
from shoal.engines.memory.run import run
from shoal.engines.spark.frames import check_frame
from shoal.engines.spark.relabel import relabel
from shoal.engines.spark.review import review_columns, review_release
from shoal.engines.spark.session import errors_of_workers
from shoal.engines.spark.solve import solve
from shoal.engines.spark.verify import verify
from shoal.engines.spark.whole_table import collect
from shoal.engines.whole_table import request_in_parts
from shoal.io.source import Source
from shoal.release.arguments import NEEDED, Arguments
from shoal.release.figures import Report
from shoal.release.promise import Promise
from shoal.release.request import Request
from shoal.release.solve import Tell
from shoal.release.verification.release import check_release
from shoal.system.mistaken_arguments import answering_mistakes
from shoal.system.progress import Progress, showing

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


@answering_mistakes(
    "shoal.spark.release",
    also=Arguments.__annotations__,
    needed=NEEDED,
    answer=call_with_models,
    write=complete_call,
)
def release(
    data: DataFrame,
    *,
    block_rows: int | None = None,
    progress: Progress | bool | None = None,
    **arguments: Unpack[Arguments],
) -> Release:
    """Release a Spark DataFrame; the other arguments are those of shoal.anonymize().

    data        the DataFrame, which must have the same rows each time it is computed
    block_rows  the maximum number of distinct rows to solve together on the driver; more are solved in blocks by the
                workers
    progress    as in anonymize()
    """
    with showing(progress) as tell:
        check_frame(data)
        request = request_in_parts(data.columns, arguments, block_rows=block_rows)
        if request.all_at_once:
            return _release_whole(data, request, tell)
        with errors_of_workers():
            request = review_columns(data, request)
            answered = solve(data, request, block_rows, tell)
            answer, promise = answered.answer, answered.promise
            tell("verifying", 0)
            relabelled = relabel(data, promise, labeller=answered.labeller)
            classes = verify(data, relabelled, promise=promise, labeller=answered.labeller)
            review = review_release(data, request, answered, classes)
        facts = {"file": None, "sha256": None, "sha256_of": None, "rows": answered.counted.rows}
        sentences = warn_of(review, stacklevel=3)
        report = answer.report(classes, data=facts, dropped=answered.counted.dropped, warned=sentences, review=review)
        return Release(relabelled.frame, report, classes, promise, answered.persisted)


def _release_whole(data: DataFrame, request: Request, tell: Tell) -> Release:
    """Release a DataFrame on the driver, where all rows are needed at once."""
    with errors_of_workers():
        table = collect(data, request)
    made = run(Source.of(table), request, tell, stacklevel=5)
    with errors_of_workers():
        frame = data.sparkSession.createDataFrame(pa.table(Source.of(made.frame).to_arrow()))
        classes = check_release(frame.toArrow(), made.promise, form="file")
    facts = {"file": None, "sha256": None, "sha256_of": None, "rows": table.num_rows}
    return Release(frame, replace(made.report, input=facts), classes, made.promise, None)
