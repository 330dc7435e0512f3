"""The review of files: of their first rows before they are counted, and of rows all over the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing

import pyarrow as pa

from shoal.data.classes import Classes
from shoal.engines.linking_sample import linking_in_sample
from shoal.engines.removed_columns import removed_columns
from shoal.engines.repeated_values import RepeatedValues
from shoal.engines.scan import Scan
from shoal.engines.similar_names import warning_of_similar
from shoal.engines.streams.people import PeopleRows
from shoal.engines.streams.sampled_rows import SampledRows
from shoal.release.blocks import Answer
from shoal.release.request import Request
from shoal.release.review.derived_columns import derived_columns
from shoal.release.review.finding import Finding
from shoal.release.review.identifying_columns import columns_that_leave, identifying_columns
from shoal.release.review.linking_columns import columns_that_may_link
from shoal.release.review.rare_values import rare_values
from shoal.release.review.repeated_people import columns_to_review, suspects
from shoal.release.review.review import Review
from shoal.release.review.shapes import sample_of
from shoal.release.review.sorted_rows import FIRST_SHUFFLE, first_rows_sorted, sorted_rows
from shoal.release.review.unique_combinations import unique_combinations
from shoal.release.row_order import FEW_ROWS, RowOrder


def review_first_rows(scan: Scan, request: Request) -> None:
    """Raise ReviewError if, in the first rows, a column that stays identifies people or links their rows."""
    leaving = columns_that_leave(scan.columns, request)
    first = _first(scan, leaving)
    found = _linking_columns(scan, request)
    if first is not None:
        found += identifying_columns({name: pa.chunked_array([first.column(name)]) for name in leaving}, request)
    Review.of(found, request)


def _linking_columns(scan: Scan, request: Request) -> list[Finding]:
    """Find the columns that link the rows of people in the first rows."""
    links, unit = columns_that_may_link(scan.columns, request), request.unit
    if not links or unit is None or unit.column is None:
        return []
    first = _first(scan, [unit.column, *links])
    return (
        [] if first is None else linking_in_sample(dict(zip(first.schema.names, first.columns, strict=True)), request)
    )


def suspected_columns(scan: Scan, request: Request) -> list[RepeatedValues]:
    """Return a counter for each column that may say whose row it is, by its name and its first values."""
    names = columns_to_review(scan.columns, request)
    first = _first(scan, names)
    if first is None:
        return []
    samples = {name: sample_of(first.column(name), request.missing_values) for name in names}
    return [RepeatedValues(suspect, request.missing_values) for suspect in suspects(samples, request.roles)]


def review_release(
    answer: Answer,
    classes: Classes,
    sample: SampledRows,
    *,
    scan: Scan,
    request: Request,
    orders: Mapping[str, RowOrder],
    people: PeopleRows | None,
) -> Review:
    """Review a release in files; raise ReviewError if a column that leaves as it is tells what labels hide.

    classes  the classes of the written labels
    sample   rows all over the release
    orders   for each ordered quasi-identifier, whether its released rows come sorted
    people   whose rows they are, if people are counted
    """
    numbers = None if people is None else people.numbers
    columns, evidence = sample.columns(), sample.evidence()
    found = [
        *identifying_columns(columns, request),
        *_linking_columns(scan, request),
        *([] if numbers is None else warning_of_similar(numbers.name, numbers.similar())),
        *derived_columns(evidence),
        *unique_combinations(evidence),
        *answer.weak_points(classes),
    ]
    if sample.are_all:
        found += rare_values({name: column.codes for name, column in evidence.passed.items()})
    unchecked = () if sample.are_all else ("rare-value",)
    return Review.of([*found, *_order_that_tells(scan, request, orders, evidence.rows)], request, unchecked=unchecked)


def _order_that_tells(scan: Scan, request: Request, orders: Mapping[str, RowOrder], rows: int) -> list[Finding]:
    """List the columns by which rows are sorted and whose values are not released."""
    if rows < FEW_ROWS or request.order == "shuffled":
        return []
    removed = removed_columns(request)
    first = _first(scan, removed)
    found = [] if first is None else first_rows_sorted(first, removed)
    sorted_by = {name: order.sorted for name, order in orders.items()}
    return found + [sorted_rows(name, order, instead=FIRST_SHUFFLE) for name, order in sorted_by.items() if order]


def _first(scan: Scan, names: Sequence[str]) -> pa.RecordBatch | None:
    """Read the first rows of these columns; None if there are none."""
    if not names:
        return None
    with closing(scan.batches(names)) as batches:
        return next(batches, None)
