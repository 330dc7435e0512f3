"""The possible meanings of the labels of a release: only labels that shoal writes are read, in every possible way."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import AnyDomain, NumericDomain, RangeDomain, Ranges, TreeDomain
from shoal.data.label_ranges import Number, Place, cuts, place_of, places_of
from shoal.data.style import Style
from shoal.data.value_order import NUMBER

Ints = NDArray[np.int32]
MAX_READINGS = 64  # ways to read a label as a set that are considered


@dataclass(frozen=True)
class Reading:
    """One way to read a label: the codes from low to high, or those of a set, and the loss (LM) of a cell."""

    low: int
    high: int
    loss: float
    members: frozenset[int] | None = None

    def holds(self, code: int) -> bool:
        """Tell whether the label covers the value with this code."""
        return self.low <= code <= self.high if self.members is None else code in self.members


@dataclass(eq=False)
class Labels:
    """The labels of one quasi-identifier, each read once."""

    domain: AnyDomain
    style: Style
    _readings: dict[str, list[Reading]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.codes = {label: code for code, label in enumerate(self.domain.labels)}
        self.top = self.domain.top(self.style)
        self.max_pieces = 1 + max(label.count(self.style.separator) for label in self.domain.labels)
        self.nodes: dict[str, list[int]] = {}
        for node, label in enumerate(self.domain.hierarchy.labels if isinstance(self.domain, TreeDomain) else ()):
            self.nodes.setdefault(label, []).append(node)
        self.means = self.style.means and isinstance(self.domain, NumericDomain) and self.domain.are_numbers

    @cached_property
    def numbers(self) -> dict[Place | None, int]:
        """The code of each number."""
        return {place_of(label): code for label, code in self.codes.items() if code != self.domain.missing}

    def readings(self, label: str) -> list[Reading]:
        """Return the ways to read a label; none if shoal would not have written it."""
        if label not in self._readings:
            self._readings[label] = list(self._read(label))
        return self._readings[label]

    def losses(self, label: str, code: int, *, sure: bool = True) -> tuple[float, float] | None:
        """Return the minimum and maximum loss of a cell with this value, or None if the label does not cover it.

        If it is not sure that the value is the cell's, all ways to read the label are considered.
        """
        readings = self.readings(label)
        covering = [reading.loss for reading in readings if reading.holds(code)]
        losses = covering if sure else [reading.loss for reading in readings]
        return (min(losses), max(losses)) if covering else None

    def covered(self, label: str, codes: Ints) -> NDArray[np.bool_]:
        """Tell for each value whether a label covers it."""
        covered = np.zeros(codes.size, np.bool_)
        for reading in self.readings(label):
            if reading.members is None:
                covered |= (reading.low <= codes) & (codes <= reading.high)
            else:
                covered |= np.isin(codes, list(reading.members))
        return covered

    def _read(self, label: str) -> Iterator[Reading]:
        domain, last = self.domain, len(self.domain) - 1
        if isinstance(domain, TreeDomain):
            tree = domain.hierarchy
            for node in self.nodes.get(label, ()):
                yield Reading(int(tree.lows[node]), int(tree.highs[node]), float(tree.loss[node]))
            return
        if label == self.top:
            yield Reading(0, last, 1.0)
        if self.means and self._is_number(label):
            yield from (Reading(domain.missing + 1, last, loss) for loss in (0.0, 1.0))
        elif isinstance(domain, RangeDomain):
            yield from self._ranges(domain, label)
        else:
            for members in self._sets(label):
                yield Reading(0, 0, (len(members) - 1) / max(1, last), members)

    def _ranges(self, domain: RangeDomain, label: str) -> Iterator[Reading]:
        patterns = [self.style.ordered]
        if isinstance(domain, NumericDomain):
            patterns.insert(0, Style.numbers if self.style.means else self.style.numbers)
        ends = [(label, label), *(pair for pattern in patterns for pair in cuts(label, pattern))]
        for low, high in ends:
            first, last = self._code(low), self._code(high)
            if 0 <= first <= last:
                codes = Ranges(np.array([first], np.int32), np.array([last], np.int32))
                yield Reading(first, last, float(domain.loss(codes)[0]))
            elif isinstance(domain, NumericDomain):
                yield from self._between(domain, place_of(low), place_of(high))

    def _between(self, domain: NumericDomain, low: Place | None, high: Place | None) -> Iterator[Reading]:
        """Read a range whose ends need not be values."""
        kind, values = self._values
        if low is None or high is None or not low[0] == high[0] == kind or low[1] > high[1]:
            return
        before, span = domain.missing + 1, Fraction(values[-1]) - Fraction(values[0])
        width = Fraction(min(high[1], values[-1])) - Fraction(max(low[1], values[0]))
        loss = float(width / span) if span and width > 0 else 0.0
        yield Reading(before + bisect_left(values, low[1]), before + bisect_right(values, high[1]) - 1, loss)

    @cached_property
    def _values(self) -> tuple[str, list[Number]]:
        """The values on their scale, in their order."""
        return places_of(self.domain.labels[self.domain.missing + 1 :])

    def _code(self, end: str) -> int:
        """Return the code of an end of a range, or −1; a range may spell a number differently than a tree."""
        domain = self.domain
        if end in self.codes or not isinstance(domain, NumericDomain) or not NUMBER.fullmatch(end):
            return self.codes.get(end, -1)
        return self.numbers.get(place_of(end), -1)

    def _sets(self, label: str) -> list[frozenset[int]]:
        """Return the sets that a label can mean; a value may contain the separator."""
        separator = self.style.separator
        pieces = label.split(separator) if separator else [label]
        sets: list[set[frozenset[int]]] = [{frozenset()}, *(set() for _ in pieces)]  # by the number of pieces read
        for end in range(1, len(pieces) + 1):
            for start in range(max(0, end - self.max_pieces), end):
                code = self.codes.get(separator.join(pieces[start:end]), -1)
                if code >= 0 and len(sets[end]) < MAX_READINGS:
                    sets[end] |= {members | {code} for members in sets[start] if code not in members}
        return sorted(sets[-1], key=sorted)

    def _is_number(self, label: str) -> bool:
        try:
            return bool(np.isfinite(float(label)))
        except ValueError:
            return False


def pairs_of(labels: Ints, codes: Ints, width: int) -> tuple[list[tuple[int, int]], NDArray[np.int64], Ints]:
    """Return the distinct pairs of label and value, the first row of each, and the place of each row's pair."""
    keys = labels.astype(np.int64) * width + codes
    numbers, firsts, places = np.unique(keys, return_index=True, return_inverse=True)
    return [divmod(number, width) for number in numbers.tolist()], firsts, places.astype(np.int32)
