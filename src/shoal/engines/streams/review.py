"""suspected_columns(): the columns of files that may say whose row it is, counted in the pass that counts rows."""

from __future__ import annotations

from contextlib import closing

from shoal.engines.repeated_values import RepeatedValues
from shoal.engines.scan import Scan
from shoal.release.request import Request
from shoal.release.review.repeated_people import columns_to_review, suspects
from shoal.release.review.shapes import sample_of


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
