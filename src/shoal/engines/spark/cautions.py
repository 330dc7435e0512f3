"""What the first rows of a DataFrame show of weak points: columns without a role, and rows in order."""

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

LOOKED_AT = 10_000  # rows


def cautions_by_rows(data: DataFrame, request: Request, answered: Answered) -> list[Caution]:
    """The weak points that the rows show."""
    roles, known, coding = request.roles, answered.counted.known, answered.answer.coding
    gone = (*roles.identifying, *roles.pseudonymized)
    others = tuple(name for name in data.columns if name not in {*request.names, *gone})
    first = numbered(data).select(*keys_of(data, (*request.names, *others, *gone))).limit(LOOKED_AT).toArrow()
    found = [] if _repeats(data) else [Caution(CHANGING)]
    if first.num_rows < FEW_ROWS:
        return found
    looked_at = pa.table(first.columns[len(request.names) :], (*others, *gone))
    found += cautions_of_first(looked_at, others, gone) if others or gone else []
    places = known.places(first.columns[: len(request.names)])
    codes = coding.of_places(places[known.whole(places)])
    for at, (name, domain) in enumerate(zip(coding.quasi, coding.domains, strict=False)):
        steps = np.diff(codes[:, at])
        if isinstance(domain, RangeDomain) and steps.any() and ((steps >= 0).all() or (steps <= 0).all()):
            found.append(sorted_rows(name, instead=FIRST_SHUFFLE, suppressed_too=True))
    return found


CHANGING = (
    "The DataFrame draws at random or numbers its rows, so that its rows may be others when they are computed again: "
    "write it to a file first, and release what was written."
)


def _repeats(data: DataFrame) -> bool:
    """Whether the plan of a DataFrame gives the same rows each time; yes, where it cannot be seen."""
    plan = getattr(data, "_jdf", None)
    return plan is None or bool(plan.queryExecution().analyzed().deterministic())
