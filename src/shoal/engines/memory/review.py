"""review(): what would make the release of a table in memory protect less than it says."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pyarrow as pa

from shoal.engines.memory.count import Counted
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.labelling import Labelling
from shoal.release.request import Request
from shoal.release.review.finding import stop_at
from shoal.release.review.repeated_people import (
    Repeated,
    columns_to_review,
    fewest_people,
    repeated_in,
    suspects,
    with_statement,
)
from shoal.release.review.shapes import sample_of
from shoal.release.review.tally import Tally, places_of
from shoal.release.solve import Solved


def review(counted: Counted) -> tuple[Counted, list[Repeated]]:
    """Find the columns in which people repeat; if each row is a person, as asked, have the request state it instead."""
    request = counted.request
    repeated = _repeated_people(counted.kept, request)
    if request.rows_are_people:
        return replace(counted, request=with_statement(request, repeated)), []
    return counted, repeated


def stop_at_repeated_people(repeated: list[Repeated], counted: Counted, solved: Solved) -> None:
    """Raise ReviewError if people repeat, with the fewest people of a class of the release."""
    if not repeated:
        return
    ids = Labelling.of(solved, counted.request).ids
    people = [places_of(counted.kept.arrow(found.column), counted.request.missing_values) for found in repeated]
    stop_at([found.finding(fewest_people(ids, places)) for found, places in zip(repeated, people, strict=True)])


def _repeated_people(source: Source, request: Request) -> list[Repeated]:
    missing, columns = request.missing_values, {}
    for name in columns_to_review(source.columns, request):
        with suppress(InputError):  # of values that cannot be compared, such as mixed types
            columns[name] = source.arrow(name)
    samples = {name: sample_of(column, missing) for name, column in columns.items()}
    tallies = []
    for suspect in suspects(samples, request.roles):
        with suppress(pa.ArrowNotImplementedError):  # of lists and the like
            places = places_of(columns[suspect.column], missing)
            counts = np.bincount(places[places >= 0])
            tallies.append((suspect, Tally.of(counts[counts > 0])))
    return repeated_in(tallies)
