"""linking_in_sample(): the columns that link the rows of people among the first rows of a table read in parts."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from shoal.engines.repeated_values import people_of
from shoal.release.request import Request
from shoal.release.review.finding import Finding
from shoal.release.review.linking_columns import linking_columns


def linking_in_sample(columns: Mapping[str, pa.Array | pa.ChunkedArray], request: Request) -> list[Finding]:
    """Find the columns that link the rows of people, given some rows of them and of the unit."""
    numbers = {name: people_of(_chunked(column), request.missing_values) for name, column in columns.items()}
    people = numbers.pop(str(request.unit.column if request.unit is not None else None))
    named = people >= 0
    if not named.any():
        return []
    return linking_columns({name: own[named] for name, own in numbers.items()}, people[named], request)


def _chunked(column: pa.Array | pa.ChunkedArray) -> pa.ChunkedArray:
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
