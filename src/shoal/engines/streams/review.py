"""The review of files: columns that link the rows of people, and columns that may say whose row it is."""

from __future__ import annotations

from contextlib import closing

from shoal.engines.linking_sample import linking_in_sample
from shoal.engines.repeated_values import RepeatedValues
from shoal.engines.scan import Scan
from shoal.release.request import Request
from shoal.release.review.finding import stop_at
from shoal.release.review.linking_columns import columns_that_may_link
from shoal.release.review.repeated_people import columns_to_review, suspects
from shoal.release.review.shapes import sample_of


def stop_at_linking_columns(scan: Scan, request: Request) -> None:
    """Raise ReviewError if, in the first rows, a column that stays links the rows of people."""
    names, unit = columns_that_may_link(scan.columns, request), request.unit
    if not names or unit is None or unit.column is None:
        return
    with closing(scan.batches((unit.column, *names))) as batches:
        first = next(batches, None)
    if first is not None:
        stop_at(linking_in_sample({name: first.column(name) for name in (unit.column, *names)}, request))


def suspected_columns(scan: Scan, request: Request) -> list[RepeatedValues]:
    """Return a counter for each column that may say whose row it is, by its name and its first values."""
    names = columns_to_review(scan.columns, request)
    if not names:
        return []
    with closing(scan.batches(names)) as batches:
        first = next(batches, None)
    if first is None:
        return []
    samples = {name: sample_of(first.column(name), request.missing_values) for name in names}
    return [RepeatedValues(suspect, request.missing_values) for suspect in suspects(samples, request.roles)]
