"""Columns of Python values as Arrow arrays, for readers without column types."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import pyarrow as pa

from shoal.data.style import text
from shoal.errors import InputError

TYPES: dict[type, pa.DataType] = {
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    str: pa.string(),
    bytes: pa.binary(),
    date: pa.date32(),
    datetime: pa.timestamp("us"),
    time: pa.time64("us"),
    timedelta: pa.duration("us"),
}
MAX_EXACT = 2**53  # up to here a double holds every whole number


def column(values: Sequence[Any], *, whole: bool = False) -> pa.Array:
    """Convert values to one array, to text if they are of several kinds; None is missing.

    `whole` converts doubles that are all whole to integers, for file formats that have only doubles.

    >>> column([1, 2.5]).type, column([1.0, 2.0], whole=True).type, column([1.0, "n/a"]).to_pylist()
    (DataType(double), DataType(int64), ['1', 'n/a'])
    """
    kinds = set(map(type, values)) - {type(None)}
    if whole and kinds and kinds <= {int, float} and all(value is None or _is_whole(value) for value in values):
        return pa.array([None if value is None else int(value) for value in values], pa.int64())
    if kinds == {date, datetime}:
        moments = [datetime(*value.timetuple()[:3]) if type(value) is date else value for value in values]
        return pa.array(moments, TYPES[datetime])
    if len(kinds) == 1 and (kind := kinds.pop()) in TYPES:
        return pa.array(values, TYPES[kind])
    if kinds == {int, float} and all(type(value) is not int or abs(value) <= MAX_EXACT for value in values):
        return pa.array(values, pa.float64())
    if bytes in kinds:
        raise InputError("bytes and other values are mixed: make them one kind.")
    return pa.array([None if value is None else text(value) for value in values], pa.string())


def _is_whole(value: float) -> bool:
    return float(value).is_integer() and abs(value) <= MAX_EXACT
