"""Weak points of a release that the first rows of a DataFrame show: columns without a role, and sorted rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from shoal.data.domain import RangeDomain
from shoal.engines.spark.answers import Answered
from shoal.engines.spark.frames import keys_of, numbered
from shoal.release.cautions import FEW_ROWS, FIRST_SHUFFLE, Caution, cautions_of_first, sorted_rows
from shoal.release.request import Request

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FIRST_ROWS = 10_000  # rows to look at


def cautions_by_rows(data: DataFrame, request: Request, answered: Answered) -> list[Caution]:
    """List the weak points that the rows show."""
    roles, known, coding = request.roles, answered.counted.known, answered.answer.coding
    removed = (*roles.identifying, *roles.pseudonymized)
    without_role = tuple(name for name in data.columns if name not in {*request.names, *removed})
    keys = keys_of(data, (*request.names, *without_role, *removed))
    first = numbered(data).select(*keys).limit(FIRST_ROWS).toArrow()
    cautions = [] if _is_deterministic(data) else [Caution(CHANGING)]
    if first.num_rows < FEW_ROWS:
        return cautions
    if without_role or removed:
        rows = pa.table(first.columns[len(request.names) :], (*without_role, *removed))
        cautions += cautions_of_first(rows, without_role, removed)
    places = known.places(first.columns[: len(request.names)])
    codes = coding.of_places(places[known.complete(places)])
    for at, (name, domain) in enumerate(zip(coding.quasi, coding.domains, strict=False)):
        steps = np.diff(codes[:, at])
        if isinstance(domain, RangeDomain) and steps.any() and ((steps >= 0).all() or (steps <= 0).all()):
            cautions.append(sorted_rows(name, instead=FIRST_SHUFFLE, suppressed_too=True))
    return cautions


CHANGING = (
    "The DataFrame draws at random or numbers its rows, so that its rows may differ when they are computed again: "
    "write it to a file first, and release that file."
)


def _is_deterministic(data: DataFrame) -> bool:
    """Tell whether the plan of a DataFrame gives the same rows each time; assume so if the plan is not accessible."""
    plan = getattr(data, "_jdf", None)
    return plan is None or bool(plan.queryExecution().analyzed().deterministic())
