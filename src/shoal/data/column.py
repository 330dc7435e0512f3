"""Column: the distinct values of a column and the place of each row among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from math import isinf
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.data.arrow_categories import named_once
from shoal.data.style import is_plain, text, texts
from shoal.errors import InputError
from shoal.kernels.arrays import Ints, Longs


def _is_short_decimal(kind: pa.DataType) -> bool:
    """Return whether a type is a decimal of 32 or 64 bits, which Arrow does not group."""
    return bool(pa.types.is_decimal(kind) and kind.bit_width < 128)


UNGROUPED = (
    _is_short_decimal,
    pa.types.is_nested,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_fixed_size_binary,
    pa.types.is_binary_view,
    pa.types.is_interval,
)


@dataclass(frozen=True)
class Column:
    """The distinct values of a column, the place of each row's value among them (−1: missing) and their counts."""

    name: str
    values: list[Any]
    places: Ints
    counts: Longs
    order: tuple[str, ...] | None = None  # of all values, if the type of the column has one

    @property
    def has_missing(self) -> bool:
        """Whether some row has no value."""
        return bool((self.places < 0).any())


def read_column(
    name: str, column: pa.ChunkedArray, missing_values: Sequence[str] = (), weights: Longs | None = None
) -> Column:
    """Dictionary-encode a column: NaN, null and the named missing values have no place, and equal texts are one value.

    `weights` has the number of rows that each row represents, if it represents several.
    """
    column = named_once(column)
    encoded = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    check_groupable(name, kind)
    if pa.types.is_null(kind):
        return Column(name, [], np.full(len(column), -1, np.int32), np.zeros(0, np.int64))
    if encoded is column:
        encoded = pc.dictionary_encode(column)
    places = np.empty(len(column), np.int32)
    start = 0
    dictionary = pa.array([], kind)
    for chunk in encoded.chunks:
        indices = chunk.indices if not chunk.indices.null_count else pc.fill_null(chunk.indices.cast(pa.int32()), -1)
        places[start : start + len(chunk)] = indices.to_numpy(zero_copy_only=False)
        start += len(chunk)
        dictionary = chunk.dictionary if len(chunk.dictionary) > len(dictionary) else dictionary
    values, places = _one_per_text(plain_values(name, dictionary), places)
    plain = _without_missing(name, values, places, set(missing_values), weights)
    if not (pa.types.is_dictionary(column.type) and column.type.ordered):
        return plain
    present = set(texts(plain.values))
    labels = one_order(name, _orders(name, column))
    return replace(plain, order=tuple(label for label in labels if label in present))


def _one_per_text(values: list[Any], places: Ints) -> tuple[list[Any], Ints]:
    """Leave out values with the text of an earlier one, such as -0.0 after 0.0; return the places among the others."""
    if len(set(values)) == len(values):
        return values, places
    first: dict[str | None, int] = {}
    different: list[Any] = []
    moved = np.full(len(values) + 1, -1, np.int32)
    for place, value in enumerate(values):
        label = None if value is None or value != value else text(value)
        moved[place] = first.setdefault(label, len(different))
        if moved[place] == len(different):
            different.append(value)
    return different, moved[places]


def _orders(name: str, column: pa.ChunkedArray) -> Iterator[list[str]]:
    """Yield the texts of the categories of each chunk that differ from those of the chunk before."""
    last = None
    for chunk in column.chunks:
        if last is None or not chunk.dictionary.equals(last):
            last = chunk.dictionary
            yield texts(plain_values(name, last))


def one_order(name: str, orders: Iterable[Sequence[Any]]) -> list[Any]:
    """Merge the orders of categories in the parts of a column; raise InputError if they contradict each other."""
    before: dict[Any, dict[Any, None]] = {}
    for order in orders:
        for value in order:
            before.setdefault(value, {})
        for value, following in pairwise(order):
            if value != following:
                before[following][value] = None
    try:
        return list(TopologicalSorter(before).static_order())
    except CycleError:
        raise InputError(
            f"Column {name!r} has its values in different orders in its parts: convert it to text."
        ) from None


def check_groupable(name: str, kind: pa.DataType) -> None:
    """Raise InputError if the values of a type cannot be compared or sorted."""
    if any(is_kind(kind) for is_kind in UNGROUPED) or isinstance(kind, pa.BaseExtensionType):
        raise InputError(f"Column {name!r} holds values of type {kind}, which shoal cannot group: convert it to text.")


def plain_values(name: str, array: pa.Array) -> list[Any]:
    """Convert distinct values to Python; days without a time of day to dates, decimals and booleans to text."""
    kind = array.type
    if pa.types.is_decimal(kind):
        return [None if value is None else str(value) for value in array.to_pylist()]
    if pa.types.is_boolean(kind):
        array = array.cast(pa.string())
    elif pa.types.is_float16(kind) or pa.types.is_float32(kind):
        array = array.cast(pa.string()).cast(pa.float64())  # 0.1, not 0.10000000149011612
    elif pa.types.is_timestamp(kind) and pc.all(pc.equal(pc.floor_temporal(array, unit="day"), array)).as_py():
        array = array.cast(pa.date32())
    elif pa.types.is_temporal(kind) and getattr(kind, "unit", "") == "ns":
        try:
            array = array.cast(_microseconds(kind))
        except pa.ArrowInvalid:
            array = array.cast(pa.string())  # Python's times end at microseconds
    try:
        return list(array.to_pylist())
    except (OverflowError, ValueError) as error:
        raise InputError(
            f"Column {name!r} holds a time before the year 1 or after 9999: replace it by a missing value."
        ) from error


def _microseconds(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    return pa.time64("us") if pa.types.is_time(kind) else pa.duration("us")


def _without_missing(name: str, values: list[Any], places: Ints, missing: set[str], weights: Longs | None) -> Column:
    counted = places
    if places.min(initial=0) < 0:
        present = places >= 0
        counted, weights = places[present], None if weights is None else weights[present]
    counts = np.bincount(counted, weights, len(values)).astype(np.int64)
    if is_plain(values) and not missing and counts.all():
        return Column(name, values, places, counts)
    keep = [
        place
        for place, (value, count) in enumerate(zip(values, counts.tolist(), strict=True))
        if count and value is not None and value == value and not (missing and text(value) in missing)
    ]
    if len(keep) < len(values):
        moved = np.full(len(values) + 1, -1, np.int32)
        moved[keep] = np.arange(len(keep), dtype=np.int32)
        places = moved[places]
        counts, values = counts[keep], [values[place] for place in keep]
    infinite = next((value for value in values if isinstance(value, float) and isinf(value)), None)
    if infinite is not None:
        raise InputError(f"Column {name!r} holds the value {infinite}: replace it by a number or a missing value.")
    return Column(name, values, places, counts)
