"""The labels of a DataFrame's rows, found by the algorithm on the driver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from shoal.data.coding import Coding, Values
from shoal.data.encoding import Guide
from shoal.data.table import Table
from shoal.engines.spark.count import Counted, Counts, IntArray, count_on_driver
from shoal.engines.spark.relabel import Joining, Labeller, Reading
from shoal.engines.streams.lookup import Lookup
from shoal.engines.streams.relabel import Labels
from shoal.release.answer import Answer, WholeAnswer, coding_of
from shoal.release.promise import Promise
from shoal.release.request import Request
from shoal.release.solve import Tell

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class Answered:
    """The answer of the algorithm, what it promises, and how workers relabel rows; Spark keeps `held` for that."""

    answer: Answer
    promise: Promise
    making: Labeller | Joining
    counted: Counted
    held: DataFrame | None = None


def all_at_once(data: DataFrame, request: Request, different: pa.Table, tell: Tell) -> Answered:
    """Let the algorithm answer all different rows, on the driver."""
    counted, places, weights = count_on_driver(different, request)
    answer = WholeAnswer.of(partial(_encoded, request, counted.values, places, weights), request, tell)
    codes, ids = answer.classes_of_rows
    labelling = answer.labelling
    labeller = Labeller(
        Reading.of(request, counted.known, answer.coding, data.columns),
        Lookup(lambda: [(codes, ids)], len(codes)),
        {name: Labels(shown, labelling.tops[name]) for name, shown in labelling.labels.items()},
        drops=request.drops_suppressed,
    )
    return Answered(answer, answer.promise(), labeller, counted)


def _encoded(
    request: Request, values: tuple[Values, ...], places: IntArray, weights: Counts, guides: Mapping[str, Guide]
) -> tuple[Table, Coding]:
    """Encode different rows that are given by the places of their values."""
    coding = coding_of(request, values, guides)
    return coding.table(coding.of_places(places), weights), coding
