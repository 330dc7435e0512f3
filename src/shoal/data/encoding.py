"""Encoding: from the columns of a frame to a Table of codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.data.column import Column, read_column
from shoal.data.dates_and_times import on_one_scale
from shoal.data.domain import AnyDomain, NumericDomain, Ordered, RangeDomain, SetDomain, TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import Style, text, texts
from shoal.data.table import Table
from shoal.data.value_order import numbers_of
from shoal.errors import HierarchyError, InputError
from shoal.kernels.arrays import Ints, Words

Builder = Callable[[Mapping[str, int]], Hierarchy]  # takes the values with their counts, in order
Guide = Hierarchy | Ordered | Builder


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
    """Encode the named columns as a table; a missing value is a value of its own.

    Without `ranges`, numbers are compared as they are written: 1.5 and 1.50 are two values.
    The rows of a population, if any, come after the table's own, with weight 0.
    """
    names = [*quasi, *sensitive]
    people = len(population[quasi[0]]) if population is not None else 0
    rows = len(columns[names[0]])
    domains: list[AnyDomain] = []
    codes = np.empty((rows + people, len(names)), np.int32)
    for place, name in enumerate(names):
        values = columns[name]
        if population is not None:
            values = _appended(values, population[name]) if name in quasi else _lengthened(values, people)
        column = read_column(name, values, missing_values)
        domain, code_of = coding_of(column, guides.get(name), style, quasi=name in quasi, ranges=ranges)
        domains.append(domain)
        np.take(code_of, column.places, out=codes[:, place], mode="wrap")
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
) -> tuple[AnyDomain, Ints]:
    """Return the domain of a column and the code of each of its values; the last one is that of the missing value."""
    if quasi and not column.values:
        raise InputError(f"Column {column.name!r} has only missing values: leave it out of the quasi-identifiers.")
    domain, codes = domain_of(column, guide, style) if ranges and quasi else plain_domain(column, style)
    return domain, np.append(codes, np.int32(domain.missing))


def _appended(column: pa.ChunkedArray, more: pa.ChunkedArray) -> pa.ChunkedArray:
    """Append one column to another, both converted to one type."""
    column, more = on_one_scale(column, more)
    return pa.chunked_array([*column.chunks, *more.chunks])


def _lengthened(column: pa.ChunkedArray, rows: int) -> pa.ChunkedArray:
    """Append rows of weight 0 to a column; they repeat its first value and are never counted."""
    return pa.chunked_array([*column.chunks, *column.take(pa.array(np.zeros(rows, np.int64))).chunks])


def plain_domain(column: Column, style: Style) -> tuple[AnyDomain, Ints]:
    """Return the domain of the values as they are written, where 1.5 and 1.50 are two, and the code of each.

    Numbers, dates and times are sorted by value, after the missing value; others by name, before it.
    """
    labels = texts(column.values)
    numbers = numbers_of(column.values) if column.values else None
    if column.order:
        rank = {label: place for place, label in reversed([*enumerate(column.order)])}
        numbers = np.array([rank[label] for label in labels])
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


def domain_of(column: Column, guide: Guide | None, style: Style) -> tuple[AnyDomain, Ints]:
    """Return the domain of a column and the code of each of its distinct values."""
    if hasattr(guide, "domain_of"):  # a column of an earlier release
        coding: tuple[AnyDomain, Ints] = guide.domain_of(column, style)  # type: ignore[union-attr]
        return coding
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


def _numeric(column: Column, labels: list[str], numbers: NDArray[Any], style: Style) -> tuple[AnyDomain, Ints]:
    distinct, codes = np.unique(numbers, return_inverse=True)
    names = [""] * distinct.size
    # Of several spellings of one number (1.5, 1.50) the shortest is shown.
    for label, code in sorted(zip(labels, codes.tolist(), strict=True), key=lambda item: (len(item[0]), item[0])):
        names[code] = names[code] or label
    if column.has_missing and style.missing in names:
        raise InputError(
            f"Column {column.name!r} has missing values and the number {style.missing}, which is also the label of "
            f"missing values: choose another label for them."
        )
    values, offsets = distinct.astype(np.float64), _offsets(distinct)
    if not column.has_missing:
        return NumericDomain(tuple(names), -1, values, offsets), codes.astype(np.int32)
    values = np.concatenate([[np.nan], values])
    offsets = None if offsets is None else np.concatenate([np.zeros(1, np.uint64), offsets])
    return NumericDomain((style.missing, *names), 0, values, offsets), (codes + 1).astype(np.int32)


def _offsets(numbers: NDArray[Any]) -> Words | None:
    """Return the distance of whole numbers from the first, if doubles cannot hold one of them exactly."""
    if numbers.dtype.kind == "f" or max(-int(numbers[0]), int(numbers[-1])) <= 2**53:
        return None
    return (numbers.astype(object) - int(numbers[0])).astype(np.uint64)


def counted(column: Column, labels: list[str]) -> dict[str, int]:
    """Return the values with their counts: numbers in their order, others by label."""
    numbers = numbers_of(column.values)
    order = np.argsort(numbers, kind="stable") if numbers is not None else np.argsort(np.array(labels, object))
    counted: dict[str, int] = {}
    for place in order.tolist():
        counted[labels[place]] = counted.get(labels[place], 0) + int(column.counts[place])
    return counted


def _codes(column: Column, labels: list[str], code_of: Mapping[str, int], what: str) -> Ints:
    unknown = [place for place, label in enumerate(labels) if label not in code_of]
    if unknown:
        rows = int(column.counts[unknown].sum())
        shown = ", ".join(repr(labels[place]) for place in unknown[:3]) + (", …" if len(unknown) > 3 else "")
        raise HierarchyError(
            f"Column {column.name!r}: {what} lacks {shown} "
            f"({len(unknown)} value{'s' if len(unknown) > 1 else ''}, {rows} row{'s' if rows > 1 else ''}). "
            f"Add the missing values, or name them as missing."
        )
    return np.array([code_of[label] for label in labels], np.int32)
