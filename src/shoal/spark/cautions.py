"""What the first rows of a DataFrame show of weak points: columns without a role, and rows in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from shoal.cautions import FEW_ROWS, UNIQUE_SHARE, Caution, different_values, passed_on, sorted_rows
from shoal.domain import RangeDomain
from shoal.plan import Plan
from shoal.spark.answers import Answered
from shoal.spark.frames import keys_of, numbered

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LOOKED_AT = 10_000  # rows


def cautions_by_rows(data: DataFrame, plan: Plan, answered: Answered) -> list[Caution]:
    """The weak points that the rows show."""
    roles, known, coding = plan.request.roles, answered.counted.known, answered.coding
    named = {*roles.quasi, *roles.sensitive, *roles.identifying, *roles.pseudonymized}
    others = tuple(name for name in data.columns if name not in named)
    first = numbered(data).select(*keys_of(data, (*plan.names, *others))).limit(LOOKED_AT).toArrow()
    found = [] if _repeats(data) else [Caution(CHANGING)]
    if first.num_rows < FEW_ROWS:
        return found
    for name, column in zip(others, first.columns[len(plan.names) :], strict=True):
        distinct = different_values(column)
        if distinct > UNIQUE_SHARE * first.num_rows:
            found.append(passed_on(name, distinct, f"the first {first.num_rows} rows"))
    places = known.places(first.columns[: len(plan.names)])
    codes = coding.of_places(places[known.whole(places)])
    for at, (name, domain) in enumerate(zip(coding.quasi, coding.domains, strict=False)):
        steps = np.diff(codes[:, at])
        if isinstance(domain, RangeDomain) and steps.any() and ((steps >= 0).all() or (steps <= 0).all()):
            found.append(sorted_rows(name))
    return found


CHANGING = (
    "The DataFrame draws at random or numbers its rows, so that its rows may be others when they are computed again: "
    "write it to a file first, and release what was written."
)


def _repeats(data: DataFrame) -> bool:
    """Whether the plan of a DataFrame gives the same rows each time; yes, where it cannot be seen."""
    plan = getattr(data, "_jdf", None)
    return plan is None or bool(plan.queryExecution().analyzed().deterministic())
