"""Shifted dates: those of a person are moved by the same number of days, so that their intervals stay.

Rows that cannot be linked show dates moved by a secret number of days for each person. Rows that can be linked show the
days since the first date of their person, since the pattern of intervals can identify people: it is a quasi-identifier.
"""

from __future__ import annotations

import hmac
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_text import is_text, plain
from shoal.data.style import text
from shoal.data.unit import unit_numbers
from shoal.errors import InputError
from shoal.io.source import Source
from shoal.release.pseudonyms import secret_of
from shoal.release.request import Request

MOST_DAYS = 365  # that dates are moved, back or forth
DAY = 86_400
PARTS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}  # of a second

Days = NDArray[np.int64]


def with_shifted_dates(source: Source, request: Request) -> Source:
    """Return the table with shifted dates; the table itself if none are to be shifted."""
    unit = request.unit
    if not request.shift_dates or unit is None or unit.column is None:
        return source
    people = unit_numbers(unit.column, source.arrow(unit.column), request.missing_values, unit.missing)
    columns = {name: _moments(name, source.arrow(name), request.missing_values) for name in request.shift_dates}
    if unit.linked:
        first = _first_days(list(columns.values()), people)
        changed = {name: _days_since(column, first[people]) for name, column in columns.items()}
    else:
        moved = _offsets(source.arrow(unit.column), people, request.key)[people]
        changed = {name: _moved(column, moved, source.arrow(name).type) for name, column in columns.items()}
    return replace(source, frame=source.changed(changed, drop=()))


def _moments(name: str, column: pa.ChunkedArray, missing: tuple[str, ...]) -> pa.ChunkedArray:
    """Return a column of dates or times; refuse another."""
    values = plain(column)
    if is_text(values.type):
        absent = pc.is_in(values, value_set=pa.array(["", *missing], values.type))
        values = pc.if_else(absent, pa.scalar(None, values.type), values)
        try:
            return values.cast(pa.date32())
        except pa.ArrowInvalid as error:
            row = _first_that_is_no_date(values)
            raise InputError(
                f"Column {name!r} cannot be shifted: {values[row].as_py()!r} in row {row + 1} is not a date such as "
                f"2026-03-31. Write all dates so, make the column one of dates first, or declare the text as missing."
            ) from error
    if pa.types.is_date(values.type) or pa.types.is_timestamp(values.type):
        return values
    raise InputError(f"Column {name!r} cannot be shifted, as it has {values.type} and not dates.")


def _first_that_is_no_date(values: pa.ChunkedArray) -> int:
    """Return the first row, by halving, that Arrow cannot read as a date."""
    good, bad = 0, len(values)  # rows that can be read, and rows of which one cannot
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            values.slice(good, middle - good).cast(pa.date32())
            good = middle
        except pa.ArrowInvalid:
            bad = middle
    return good


def _days(column: pa.ChunkedArray) -> tuple[Days, NDArray[np.bool_]]:
    """Return the day of each date, counted from 1970, and which are there."""
    there = column.is_valid().to_numpy()
    days = column.cast(pa.timestamp("s"), safe=False).cast(pa.int64()).fill_null(0).to_numpy()
    return days // DAY, there


def _first_days(columns: list[pa.ChunkedArray], people: NDArray[np.int32]) -> Days:
    """Return the first day of each person in all columns."""
    first = np.full(int(people.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    for column in columns:
        days, there = _days(column)
        np.minimum.at(first, people[there], days[there])
    return first


def _days_since(column: pa.ChunkedArray, first: Days) -> pa.Array:
    days, there = _days(column)
    return pa.array(np.where(there, days - np.where(there, first, 0), 0), mask=~there)


def _offsets(column: pa.ChunkedArray, people: NDArray[np.int32], key: bytes | str | None) -> Days:
    """Return by how many days the dates of each person are moved, which only the key tells."""
    if key is None:
        raise InputError("Dates can only be shifted with a secret key: give key=… or --key-file.")
    secret, offsets = secret_of(key), np.zeros(int(people.max(initial=-1)) + 1, np.int64)
    numbers, rows = np.unique(people, return_index=True)
    for number, value in zip(numbers.tolist(), column.take(pa.array(rows)).to_pylist(), strict=True):
        whose = f"shift_dates\0{number if value is None else ''}\0{'' if value is None else text(value)}"
        drawn = int.from_bytes(hmac.digest(secret, whose.encode(), "sha256")[:8], "big")
        offsets[number] = drawn % (2 * MOST_DAYS + 1) - MOST_DAYS
    return offsets


def _moved(column: pa.ChunkedArray, days: Days, kind: pa.DataType) -> pa.Array:
    """Move dates by days; what was text is text again."""
    there = column.is_valid().to_numpy()
    if pa.types.is_date32(column.type):
        numbers = column.cast(pa.int32()).fill_null(0).to_numpy() + days
        moved = pa.array(numbers.astype(np.int32), pa.int32(), mask=~there).cast(pa.date32())
        return moved.cast(pa.string()) if is_text(kind) else moved
    unit = "ms" if pa.types.is_date64(column.type) else column.type.unit
    numbers = column.cast(pa.int64()).fill_null(0).to_numpy() + days * DAY * PARTS[unit]
    return pa.array(numbers, pa.int64(), mask=~there).cast(column.type)
