"""review(): what would make the release of a table in memory protect less than it says."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from shoal.engines.memory.count import Counted
from shoal.engines.repeated_values import RepeatedValues, people_of
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.labelling import Labelling
from shoal.release.request import Request
from shoal.release.review.finding import Finding, stop_at
from shoal.release.review.linking_columns import columns_that_may_link, linking_columns
from shoal.release.review.repeated_people import (
    Repeated,
    columns_to_review,
    fewest_people,
    repeated_in,
    suspects,
    with_statement,
)
from shoal.release.review.shapes import sample_of
from shoal.release.solve import Solved


def review(counted: Counted) -> tuple[Counted, list[Repeated]]:
    """Stop at columns that link the rows of people, and find those in which people repeat.

    If each row is a person, as asked, have the request state it instead.
    """
    request = counted.request
    stop_at(_linking_columns(counted))
    repeated = _repeated_people(counted.kept, request)
    if request.rows_are_people:
        return replace(counted, request=with_statement(request, repeated)), []
    return counted, repeated


def stop_at_repeated_people(repeated: list[Repeated], counted: Counted, solved: Solved) -> None:
    """Raise ReviewError if people repeat, with the fewest people of a class of the release."""
    if not repeated:
        return
    ids = Labelling.of(solved, counted.request).ids
    missing = counted.request.missing_values
    columns = {found.column: _column(counted.kept, found.column) for found in repeated}
    people = {name: fewest_people(ids, people_of(column, missing)) for name, column in columns.items()}
    stop_at([found.finding(people[found.column]) for found in repeated])


def _linking_columns(counted: Counted) -> list[Finding]:
    """Find the columns that link the rows of people whose unit is removed."""
    request = counted.request
    names = columns_that_may_link(counted.kept.columns, request)
    people = counted.units if counted.owners is None else counted.owners
    if people is None or not names:
        return []
    values = {name: people_of(_column(counted.kept, name), request.missing_values) for name in names}
    return linking_columns(values, people, request)


def _repeated_people(source: Source, request: Request) -> list[Repeated]:
    missing = request.missing_values
    columns = {name: _column(source, name) for name in columns_to_review(source.columns, request)}
    tallies = []
    for suspect in suspects({name: sample_of(column, missing) for name, column in columns.items()}, request.roles):
        values = RepeatedValues(suspect, missing)
        for chunk in columns[suspect.column].chunks:
            values.add(chunk)
        tallies.append((suspect, values.tally()))
    return repeated_in(tallies)


def _column(source: Source, name: str) -> pa.ChunkedArray:
    """Return a column, as text if it mixes types."""
    try:
        return source.arrow(name)
    except InputError:
        values = source.frame[name].to_list()
        return pa.chunked_array([[None if value is None else str(value) for value in values]], pa.string())
