"""The order of rows: a random order that cannot be reproduced, and a test whether rows are sorted by a column."""

from __future__ import annotations

import os
from contextlib import suppress
from math import sqrt
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

IN_NUMBERS = frozenset("0123456789+-.,_eEinfatyINFATYxX \t\r\n\v\f")  # also of inf, infinity and nan
SAMPLE_ROWS = 1000  # tested first, since most columns are unsorted already there
LARGELY = 0.25  # of the steps go the other way, at most, if rows are largely sorted
DEVIATIONS = 6  # by which these are fewer than in a random order
CORRELATED = 0.8  # value and row number, from which on rows are largely sorted, too
FEW_ROWS = 20  # of which a correlation means nothing

Order = Literal["", "sorted", "largely sorted"]


def shuffled(rows: int) -> NDArray[np.int64]:
    """Return row numbers in a random order from the operating system: there is no seed to keep or guess."""
    return np.argsort(np.frombuffer(os.urandom(8 * rows), np.uint64), kind="stable")


def order_of(rises: int, falls: int, correlation: float = 0.0) -> Order:
    """Say whether rows are in an order, given how often a value is larger and smaller than the one before.

    In a random order, both happen equally often; in one that is sorted within blocks of rows, one of them hardly does.
    The number of falls of n random rows has a standard deviation of √(n/12). If many values are equal, rows out of
    place rise and fall equally often, but values and row numbers are still correlated.

    >>> order_of(9, 0), order_of(990, 10), order_of(520, 480), order_of(520, 480, -0.95), order_of(3, 1), order_of(0, 0)
    ('sorted', 'largely sorted', '', 'largely sorted', '', '')
    """
    fewer, steps = min(rises, falls), rises + falls
    if fewer == 0:
        return "sorted" if steps else ""
    largely = fewer <= LARGELY * steps and steps / 2 - fewer >= DEVIATIONS * sqrt(steps / 12)
    return "largely sorted" if largely or abs(correlation) >= CORRELATED else ""


class RowOrder:
    """Whether the codes of a column that were added so far are sorted, up or down, wholly or largely."""

    def __init__(self) -> None:
        self._rises = self._falls = self._rows = 0
        self._sums = np.zeros(3)  # of the codes, their squares, and their products with the row numbers
        self._last: int | None = None

    def add(self, codes: NDArray[np.int32]) -> None:
        """Add the codes of the next rows."""
        if not codes.size:
            return
        if self._last is not None:
            self._rises += int(codes[0] > self._last)
            self._falls += int(codes[0] < self._last)
        before, after = codes[:-1], codes[1:]
        self._rises += int(np.count_nonzero(after > before))
        self._falls += int(np.count_nonzero(after < before))
        self._last = int(codes[-1])
        values = codes.astype(np.float64)
        rows = np.arange(self._rows, self._rows + codes.size, dtype=np.float64)
        squares, products = np.einsum("i,i", values, values), np.einsum("i,i", values, rows)  # @ would start threads
        self._sums += values.sum(), squares, products
        self._rows += codes.size

    @property
    def sorted(self) -> Order:
        """Whether the codes are sorted and not all equal."""
        return order_of(self._rises, self._falls, self._correlation())

    def _correlation(self) -> float:
        """Return the correlation of codes and row numbers, 0 of few rows."""
        if self._rows < FEW_ROWS:
            return 0.0
        total, squares, products = (float(one) for one in self._sums)
        spread = squares - total**2 / self._rows
        rows = self._rows * (self._rows**2 - 1) / 12
        return (products - total * (self._rows - 1) / 2) / sqrt(spread * rows) if spread > 0 else 0.0


def in_order(column: pa.ChunkedArray | pa.Array) -> Order:
    """Say whether the values are sorted, as text or as the numbers that they spell, and not all equal.

    Missing values are ignored; types that cannot be compared are never sorted.
    """
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    try:
        values = _comparable(column)
        some = values.take(pa.array(np.arange(0, len(values), max(1, len(values) // SAMPLE_ROWS))))
        correlations = [*map(_correlation, _readings(some))]
        first = [*map(_rises_and_falls, _readings(values.slice(0, SAMPLE_ROWS)))]
        hopeful = min(min(steps) / max(1, sum(steps)) for steps in first) <= 2 * LARGELY - 0.1
        if not hopeful and max(map(abs, correlations)) < CORRELATED:
            return ""
        steps = [*map(_rises_and_falls, _readings(values))]
    except pa.ArrowNotImplementedError:
        return ""
    found = [order_of(*both, correlation) for both, correlation in zip(steps, correlations, strict=False)]
    return min((order for order in found if order), key=len, default="")


def _readings(values: pa.ChunkedArray) -> list[pa.ChunkedArray]:
    """Return values as they are and, if they are texts, as the numbers that they spell."""
    readings = [values]
    if pa.types.is_string(values.type) and _may_be_numbers(values):
        with suppress(pa.ArrowInvalid):
            readings.append(values.cast(pa.float64()))
    return readings


def _correlation(values: pa.ChunkedArray) -> float:
    """Return the rank correlation of values and row numbers, 0 of few values."""
    if len(values) < FEW_ROWS:
        return 0.0
    ranks = pc.rank(values, tiebreaker="dense").to_numpy().astype(np.float64)
    places, spread = np.arange(ranks.size) - (ranks.size - 1) / 2, ranks - ranks.mean()
    scale = sqrt(float((places * places).sum()) * float((spread * spread).sum()))
    return float((places * spread).sum()) / scale if scale else 0.0


def _may_be_numbers(values: pa.ChunkedArray) -> bool:
    """Say whether the first text has only characters of numbers: reading others as numbers fails, which takes long."""
    return not len(values) or set(values[0].as_py()) <= IN_NUMBERS


def _comparable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the values that are not missing, with ordered categories as their positions."""
    if pa.types.is_dictionary(column.type) and column.type.ordered:
        chunks = column.unify_dictionaries().chunks
        column = pa.chunked_array([chunk.indices for chunk in chunks], column.type.index_type)
    column = storage(column)
    if pa.types.is_string_view(column.type) or pa.types.is_large_string(column.type):
        column = column.cast(pa.string())
    if pa.types.is_floating(column.type):
        column = column.filter(pc.invert(pc.is_nan(column)))
    return column.drop_null()


def storage(column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """Return a column without categories and extension types."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.cast(column.type.storage_type) if isinstance(column.type, pa.BaseExtensionType) else column


def _rises_and_falls(values: pa.ChunkedArray) -> tuple[int, int]:
    before, after = values.slice(0, max(0, len(values) - 1)), values.slice(1)
    rises, falls = (pc.sum(compare(before, after), min_count=0).as_py() for compare in (pc.less, pc.greater))
    return int(rises), int(falls)
