"""Cover: the raw values that a released label covers, by itself, in a tree, in a range or in a set."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
import pyarrow as pa

from shoal.data.column import read_column
from shoal.data.dates_and_times import days_of
from shoal.data.domain import Ordered
from shoal.data.hierarchy import Hierarchy
from shoal.data.label_ranges import End, Number, Place, cuts, place_of, span_of
from shoal.data.rows import blocks
from shoal.data.style import Style, text
from shoal.kernels.arrays import Flags, Longs

CLOCK = re.compile(r"[0-9]{2}:[0-9]{2}")
MAX_WHOLE = 2**62  # smaller whole numbers are compared as arrays of 64 bits


class Population(Protocol):
    """A table whose columns are read by name."""

    def arrow(self, name: str) -> pa.ChunkedArray:
        """Return a column."""


def covers(
    labels: Sequence[str],
    values: Sequence[str],
    hierarchy: Hierarchy | Ordered | None = None,
    *,
    style: Style | None = None,
) -> Flags:
    """Return whether each label covers each raw value, as a matrix labels × values.

    >>> covers(["20-29", "[30, 40)", "7 | 25", "2*", "*"], ["25", "30", "40"]).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0], [1, 1, 1]]
    """
    return Cover(labels, hierarchy, style=style)(values)


class Cover:
    """The labels of one released column, parsed once and then compared with raw values."""

    def __init__(
        self, labels: Sequence[str], hierarchy: Hierarchy | Ordered | None = None, *, style: Style | None = None
    ) -> None:
        self._style = style or Style()
        self._size = len(labels)
        self._by_key: dict[Hashable, list[int]] = defaultdict(list)  # the labels that cover values with a key
        self._masks: set[tuple[int, int]] = set()
        self._unions: list[tuple[int, str]] = []
        self._spans: dict[str, _Spans] = {}
        self._tree = _Intervals(labels, hierarchy, self._style)
        self._tops = [number for number, label in enumerate(labels) if self._is_top(label)]
        for number, label in enumerate(labels):
            self._read(number, label)

    def _is_top(self, label: str) -> bool:
        if label in self._tree.labels:
            return label in self._tree.tops
        return label == self._style.top or (bool(label) and not label.strip("*"))

    def _read(self, number: int, label: str) -> None:
        separator = self._style.separator
        self._by_key[label].append(number)
        masked = label.rstrip("*")
        if masked and masked != label:
            self._by_key[masked, len(label)].append(number)
            self._masks.add((len(masked), len(label)))
        if separator and separator in label:
            self._unions.append((number, separator + label + separator))
            for member in set(label.split(separator)) - {label}:
                self._by_key[member].append(number)
        place = place_of(label)
        if place is not None:
            self._by_key[place].append(number)
            return
        span = span_of(label, self._style)
        if span is not None:
            self._spans.setdefault(span[0], _Spans()).add(number, *span[1:])

    def __call__(self, values: Sequence[str]) -> Flags:
        """Return whether each label covers each value, as a matrix labels × values."""
        matrix = np.zeros((self._size, len(values)), np.bool_)
        scales: dict[str, dict[int, Number]] = {kind: {} for kind in self._spans}
        for column, value in enumerate(values):
            place = place_of(value)
            for key in self._keys(value, place):
                matrix[self._by_key.get(key, []), column] = True
            if place is not None and place[0] in scales:
                scales[place[0]][column] = place[1]
            if self._style.separator and self._style.separator in value:
                member = self._style.separator + value + self._style.separator
                matrix[[number for number, union in self._unions if member in union], column] = True
        for kind, spans in self._spans.items():
            spans.decide(matrix, scales[kind])
        self._tree.decide(matrix, values)
        matrix[self._tops] = True
        return matrix

    def _keys(self, value: str, place: Place | None) -> Iterator[Hashable]:
        yield value
        if place is not None:
            yield place
        for start, length in self._masks:
            if len(value) == length:
                yield value[:start], length


class _Spans:
    """The labels that are ranges on one scale, compared with values exactly."""

    def __init__(self) -> None:
        self._labels: list[int] = []
        self._lows: list[End] = []
        self._highs: list[End] = []

    def add(self, label: int, low: End, high: End) -> None:
        """Add the range of a label, given by its number."""
        self._labels.append(label)
        self._lows.append(low)
        self._highs.append(high)

    @cached_property
    def _wholes(self) -> tuple[Longs, Longs] | None:
        """The first and the last whole number in each range, if 64 bits hold them all."""
        ends = [*self._lows, *self._highs]
        if not all(_is_small(place) for place, _ in ends):
            return None
        low, high = np.array(self._lows, np.int64), np.array(self._highs, np.int64)
        return low.sum(axis=1), high.sum(axis=1)

    def decide(self, matrix: Flags, places: Mapping[int, Number]) -> None:
        """Set the cells of the matrix whose value is in the range; `places` has the place of each column's value."""
        if not places:
            return
        if self._wholes is not None and all(map(_is_small, places.values())):
            (low, high), numbers, nowhere = self._wholes, [int(place) for place in places.values()], -(2**63)
        else:
            order = sorted(set(places.values()))
            rank = {place: number for number, place in enumerate(order)}
            low = np.array([_before(order, end) for end in self._lows], np.int64)
            high = np.array([_before(order, (place, side + 1)) for place, side in self._highs], np.int64) - 1
            numbers, nowhere = [rank[place] for place in places.values()], -1
        value = np.full(matrix.shape[1], nowhere, np.int64)
        value[list(places)] = numbers
        inside = low[:, None] <= value
        inside &= value <= high[:, None]
        if len(self._labels) == len(matrix):
            matrix |= inside
        else:
            matrix[self._labels] |= inside


def _is_small(place: Number) -> bool:
    """Return whether a place is a whole number that 64 bits hold."""
    return -MAX_WHOLE < place < MAX_WHOLE and place == int(place)


def _before(order: Sequence[Number], end: End) -> int:
    """Count the places before an end, including those at the end itself if it lies just above them."""
    place, side = end
    return bisect_right(order, place) if side > 0 else bisect_left(order, place)


class _Intervals:
    """The labels of a hierarchy or an order as intervals of its codes, which decide about its own values."""

    def __init__(self, labels: Sequence[str], guide: Hierarchy | Ordered | None, style: Style) -> None:
        self.tops: set[str] = set()
        self.codes: dict[str, int] = {}
        intervals: dict[str, list[tuple[int, int]]] = defaultdict(list)
        if isinstance(guide, Hierarchy):
            self.codes = dict(guide.codes)
            self.tops = {guide.root}
            for label, low, high in zip(guide.labels, guide.lows.tolist(), guide.highs.tolist(), strict=True):
                intervals[label].append((low, high))
        elif guide is not None:
            self.codes = {text(value): code for code, value in enumerate(guide.values)}
            for label in labels:
                ends = [(label, label), *cuts(label, style.ordered)]
                inside = [(self.codes[a], self.codes[b]) for a, b in ends if a in self.codes and b in self.codes]
                if inside:
                    intervals[label].append(inside[0])
        self.labels = set(intervals)
        self._spans = [(number, *span) for number, label in enumerate(labels) for span in intervals.get(label, ())]

    def decide(self, matrix: Flags, values: Sequence[str]) -> None:
        """Set the cells of the matrix for each label of the hierarchy or order, and clear the others."""
        if not self._spans:
            return
        codes = np.array([self.codes.get(value, -1) for value in values], np.int64)
        numbers, low, high = (np.array(part, np.int64) for part in zip(*self._spans, strict=True))
        matrix[np.ix_(np.unique(numbers), codes >= 0)] = False
        # Several nodes of a tree may have the same label.
        np.logical_or.at(matrix, numbers, (low[:, None] <= codes) & (codes <= high[:, None]))


def _has_clock(labels: Iterable[object], guide: Hierarchy | Ordered | None) -> bool:
    """Return whether a label, or a value of its tree or order, has a time of day; otherwise labels are whole days."""
    values = guide.leaves if isinstance(guide, Hierarchy) else guide.values if guide is not None else ()
    return any(CLOCK.search(str(label)) for label in (*labels, *values))


def people_covered(
    shown: Mapping[str, Sequence[str | None]],
    population: Population,
    hierarchies: Mapping[str, Hierarchy | Ordered],
    style: Style,
    missing_values: Sequence[str] = (),
) -> Longs:
    """Count the people of a population that each class could be about: its labels cover all their values."""
    columns = {}
    for name, all_labels in shown.items():
        moments = population.arrow(name)
        whole_days = pa.types.is_timestamp(moments.type) and not _has_clock(all_labels, hierarchies.get(name))
        columns[name] = read_column(name, days_of(moments) if whole_days else moments, missing_values)
    rows = np.stack([column.places for column in columns.values()], axis=1)
    distinct, weights = np.unique(rows, axis=0, return_counts=True)
    classes = len(next(iter(shown.values())))
    people = np.zeros(classes, np.int64)
    for block in blocks(classes, len(distinct)):
        fits = np.ones((len(range(classes)[block]), len(distinct)), np.bool_)
        for number, (name, column) in enumerate(columns.items()):
            labels = [style.missing if label is None else text(label) for label in shown[name][block]]
            names = list(dict.fromkeys(labels))
            values = [*(text(value) for value in column.values), style.missing]  # place −1 is the last: missing
            matrix = covers(names, values, hierarchies.get(name), style=style)
            place = {label: position for position, label in enumerate(names)}
            fits &= matrix[[place[label] for label in labels]][:, distinct[:, number]]
        people[block] = fits @ weights
    return people
