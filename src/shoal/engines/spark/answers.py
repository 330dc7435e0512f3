"""The algorithm's answer about a DataFrame, and the answer found by solving all distinct rows on the driver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from shoal.data.coding import Coding, Values
from shoal.data.encoding import Guide
from shoal.data.table import Table
from shoal.engines.labels import Labels
from shoal.engines.lookup import Lookup
from shoal.engines.spark.count import Counted, Counts, IntArray, collect_counts
from shoal.engines.spark.labellers import BatchReader, Labeller, LookupLabeller
from shoal.release.answer import WholeAnswer, coding_of
from shoal.release.blocks import Answer
from shoal.release.promise import Promise
from shoal.release.request import Request
from shoal.release.solve import Tell

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class Answered:
    """The algorithm's answer, its promise, and how workers relabel rows; Spark keeps `persisted` for that purpose."""

    answer: Answer
    promise: Promise
    labeller: Labeller
    counted: Counted
    persisted: DataFrame | None = None


def solve_together(data: DataFrame, request: Request, distinct: pa.Table, tell: Tell) -> Answered:
    """Solve all distinct rows on the driver."""
    counted, places, weights = collect_counts(distinct, request)
    answer = WholeAnswer.of(partial(_encode, request, counted.values, places, weights), request, tell)
    codes, ids = answer.classes_of_rows
    labelling = answer.labelling
    labeller = LookupLabeller(
        BatchReader.of(request, counted.known, answer.coding, data.columns),
        Lookup(lambda: [(codes, ids)], len(codes)),
        {name: Labels(labels, labelling.tops[name]) for name, labels in labelling.labels.items()},
        drops_suppressed=request.drops_suppressed,
    )
    return Answered(answer, answer.promise(), labeller, counted)


def _encode(
    request: Request, values: tuple[Values, ...], places: IntArray, weights: Counts, guides: Mapping[str, Guide]
) -> tuple[Table, Coding]:
    """Encode distinct rows, given as places of their values."""
    coding = coding_of(request, values, guides)
    return coding.table(coding.of_places(places), weights), coding
