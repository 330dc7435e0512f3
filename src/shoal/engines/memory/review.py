"""The review of a table in memory: before it is solved, and of the release that came out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from shoal.engines.memory.count import Counted
from shoal.engines.repeated_values import people_of, repeated_people
from shoal.engines.similar_names import similar_names
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.labelling import Labelling
from shoal.release.review.derived_columns import INDEX, derived_columns
from shoal.release.review.evidence import Evidence, Passed, chosen_rows, hidden_values
from shoal.release.review.finding import Finding
from shoal.release.review.identifying_columns import columns_that_leave, identifying_columns
from shoal.release.review.index_levels import identifying_index, numbers_the_rows
from shoal.release.review.linking_columns import columns_that_may_link, linking_columns
from shoal.release.review.rare_values import rare_values
from shoal.release.review.repeated_people import (
    Repeated,
    columns_to_review,
    fewest_people,
    with_statement,
)
from shoal.release.review.review import Review
from shoal.release.review.sorted_rows import order_that_tells
from shoal.release.review.unique_combinations import unique_combinations
from shoal.release.review.weak_points import weak_points
from shoal.release.solve import Solved


def review_columns(counted: Counted) -> tuple[Counted, list[Repeated]]:
    """Stop at columns that identify people or link their rows, and find those in which people repeat.

    If each row is a person, as asked, have the request state it instead.
    """
    request = counted.request
    leaving = {name: column_of(counted.kept, name) for name in columns_that_leave(counted.kept.columns, request)}
    found = Review.of(
        [*_index_that_names(counted), *_linking_columns(counted), *identifying_columns(leaving, request)], request
    ).findings
    asked = {name: column_of(counted.kept, name) for name in columns_to_review(counted.kept.columns, request)}
    repeated = repeated_people(asked, request.roles, request.missing_values)
    if request.rows_are_people:
        request, repeated = with_statement(request, repeated), []
    return replace(counted, request=request, found=found), repeated


def _index_that_names(counted: Counted) -> list[Finding]:
    """Find an index of a pandas frame that says who people are, unless the release does not have it."""
    request, source = counted.request, counted.kept
    if request.order == "shuffled" or not source.index:
        return []
    gone = (*request.roles.identifying, *request.roles.pseudonymized)
    return [*identifying_index(source.index, {name: column_of(source, name) for name in gone})]


def stop_at_repeated_people(repeated: list[Repeated], counted: Counted, solved: Solved) -> None:
    """Raise ReviewError if people repeat, with the fewest people of a class of the release."""
    if not repeated:
        return
    ids = Labelling.of(solved, counted.request).ids
    missing = counted.request.missing_values
    columns = {found.column: column_of(counted.kept, found.column) for found in repeated}
    people = {name: fewest_people(ids, people_of(column, missing)) for name, column in columns.items()}
    Review.of([found.finding(people[found.column]) for found in repeated], counted.request)


def review_release(counted: Counted, labelling: Labelling) -> Review:
    """Review a release; raise ReviewError if a column that leaves as it is tells what labels hide."""
    request, table, source = counted.request, labelling.table, counted.kept
    inside = pa.array(~labelling.suppressed) if labelling.suppressed.any() else None
    released = np.flatnonzero(labelling.ids >= 0) if request.drops_suppressed else np.arange(len(source))
    leaving = {name: column_of(source, name) for name in columns_that_leave(source.columns, request)}
    passed = {name: column for name, own in leaving.items() if (column := Passed.of(own)) is not None}
    evidence = _evidence(labelling, released, passed)
    indexed = _evidence(labelling, released, _index(counted))
    return Review.of(
        [
            *counted.found,
            *similar_names(source, request),
            *derived_columns(evidence),
            *derived_columns(indexed),
            *unique_combinations(evidence),
            *weak_points(labelling),
            *rare_values({name: column.codes[released] for name, column in passed.items()}),
            *order_that_tells(source, request, table, generalized=labelling.generalized, inside=inside),
        ],
        request,
    )


def _index(counted: Counted) -> dict[str, Passed]:
    """Return the index of a pandas frame, unless the release does not have it or it numbers the rows."""
    levels = [] if counted.request.order == "shuffled" else [level for _, level in counted.kept.index]
    names = [INDEX] if len(levels) == 1 else [f"{INDEX}, level {level}" for level in range(len(levels))]
    told = {name: Passed.of(level) for name, level in zip(names, levels, strict=True) if not numbers_the_rows(level)}
    return {name: column for name, column in told.items() if column is not None}


def _evidence(labelling: Labelling, released: np.ndarray, passed: dict[str, Passed]) -> Evidence:
    """Choose rows of a release, with the columns that are released as they are."""
    ids = labelling.ids[released]
    rows = chosen_rows(ids)
    columns = {name: column.some(released[rows]) for name, column in passed.items()}
    hidden = hidden_values(labelling, released[rows]) if columns else {}  # which only other columns could tell
    return Evidence(released.size, ids[rows], hidden, columns, sensitive=labelling.request.roles.sensitive)


def _linking_columns(counted: Counted) -> list[Finding]:
    """Find the columns that link the rows of people whose unit is removed."""
    request = counted.request
    names = columns_that_may_link(counted.kept.columns, request)
    people = counted.units if counted.owners is None else counted.owners
    if people is None or not names:
        return []
    values = {name: people_of(column_of(counted.kept, name), request.missing_values) for name in names}
    return linking_columns(values, people, request)


def column_of(source: Source, name: str) -> pa.ChunkedArray:
    """Return a column, as text if it mixes types."""
    try:
        return source.arrow(name)
    except InputError:
        values = source.frame[name].to_list()
        return pa.chunked_array([[None if value is None else str(value) for value in values]], pa.string())
