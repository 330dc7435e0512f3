"""release(): a DataFrame that keeps its promise, verified row by row and as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import pyarrow as pa

from shoal.data.classes import Classes
from shoal.data.domain import RangeDomain
from shoal.documents.html_page import Summary
from shoal.engines.finish import warn_of
from shoal.engines.row_order import RowOrder, columns_to_check
from shoal.engines.spark.frames import FIRST_ROWS, check_frame, keys_of, numbered
from shoal.engines.spark.labellers import Answered
from shoal.engines.spark.relabel import relabel
from shoal.engines.spark.review import review
from shoal.engines.spark.session import errors_of_workers
from shoal.engines.spark.solve import solve
from shoal.engines.spark.verify import verify
from shoal.release.arguments import Arguments
from shoal.release.cautions import FEW_ROWS, FIRST_SHUFFLE, Caution, cautions_of_first, sorted_rows
from shoal.release.figures import Report
from shoal.release.promise import Promise
from shoal.release.request import Request

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHANGING = (
    "The DataFrame draws at random or numbers its rows, so that its rows may differ when they are computed again: "
    "write it to a file first, and release that file."
)


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
        request = review(data, request)
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


def cautions_by_rows(data: DataFrame, request: Request, answered: Answered) -> list[Caution]:
    """List the weak points that the rows show."""
    known, coding = answered.counted.known, answered.answer.coding
    others, removed = columns_to_check(data.columns, request)
    shuffled = request.order == "shuffled"
    removed = () if shuffled else removed
    first = numbered(data).select(*keys_of(data, (*request.names, *others, *removed))).limit(FIRST_ROWS).toArrow()
    cautions = [] if _is_deterministic(data) else [Caution(CHANGING)]
    if first.num_rows < FEW_ROWS:
        return cautions
    if others or removed:
        rows = pa.table(first.columns[len(request.names) :], (*others, *removed))
        cautions += cautions_of_first(rows, others, removed)
    if shuffled:
        return cautions
    places = known.places(first.columns[: len(request.names)])
    codes = coding.of_places(places[known.complete(places)])
    for at, (name, domain) in enumerate(zip(coding.quasi, coding.domains, strict=False)):
        order = RowOrder()
        order.add(codes[:, at])
        if isinstance(domain, RangeDomain) and order.sorted:
            cautions.append(sorted_rows(name, instead=FIRST_SHUFFLE, suppressed_too=True))
    return cautions


def _is_deterministic(data: DataFrame) -> bool:
    """Tell whether the plan of a DataFrame gives the same rows each time; assume so if the plan is not accessible."""
    plan = getattr(data, "_jdf", None)
    return plan is None or bool(plan.queryExecution().analyzed().deterministic())
