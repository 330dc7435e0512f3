"""review(): what would make the release of a DataFrame protect less than it says, counted by Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.engines.linking_sample import linking_in_sample
from shoal.engines.spark.frames import FIRST_ROWS, ROWS, keys_of, numbered
from shoal.engines.spark.session import pyspark
from shoal.release.request import Request
from shoal.release.review.finding import Finding, stop_at
from shoal.release.review.linking_columns import columns_that_may_link
from shoal.release.review.repeated_people import columns_to_review, repeated_in, stop_or_state, suspects
from shoal.release.review.shapes import sample_of
from shoal.release.review.tally import MARKS, Tally

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def review(data: DataFrame, request: Request) -> Request:
    """Raise ReviewError if people repeat or a column links their rows; if each row is a person, as asked, state it."""
    stop_at(_linking_columns(data, request))
    types = pyspark("sql.types")
    texts = (types.NumericType, types.StringType, types.DateType)
    kinds = {field.name: field.dataType for field in data.schema.fields}
    names = [name for name in columns_to_review(data.columns, request) if isinstance(kinds[name], texts)]
    if not names:
        return stop_or_state(request, [])
    keys = dict(zip(names, keys_of(data, tuple(names)), strict=True))
    first = numbered(data).select(*keys.values()).limit(FIRST_ROWS).toArrow()
    samples = {name: sample_of(first[key], request.missing_values) for name, key in keys.items()}
    found = suspects(samples, request.roles)
    return stop_or_state(
        request, repeated_in((one, _tally(data, keys[one.column], request.missing_values)) for one in found)
    )


def _linking_columns(data: DataFrame, request: Request) -> list[Finding]:
    """Find the columns that link the rows of people in the first rows."""
    names, unit = columns_that_may_link(data.columns, request), request.unit
    if not names or unit is None or unit.column is None:
        return []
    asked = (unit.column, *names)
    first = numbered(data).select(*keys_of(data, asked)).limit(FIRST_ROWS).toArrow()
    return linking_in_sample(dict(zip(asked, first.columns, strict=True)), request)


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
