"""The review of a DataFrame: of its first rows before they are counted, and of the release that came out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from shoal.data.classes import Classes
from shoal.data.domain import RangeDomain
from shoal.engines.linking_sample import linking_in_sample
from shoal.engines.removed_columns import removed_columns
from shoal.engines.scan import Scan
from shoal.engines.spark.frames import FIRST_ROWS, ROWS, keys_of, numbered
from shoal.engines.spark.labellers import Answered, LookupLabeller
from shoal.engines.spark.people import similar_names
from shoal.engines.spark.session import pyspark
from shoal.kernels.arrays import Ints, Longs
from shoal.release.request import Request
from shoal.release.review.derived_columns import derived_columns
from shoal.release.review.evidence import Evidence, Hidden, Passed
from shoal.release.review.finding import Finding
from shoal.release.review.identifying_columns import columns_that_leave, identifying_columns
from shoal.release.review.linking_columns import columns_that_may_link
from shoal.release.review.rare_values import rare_values
from shoal.release.review.repeated_people import columns_to_review, repeated_in, stop_or_state, suspects
from shoal.release.review.review import Review
from shoal.release.review.shapes import sample_of
from shoal.release.review.sorted_rows import FIRST_SHUFFLE, first_rows_sorted, sorted_rows
from shoal.release.review.tally import MARKS, Tally
from shoal.release.review.unique_combinations import unique_combinations
from shoal.release.row_order import FEW_ROWS, RowOrder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FirstRows = Callable[[list[str]], dict[str, pa.ChunkedArray]]  # of some columns
CHANGING = (
    "The DataFrame draws at random or numbers its rows, so that its rows may differ when they are computed again: "
    "write it to a file first, and release that file."
)


def review_columns(data: DataFrame, request: Request, *, first_rows: FirstRows | None = None) -> Request:
    """Raise ReviewError if people repeat, or a column identifies them or links their rows.

    If each row is a person, as asked, have the request state it instead.

    first_rows  a quicker way to the first rows, if there is one
    """
    first_rows = first_rows or partial(_first, data)
    first = first_rows(columns_that_leave(data.columns, request))
    Review.of([*_linking_columns(data.columns, first_rows, request), *identifying_columns(first, request)], request)
    types = pyspark("sql.types")
    texts = (types.NumericType, types.StringType, types.DateType)
    kinds = {field.name: field.dataType for field in data.schema.fields}
    names = [name for name in columns_to_review(data.columns, request) if isinstance(kinds[name], texts)]
    samples = {name: sample_of(column, request.missing_values) for name, column in first_rows(names).items()}
    keys = dict(zip(names, keys_of(data, tuple(names)), strict=True))
    found = suspects(samples, request.roles)
    return stop_or_state(
        request, repeated_in((one, _tally(data, keys[one.column], request.missing_values)) for one in found)
    )


def review_release(
    data: DataFrame, request: Request, answered: Answered, classes: Classes, *, first_rows: FirstRows | None = None
) -> Review:
    """Review a release by its classes and first rows; raise ReviewError if a column tells what labels hide."""
    first_rows = first_rows or partial(_first, data)
    leaving = columns_that_leave(data.columns, request)
    removed = () if request.order == "shuffled" else removed_columns(request)
    first = first_rows([*dict.fromkeys((*request.names, *leaving, *removed))])
    found = [
        *identifying_columns({name: first[name] for name in leaving}, request),
        *_linking_columns(data.columns, first_rows, request),
        *similar_names(data, request),
        *answered.answer.weak_points(classes),
    ]
    if not _is_deterministic(data):
        found.append(Finding("changing-table", CHANGING))
    known, coding = answered.counted.known, answered.answer.coding
    places = known.places([first[name].combine_chunks() for name in request.names])
    complete = known.complete(places)
    codes = coding.of_places(places[complete])
    unchecked = {"derived-column", "unique-combination", "rare-value"} if leaving else set()
    if isinstance(answered.labeller, LookupLabeller) and request.unit is None:
        passed = {name: first[name] for name in leaving}
        rows = np.flatnonzero(complete)
        evidence = _evidence(answered, answered.labeller, codes=codes, rows=rows, passed=passed)
        found += derived_columns(evidence)
        unchecked -= {"derived-column"}
        if evidence.share == 1:  # of a part of the rows, nobody knows which are unique
            found += unique_combinations(evidence)
            found += rare_values({name: column.codes for name, column in evidence.passed.items()})
            unchecked = set()
    if len(complete) >= FEW_ROWS and request.order != "shuffled":
        found += first_rows_sorted(pa.table({name: first[name] for name in removed}), removed) if removed else []
        for at, (name, domain) in enumerate(zip(coding.quasi, coding.domains, strict=False)):
            order = RowOrder()
            order.add(codes[:, at])
            if isinstance(domain, RangeDomain) and order.sorted:
                found.append(sorted_rows(name, order.sorted, instead=FIRST_SHUFFLE, suppressed_too=True))
    return Review.of(found, request, unchecked=unchecked)


def _evidence(
    answered: Answered, labeller: LookupLabeller, *, codes: Ints, rows: Longs, passed: Mapping[str, pa.ChunkedArray]
) -> Evidence:
    """Return those of the first rows that are released, beside their originals.

    codes   the codes of the rows that can be released
    rows    the numbers of these rows among the first
    passed  columns that are released as they are, by name
    """
    coding, ids = answered.answer.coding, labeller.lookup.classes(codes)
    if labeller.drops_suppressed:
        codes, rows, ids = codes[ids >= 0], rows[ids >= 0], ids[ids >= 0]
    columns = {name: Passed.of(column.take(pa.array(rows))) for name, column in passed.items()}
    return Evidence(
        rows=answered.promise.rows,
        classes=ids,
        quasi={
            name: Hidden.of(coding.domains[at], codes[:, at], ids, labeller.labels[name].texts())
            for at, name in enumerate(coding.quasi)
            if name in labeller.labels
        },
        columns={name: column for name, column in columns.items() if column is not None},
        sensitive=answered.promise.roles.sensitive,
    )


def first_rows_of_csv(scan: Scan, names: list[str]) -> dict[str, pa.ChunkedArray]:
    """Read the first rows of these columns on the driver.

    To collect some rows that Python workers read, Spark ends the workers, and others must be started.
    """
    found: dict[str, list[pa.Array]] = {name: [] for name in names}
    rows = 0
    with closing(scan.batches(names)) as batches:
        for batch in batches if names else ():
            for name, column in zip(names, batch.columns, strict=True):
                found[name].append(column.slice(0, FIRST_ROWS - rows).cast(pa.string()))
            rows += len(batch)
            if rows >= FIRST_ROWS:
                break
    return {name: pa.chunked_array(columns, pa.string()) for name, columns in found.items()}


def _first(data: DataFrame, names: list[str]) -> dict[str, pa.ChunkedArray]:
    """Collect the first rows of these columns."""
    if not names:
        return {}
    rows = numbered(data).select(*keys_of(data, tuple(names))).limit(FIRST_ROWS).toArrow()
    return dict(zip(names, rows.columns, strict=True))


def _linking_columns(columns: list[str], first_rows: FirstRows, request: Request) -> list[Finding]:
    """Find the columns that link the rows of people in the first rows."""
    names, unit = columns_that_may_link(columns, request), request.unit
    if not names or unit is None or unit.column is None:
        return []
    return linking_in_sample(first_rows([unit.column, *names]), request)


def _tally(data: DataFrame, key: str, missing: tuple[str, ...]) -> Tally:
    """Count how often the values of a column repeat."""
    functions = pyspark("sql.functions")
    values = numbered(data).select(functions.col(key).cast("string").alias(key)).dropna()
    present = values.where(~functions.col(key).isin(*MARKS, *missing))
    counts = present.groupBy(key).agg(functions.count(functions.lit(1)).alias(ROWS))
    single = functions.sum((functions.col(ROWS) == 1).cast("bigint"))
    row = counts.agg(functions.sum(ROWS), functions.count(ROWS), single).first()
    rows, different, once = row if row is not None else (0, 0, 0)
    return Tally(rows or 0, different or 0, once or 0)


def _is_deterministic(data: DataFrame) -> bool:
    """Tell whether the plan of a DataFrame gives the same rows each time; assume so if the plan is not accessible."""
    plan = getattr(data, "_jdf", None)
    return plan is None or bool(plan.queryExecution().analyzed().deterministic())
