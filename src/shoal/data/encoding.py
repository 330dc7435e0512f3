"""From the columns of a frame to a Table: dictionary encoding through Arrow, then codes of the domains."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from math import isinf
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.arrow_categories import named_once
from shoal.data.domain import AnyDomain, NumericDomain, Ordered, RangeDomain, SetDomain, TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import Style, is_plain, text, texts
from shoal.data.table import Table
from shoal.errors import HierarchyError, InputError

Builder = Callable[[Mapping[str, int]], Hierarchy]  # from the values with their counts, in order
Guide = Hierarchy | Ordered | Builder

# A number as people write it; 007 and +1 are codes, not numbers.
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def _is_short_decimal(kind: pa.DataType) -> bool:
    """Whether it is a decimal of 32 or 64 bits, which Arrow does not group."""
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
    """A column as its distinct values, the place of each row's value among them (−1: missing) and their counts."""

    name: str
    values: list[Any]
    places: NDArray[np.int32]
    counts: NDArray[np.int64]
    order: tuple[str, ...] | None = None  # of all values, where the type of the column has one

    @property
    def has_missing(self) -> bool:
        """Whether a row has no value."""
        return bool((self.places < 0).any())


def encode(
    columns: Mapping[str, pa.ChunkedArray],
    *,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    guides: Mapping[str, Guide],
    missing_values: Sequence[str] = (),
    style: Style,
    ranges: bool = True,
    population: Mapping[str, pa.ChunkedArray] | None = None,
) -> Table:
    """The table of the named columns; a missing value is a value of its own.

    Without `ranges`, numbers are told apart as they are written: 1.5 and 1.50 are two values.
    The rows of a population, where one is given, come after the table's own, with weight 0.
    """
    names = [*quasi, *sensitive]
    people = len(population[quasi[0]]) if population is not None else 0
    rows = len(columns[names[0]])
    domains: list[AnyDomain] = []
    codes = np.empty((rows + people, len(names)), np.int32)
    for at, name in enumerate(names):
        given = columns[name]
        if population is not None:
            given = _appended(given, population[name]) if name in quasi else _lengthened(given, people)
        column = read_column(name, given, missing_values)
        domain, code_of = coding_of(column, guides.get(name), style, quasi=name in quasi, ranges=ranges)
        domains.append(domain)
        np.take(code_of, column.places, out=codes[:, at], mode="wrap")
    split = len(quasi)
    weights = np.repeat([1, 0], [rows, people])
    return Table(
        tuple(quasi),
        tuple(domains[:split]),
        codes[:, :split],
        tuple(sensitive),
        tuple(domains[split:]),
        codes[:, split:],
        weights,
        1 - weights if population is not None else None,
    )


def coding_of(
    column: Column, guide: Guide | None, style: Style, *, quasi: bool, ranges: bool = True
) -> tuple[AnyDomain, NDArray[np.int32]]:
    """The domain of a column, the code of each of its values, and last, at place −1, that of the missing value."""
    if quasi and not column.values:
        raise InputError(f"Column {column.name!r} has only missing values: leave it out of the quasi-identifiers.")
    domain, codes = domain_of(column, guide, style) if ranges and quasi else plain_domain(column, style)
    return domain, np.append(codes, np.int32(domain.missing))


def _appended(column: pa.ChunkedArray, more: pa.ChunkedArray) -> pa.ChunkedArray:
    """One column after the other, on one scale."""
    column, more = on_one_scale(column, more)
    return pa.chunked_array([*column.chunks, *more.chunks])


def on_one_scale(column: pa.ChunkedArray, more: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """A column of a table and of its population by one type; as text where only one of them has moments or numbers.

    Where the table has days alone, its labels are days, and a moment of the population counts as the day it is on.
    """
    column, more = _decoded(column), _decoded(more)
    if is_moment(column.type) and is_moment(more.type):
        if has_days_alone(column):
            return days_of(column), days_of(more)
        kinds = [kind for kind in (column.type, more.type) if pa.types.is_timestamp(kind)]
        finest = pa.timestamp("ns" if any(kind.unit == "ns" for kind in kinds) else "us", kinds[0].tz)
        return (column, more) if column.type == more.type else (column.cast(finest), more.cast(finest))
    if column.type != more.type:
        return _as_text(column), _as_text(more)
    return column, more


def is_moment(kind: pa.DataType) -> bool:
    """Whether values are dates, with a time of day or without."""
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def has_days_alone(column: pa.ChunkedArray) -> bool:
    """Whether no moment has a time of day."""
    if pa.types.is_date(column.type):
        return True
    return bool(pc.all(pc.equal(pc.floor_temporal(column, unit="day"), column), min_count=0).as_py())


def days_of(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The day that each moment is on."""
    if pa.types.is_timestamp(column.type):
        column = pc.floor_temporal(column, unit="day")
    return column.cast(pa.date32())


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column of moments without a dictionary."""
    is_dictionary = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if is_dictionary and is_moment(column.type.value_type) else column


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values as texts; moments as labels show them, 2024-03-15 10:00:00 without parts of seconds that are 0."""
    if not is_moment(column.type):
        return column.cast(pa.string())
    if has_days_alone(column):
        return days_of(column).cast(pa.string())
    different = column.unique()
    texts = [None if value is None else text(value) for value in plain_values("", different)]
    places = pc.index_in(column, different)
    return pa.chunked_array([pa.array(texts, pa.string()).take(chunk) for chunk in places.chunks], pa.string())


def _lengthened(column: pa.ChunkedArray, rows: int) -> pa.ChunkedArray:
    """A column with its first value repeated for rows of weight 0, of which nothing is counted."""
    return pa.chunked_array([*column.chunks, *column.take(pa.array(np.zeros(rows, np.int64))).chunks])


def read_column(
    name: str,
    column: pa.ChunkedArray,
    missing_values: Sequence[str] = (),
    weights: NDArray[np.int64] | None = None,
) -> Column:
    """Dictionary-encode a column: NaN, null and the named missing values have no place, and equal texts are one value.

    `weights` are the rows that each row stands for, where it stands for several.
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
    at = 0
    dictionary = pa.array([], kind)
    for chunk in encoded.chunks:
        places[at : at + len(chunk)] = pc.fill_null(chunk.indices.cast(pa.int32()), -1).to_numpy(zero_copy_only=False)
        at += len(chunk)
        dictionary = chunk.dictionary if len(chunk.dictionary) > len(dictionary) else dictionary
    values, places = _one_per_text(plain_values(name, dictionary), places)
    found = _without_missing(name, values, places, set(missing_values), weights)
    if not (pa.types.is_dictionary(column.type) and column.type.ordered):
        return found
    kept = set(texts(found.values))
    labels = one_order(name, _orders(name, column))
    return replace(found, order=tuple(label for label in labels if label in kept))


def _one_per_text(values: list[Any], places: NDArray[np.int32]) -> tuple[list[Any], NDArray[np.int32]]:
    """The values without those that read as one before them does, such as -0.0 after 0.0, and the places among them."""
    if len(set(values)) == len(values):
        return values, places
    first: dict[str | None, int] = {}
    kept: list[Any] = []
    moved = np.full(len(values) + 1, -1, np.int32)
    for at, value in enumerate(values):
        label = None if value is None or value != value else text(value)
        moved[at] = first.setdefault(label, len(kept))
        if moved[at] == len(kept):
            kept.append(value)
    return kept, moved[places]


def _orders(name: str, column: pa.ChunkedArray) -> Iterator[list[str]]:
    """The texts of the categories of each chunk, where they are not those of the chunk before."""
    last = None
    for chunk in column.chunks:
        if last is None or not chunk.dictionary.equals(last):
            last = chunk.dictionary
            yield texts(plain_values(name, last))


def one_order(name: str, orders: Iterable[Sequence[Any]]) -> list[Any]:
    """The order that agrees with all orders of categories in the parts of a column, or InputError where none does."""
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
        raise InputError(f"Column {name!r} has its values in different orders in its parts: make it text.") from None


def check_groupable(name: str, kind: pa.DataType) -> None:
    """Refuse a type whose values cannot be told apart or put into an order."""
    if any(of(kind) for of in UNGROUPED) or isinstance(kind, pa.BaseExtensionType):
        raise InputError(f"Column {name!r} holds values of type {kind}, which shoal cannot group: convert it to text.")


def plain_values(name: str, array: pa.Array) -> list[Any]:
    """Distinct values as Python has them; days without a time of day as dates, decimals and booleans as text."""
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


def _without_missing(
    name: str, values: list[Any], places: NDArray[np.int32], missing: set[str], weights: NDArray[np.int64] | None
) -> Column:
    there = places >= 0
    counts = np.bincount(places[there], None if weights is None else weights[there], len(values)).astype(np.int64)
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


def plain_domain(column: Column, style: Style) -> tuple[AnyDomain, NDArray[np.int32]]:
    """The values as they are written, 1.5 and 1.50 being two, with the missing value apart from all of them.

    Numbers, dates and times stand in their order, the missing value before them; others by name, it after them.
    """
    labels = texts(column.values)
    numbers = numbers_of(column.values) if column.values else None
    if column.order:
        place = {label: at for at, label in reversed([*enumerate(column.order)])}
        numbers = np.array([place[label] for label in labels])
    order = np.argsort(numbers, kind="stable") if numbers is not None else np.zeros(0, np.int64)
    if numbers is None or not (np.diff(numbers[order]) > 0).all():
        order = pc.sort_indices(pa.array(labels, pa.large_string())).to_numpy(zero_copy_only=False)
        order = order if numbers is None else order[np.argsort(numbers[order], kind="stable")]
    first = 1 if column.has_missing and numbers is not None else 0
    codes = np.empty(len(labels), np.int32)
    codes[order] = np.arange(first, first + len(labels))
    names = np.array(labels, object)[order].tolist()
    if numbers is not None:
        return RangeDomain(tuple([style.missing] * first + names), 0 if first else -1), codes
    missing = [style.missing] if column.has_missing else []
    return SetDomain(tuple(names + missing), len(names) if missing else -1), codes


def domain_of(column: Column, guide: Guide | None, style: Style) -> tuple[AnyDomain, NDArray[np.int32]]:
    """The domain of a column and the code of each of its distinct values."""
    if hasattr(guide, "domain_of"):  # a column that is kept from an earlier release
        made: tuple[AnyDomain, NDArray[np.int32]] = guide.domain_of(column, style)  # type: ignore[union-attr]
        return made
    labels = texts(column.values)
    if callable(guide):
        try:
            guide = guide(counted(column, labels))
        except (ValueError, ArithmeticError) as error:
            raise HierarchyError(f"Column {column.name!r}: {error}") from error
    if guide is None and column.order:
        guide = Ordered(column.order)
    if isinstance(guide, Hierarchy):
        tree = TreeDomain.of(guide, missing=style.missing if column.has_missing else None)
        return tree, _codes(column, labels, tree.hierarchy.codes, "the hierarchy")
    if isinstance(guide, Ordered):
        first = [style.missing] if column.has_missing else []
        names = dict.fromkeys([*first, *map(text, guide.values)])
        codes = _codes(column, labels, {name: code for code, name in enumerate(names)}, "the order")
        return RangeDomain(tuple(names), 0 if column.has_missing else -1), codes
    numbers = numbers_of(column.values)
    if numbers is not None:
        return _numeric(column, labels, numbers, style)
    members = sorted({*labels, style.missing} if column.has_missing else set(labels))
    place = {name: code for code, name in enumerate(members)}
    domain = SetDomain(tuple(members), place[style.missing] if column.has_missing else -1)
    return domain, np.array([place[label] for label in labels], np.int32)


def numbers_of(values: list[Any]) -> NDArray[Any] | None:
    """The values as an array to sort by, or None where they are not all numbers, dates or times."""
    kinds = set(map(type, values))
    if kinds <= {str}:
        if (plain := _whole_numbers(values)) is not None:
            return plain
        if not values or not all(NUMBER.fullmatch(value) for value in values):
            return None
        floats = np.array([float(value) for value in values])
        # Numbers that differ by less than a double can tell are treated as text.
        exact = np.abs(floats).max() < 2**53 and np.unique(floats).size == _different(values)
        return floats if exact else None
    if isinstance(values[0], date):
        return np.array([_without_zone(value) for value in values], "datetime64[us]").astype(np.int64)
    if isinstance(values[0], time):
        values = [datetime.combine(date.min, value) - datetime.min for value in values]
    if isinstance(values[0], timedelta):
        return np.array([value // timedelta(microseconds=1) for value in values])
    whole = kinds <= {int, bool}
    return np.array(values, object if whole and max(values) >= 2**63 else None)


def _whole_numbers(values: list[str]) -> NDArray[np.float64] | None:
    """Plain whole numbers that doubles hold, of which there may be millions; None where one is something else."""
    if not values or len(max(values, key=len)) > 15 or not all(map(str.isascii, values)):
        return None
    if not all(map(str.isdigit, values)):
        return None
    numbers = list(map(int, values))
    return np.array(numbers, np.float64) if list(map(str, numbers)) == values else None


def _different(numbers: list[str]) -> int:
    """How many different numbers there are; −1 where one is beyond all measure."""
    try:
        return len(set(map(Decimal, numbers)))
    except ArithmeticError:
        return -1


def _without_zone(moment: date) -> date:
    if isinstance(moment, datetime) and moment.tzinfo is not None:
        return moment.astimezone(UTC).replace(tzinfo=None)
    return moment


def _numeric(
    column: Column, labels: list[str], numbers: NDArray[Any], style: Style
) -> tuple[AnyDomain, NDArray[np.int32]]:
    distinct, codes = np.unique(numbers, return_inverse=True)
    names = [""] * distinct.size
    # Of several spellings of one number (1.5, 1.50) the shortest is shown.
    for label, code in sorted(zip(labels, codes.tolist(), strict=True), key=lambda item: (len(item[0]), item[0])):
        names[code] = names[code] or label
    if column.has_missing and style.missing in names:
        raise InputError(
            f"Column {column.name!r} has missing values and the number {style.missing}, which is also how missing "
            f"values are shown: choose another label for them."
        )
    values, offsets = distinct.astype(np.float64), _offsets(distinct)
    if not column.has_missing:
        return NumericDomain(tuple(names), -1, values, offsets), codes.astype(np.int32)
    values = np.concatenate([[np.nan], values])
    offsets = None if offsets is None else np.concatenate([np.zeros(1, np.uint64), offsets])
    return NumericDomain((style.missing, *names), 0, values, offsets), (codes + 1).astype(np.int32)


def _offsets(numbers: NDArray[Any]) -> NDArray[np.uint64] | None:
    """How far whole numbers are above the first of them, where one of them is beyond what doubles hold exactly."""
    if numbers.dtype.kind == "f" or max(-int(numbers[0]), int(numbers[-1])) <= 2**53:
        return None
    return (numbers.astype(object) - int(numbers[0])).astype(np.uint64)


def counted(column: Column, labels: list[str]) -> dict[str, int]:
    """The values with their counts: numbers in their order, others by label."""
    numbers = numbers_of(column.values)
    order = np.argsort(numbers, kind="stable") if numbers is not None else np.argsort(np.array(labels, object))
    counted: dict[str, int] = {}
    for place in order.tolist():
        counted[labels[place]] = counted.get(labels[place], 0) + int(column.counts[place])
    return counted


def _codes(column: Column, labels: list[str], known: Mapping[str, int], what: str) -> NDArray[np.int32]:
    unknown = [place for place, label in enumerate(labels) if label not in known]
    if unknown:
        rows = int(column.counts[unknown].sum())
        shown = ", ".join(repr(labels[place]) for place in unknown[:3]) + (", …" if len(unknown) > 3 else "")
        raise HierarchyError(
            f"Column {column.name!r}: {what} does not know {shown} "
            f"({len(unknown)} value{'s' if len(unknown) > 1 else ''}, {rows} row{'s' if rows > 1 else ''}). "
            f"Add the missing values, or name them as missing."
        )
    return np.array([known[label] for label in labels], np.int32)
