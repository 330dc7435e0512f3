"""count(): the first pass over a table, from batches to the values of its columns and distinct rows with weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.coding import Values
from shoal.data.column import check_groupable, one_order
from shoal.engines.distinct_rows import complete_rows, missing_places
from shoal.engines.repeated_values import RepeatedValues
from shoal.engines.scan import ReadProgress, Scan
from shoal.engines.streams.distinct_rows import DistinctRows
from shoal.engines.streams.people import PeopleRows
from shoal.engines.streams.person_numbers import PersonNumbers
from shoal.errors import InputError
from shoal.release.arguments import check_some_complete
from shoal.release.request import Request

IntArray = NDArray[np.int32]


class KnownValues:
    """The distinct values of a column in the order in which they were first seen; null has the place −1."""

    def __init__(self, name: str, kind: pa.DataType) -> None:
        self.name = name
        self._ordered = pa.types.is_dictionary(kind) and kind.ordered
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        check_groupable(name, plain)
        if pa.types.is_float16(plain):
            raise InputError(f"Column {name!r} is of type {plain}, which is not read part by part: make it double.")
        # Arrow cannot look up values among string views.
        self._values = pa.array([], pa.large_string() if pa.types.is_string_view(plain) else plain)
        self._orders: dict[tuple[Any, ...], None] = {}  # the categories of each batch, including unused ones

    def places(self, column: pa.Array, *, learn: bool) -> IntArray:
        """Return the place of each value; a new value is learned or else refused."""
        if pa.types.is_null(column.type):
            return np.full(len(column), -1, np.int32)
        if not pa.types.is_dictionary(column.type):
            column = pc.dictionary_encode(column)
        dictionary = column.dictionary.cast(self._values.type)
        if self._ordered and learn:
            self._orders[tuple(dictionary.drop_null().to_pylist())] = None
        indices = pc.index_in(dictionary, value_set=self._values)
        new = pc.and_(pc.is_null(indices), pc.is_valid(dictionary))
        if pc.any(new).as_py():
            # A dictionary may hold values that no row has.
            new = pc.and_(new, pc.is_in(dictionary, value_set=dictionary.take(pc.unique(column.indices))))
            if pc.any(new).as_py() and not learn:
                raise InputError(
                    f"Column {self.name!r} has a value that was not there before: the input changed while it was read."
                )
            self._values = pa.concat_arrays([self._values, dictionary.filter(new)])
            indices = pc.index_in(dictionary, value_set=self._values)
        place_of = np.append(pc.fill_null(indices, -1).to_numpy(zero_copy_only=False), -1).astype(np.int32)
        rows = pc.fill_null(column.indices.cast(pa.int32()), -1).to_numpy(zero_copy_only=False)
        places: IntArray = place_of[rows]
        return places

    def in_order(self) -> tuple[pa.Array, IntArray]:
        """Return the values in the order of their categories, and the rank of each place in that order."""
        place_of = {value: at for at, value in enumerate(one_order(self.name, self._orders))}
        order = np.argsort([place_of[value] for value in self._values.to_pylist()], kind="stable")
        rank = np.empty(order.size, np.int32)
        rank[order] = np.arange(order.size, dtype=np.int32)
        return self._values.take(pa.array(order, pa.int64())), rank

    def values(self, counts: NDArray[np.int64]) -> Values:
        """Return the values with their numbers of rows; the last count is that of null."""
        values = self._values
        if self._ordered:
            dictionary, rank = self.in_order()
            values = pa.DictionaryArray.from_arrays(pa.array(rank), dictionary, ordered=True)
        if not counts[-1]:
            return Values(self.name, values, counts[:-1])
        return Values(self.name, pa.concat_arrays([values, pa.nulls(1, values.type)]), counts)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True, eq=False)
class Counted:
    """The values of the columns, and the distinct rows as places of their values.

    missing  for each column and place (null last) whether it means missing; None if incomplete rows are released
    dropped  the number of incomplete rows
    people   which person has which of the distinct rows, if people are counted
    """

    known: tuple[KnownValues, ...]
    distinct: DistinctRows
    values: tuple[Values, ...]
    missing: tuple[NDArray[np.bool_], ...] | None
    dropped: int
    people: PeopleRows | None = None

    def places(self, columns: Sequence[pa.Array]) -> IntArray:
        """Return the places of the values of a batch, rows × columns."""
        return _places(self.known, columns, learn=False)

    def complete(self, places: IntArray) -> NDArray[np.bool_]:
        """Tell which rows are not dropped for a missing value."""
        return complete_rows(places, self.missing)


def count(
    scan: Scan,
    request: Request,
    *,
    max_bytes: int,
    folder: Path,
    tell: ReadProgress,
    repeats: Sequence[RepeatedValues] = (),
) -> Counted:
    """Count the distinct rows of the requested columns; beyond `max_bytes` they are kept in files in `folder`.

    repeats  count the values of other columns in the same pass
    """
    names = request.names
    known = tuple(KnownValues(name, scan.schema.field(name).type) for name in names)
    distinct = DistinctRows(len(names), max_bytes=max_bytes, folder=folder)
    people = _people_of(scan, request)
    others = [*(column.name for column in repeats), *(() if people is None else (people.numbers.name,))]
    for batch in scan.batches([*names, *others], tell):
        places = distinct.add(_places(known, batch.columns[: len(names)], learn=True))
        for column, values in zip(repeats, batch.columns[len(names) :], strict=False):
            column.add(values)
        if people is not None:
            if distinct.spilled:
                raise InputError(
                    f"More than {len(distinct):,} different rows, with whose they are, need more than the memory of "
                    f"this run: give more, or round values first."
                )
            people.add(people.numbers.add(batch.columns[-1], learn=True), places)
    if not distinct.rows:
        raise InputError(f"{scan.path}: the table has column names but no rows.")
    distinct.finish()
    values = _values(known, distinct, None)
    counted = Counted(known, distinct, values, None, 0, people)
    if request.drop_missing:
        missing = tuple(missing_places(column, request.missing_values) for column in values)
        complete_values = _values(known, distinct, missing)
        rows = int(complete_values[0].counts.sum())
        check_some_complete(rows)
        counted = Counted(known, distinct, complete_values, missing, distinct.rows - rows, people)
    if people is not None and request.unit is not None:
        people.finish()
        people.refuse_nobodies(request.unit, counted.complete(distinct.all()[0]))
    return counted


def _people_of(scan: Scan, request: Request) -> PeopleRows | None:
    """Return a counter of the people whose rows they are, if people are counted."""
    if request.unit is None or request.unit.column is None:
        return None
    name = request.unit.column
    kind = scan.schema.field(name).type
    if pa.types.is_nested(kind):
        raise InputError(f"Column {name!r} holds values of type {kind}, which cannot name people: convert it to text.")
    return PeopleRows(PersonNumbers(name, request.missing_values))


def _places(known: Sequence[KnownValues], columns: Sequence[pa.Array], *, learn: bool) -> IntArray:
    """Return the places of the values of a batch, rows × columns."""
    places = np.empty((len(columns[0]), len(known)), np.int32)
    for at, (values, column) in enumerate(zip(known, columns, strict=True)):
        places[:, at] = values.places(column, learn=learn)
    return places


def _values(
    known: Sequence[KnownValues], distinct: DistinctRows, missing: Sequence[NDArray[np.bool_]] | None
) -> tuple[Values, ...]:
    """Return the values of each column with the number of complete rows that have them."""
    counts = [np.zeros(len(values) + 1, np.int64) for values in known]
    for places, weights in distinct.parts():
        complete = complete_rows(places, missing)
        for at, total in enumerate(counts):
            rows = np.bincount(places[complete, at] + 1, weights[complete], total.size).astype(np.int64)
            total += np.roll(rows, -1)  # null, at −1, is last
    return tuple(values.values(total) for values, total in zip(known, counts, strict=True))
