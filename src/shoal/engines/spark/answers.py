"""What the rows of a DataFrame are to show, found by the algorithm on the driver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from shoal.algorithms import Algorithm
from shoal.data.coding import Coding
from shoal.data.table import Classes
from shoal.engines.spark.count import Counted, count_on_driver
from shoal.engines.spark.relabel import Joining, Labelling, Reading
from shoal.engines.streams.lookup import Lookup
from shoal.engines.streams.relabel import Labels
from shoal.release.cautions import Caution
from shoal.release.plan import Outcome, Plan
from shoal.release.release import Report
from shoal.release.solve import Tell
from shoal.release.verification import Promise

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class Answered:
    """How a release is to be made, and what its report is made from; `held` is kept by Spark for it."""

    making: Labelling | Joining
    counted: Counted
    coding: Coding
    algorithm: Algorithm
    promise: Promise
    cautions: Callable[[Classes], list[Caution]]
    report: Callable[[Classes, dict[str, Any], list[Caution]], Report]
    outcome: Outcome | None = None
    held: DataFrame | None = None


def all_at_once(data: DataFrame, plan: Plan, different: pa.Table, tell: Tell) -> Answered:
    """Let the algorithm answer about all different rows, on the driver."""
    counted, places, weights = count_on_driver(different, plan)
    outcome = plan.solve(counted.values, lambda coding: (coding.of_places(places), weights), tell)
    table = outcome.solved.table
    codes = np.concatenate([table.codes, table.sensitive_codes], axis=1)
    labelling = Labelling(
        Reading.of(plan, counted.known, outcome.coding, data.columns),
        Lookup(lambda: [(codes, outcome.ids)], len(codes)),
        {name: Labels(shown, outcome.tops[name]) for name, shown in outcome.labels.items()},
        drops=plan.request.suppressed == "drop",
    )
    return Answered(
        labelling,
        counted,
        outcome.coding,
        outcome.solved.algorithm,
        outcome.promise(),
        lambda classes: outcome.cautions(),
        lambda classes, facts, cautions: outcome.report(facts, dropped=counted.dropped, cautions=cautions),
        outcome,
    )
