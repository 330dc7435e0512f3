"""Domains: the values of one attribute by code, and what a class can show for them.

Domain
├── TreeDomain      values under a hierarchy; a class shows one of its nodes
├── RangeDomain     values in an order; a class shows a range
│   └── NumericDomain   numbers, whose distances count
└── SetDomain       values without order or tree; a class shows the set of those it holds
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from typing import Any

import numpy as np

from shoal.data.hierarchy import Hierarchy
from shoal.data.style import Style
from shoal.errors import InputError
from shoal.kernels.arrays import Floats, Ints, Longs, Words
from shoal.kernels.groups import group_bounds


@dataclass(frozen=True)
class Ordered:
    """An order of values, used instead of a hierarchy: a class shows a range in this order.

    values  all values of the column, from the lowest to the highest

    >>> import pyarrow, shoal
    >>> release = shoal.anonymize(
    ...     pyarrow.table({"size": ["S", "M", "L", "L"]}),
    ...     quasi_identifiers="size",
    ...     hierarchies={"size": shoal.Ordered(["S", "M", "L"])},
    ...     model=shoal.KAnonymity(2),
    ... )
    >>> release.frame["size"].to_pylist()
    ['S - M', 'S - M', 'L', 'L']
    """

    values: Sequence[str]

    def __post_init__(self) -> None:
        if isinstance(self.values, str) or not isinstance(self.values, Sequence):
            raise InputError(f"The order {self.values!r} must be a list of values, such as ['low', 'high'].")
        if len({str(value) for value in self.values}) < len(self.values):
            raise InputError("An order must name each value once.")


@dataclass(frozen=True)
class Ranges:
    """The ranges that classes show: for each class, the codes from `low` to `high`."""

    low: Ints
    high: Ints

    @property
    def sizes(self) -> Ints:
        """The number of values in each range."""
        return self.high - self.low + np.int32(1)


@dataclass(frozen=True)
class Sets:
    """The sets that classes show: class i shows `codes[starts[i]:starts[i + 1]]`, ascending."""

    starts: Longs
    codes: Ints

    @property
    def sizes(self) -> Longs:
        """The number of values in each set."""
        return np.diff(self.starts)


@dataclass(frozen=True, eq=False)
class Domain:
    """The values of one attribute by code; `missing` is the code of the missing value, or −1."""

    labels: tuple[str, ...]
    missing: int = -1

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def labels_or_none(self) -> tuple[str | None, ...]:
        """The labels by code, with None for the missing value."""
        return tuple(None if code == self.missing else label for code, label in enumerate(self.labels))

    def loss(self, shown: Any) -> Floats:
        """Return the loss of a cell of each class after Iyengar (2002): (shown values − 1) / (all values − 1)."""
        return np.asarray((shown.sizes - 1) / max(1, len(self) - 1), np.float64)

    def penalty(self, shown: Any) -> Floats:
        """Return the normalized certainty penalty of a cell of each class: shown values / all values, 0 for one."""
        return np.where(shown.sizes > 1, shown.sizes / len(self), 0.0)

    def steps(self, shown: Any, ids: Ints, codes: Ints) -> Longs:
        """Return depth(raw) − depth(shown) for each row; without a tree, a range or set is one step up."""
        return np.asarray(shown.sizes > 1, np.int64)[ids]

    def depth(self, codes: Ints) -> Longs:
        """Return the number of steps from each raw value up to the top."""
        return np.full(codes.size, int(len(self) > 1), np.int64)

    def top(self, style: Style) -> str:
        """Return the label that covers every value."""
        return style.top


@dataclass(frozen=True, eq=False)
class TreeDomain(Domain):
    """Values under a hierarchy; a class shows a node."""

    hierarchy: Hierarchy = None  # type: ignore[assignment]

    @classmethod
    def of(cls, hierarchy: Hierarchy, *, missing: str | None = None) -> TreeDomain:
        """Build the domain of a hierarchy, with the missing value, if any, under its root."""
        if missing is not None:
            hierarchy = hierarchy.with_value(missing)
        code = -1 if missing is None else hierarchy.codes[missing]
        return cls(hierarchy.leaves, code, hierarchy)

    def join(self, codes: Ints, ids: Ints, classes: int) -> Ints:
        """Return the lowest common ancestor of each class."""
        return self.hierarchy.cover(*group_bounds(codes, ids, classes))

    def can_show(self, shown: Ints, classes: int) -> bool:
        """Return whether each class shows a node of the tree."""
        return shown.size == classes and _within(shown, len(self.hierarchy.labels))

    def alike(self, shown: Ints) -> Longs:
        """Return the node of each class."""
        return shown.astype(np.int64)

    def loss(self, shown: Ints) -> Floats:
        """Return (leaves under the shown node − 1) / (all leaves − 1)."""
        return self.hierarchy.loss[shown]

    def penalty(self, shown: Ints) -> Floats:
        """Return leaves under the node / all leaves, 0 for an unchanged value."""
        tree = self.hierarchy
        covered = (tree.highs[shown] - tree.lows[shown] + 1) / len(self)
        return np.where(tree.leaf_nodes[tree.lows[shown]] == shown, 0.0, covered)

    def steps(self, shown: Ints, ids: Ints, codes: Ints) -> Longs:
        """Return depth(raw) − depth(shown)."""
        return self.depth(codes) - self.hierarchy.depths[shown[ids]]

    def depth(self, codes: Ints) -> Longs:
        """Return the depth of each value in the tree."""
        return self.hierarchy.depths[self.hierarchy.leaf_nodes[codes]].astype(np.int64)

    def write(self, shown: Ints, style: Style) -> list[str]:
        """Write the label of each node."""
        return [self.hierarchy.labels[node] for node in shown.tolist()]

    def top(self, style: Style) -> str:
        """Return the label of the root."""
        return self.hierarchy.root


@dataclass(frozen=True, eq=False)
class RangeDomain(Domain):
    """Values in an order; a class shows a range, or the top if it mixes the missing value (code 0) with others."""

    def join(self, codes: Ints, ids: Ints, classes: int) -> Ranges:
        """Return the range from the lowest to the highest value of each class."""
        low, high = group_bounds(codes, ids, classes)
        mixed = (low == self.missing) & (high > low)
        return Ranges(low, np.where(mixed, np.int32(len(self) - 1), high))

    def can_show(self, shown: Ranges, classes: int) -> bool:
        """Return whether each class shows a range of codes."""
        complete = shown.low.size == shown.high.size == classes
        return complete and _within(shown.low, len(self)) and _within(shown.high, len(self))

    def alike(self, shown: Ranges) -> Longs:
        """Combine the two ends into one number."""
        return shown.low.astype(np.int64) * len(self) + shown.high

    def write(self, shown: Ranges, style: Style) -> list[str]:
        """Write `low - high` in the form of the style."""
        return [
            style.top if low == self.missing and high > low else self._range(low, high, style)
            for low, high in zip(shown.low.tolist(), shown.high.tolist(), strict=True)
        ]

    def _range(self, low: int, high: int, style: Style) -> str:
        return style.text_range(self.labels[low], self.labels[high])


@dataclass(frozen=True, eq=False)
class NumericDomain(RangeDomain):
    """Numbers in their order; `values` by code, NaN for the missing value.

    `offsets` has the distance of each whole number from the lowest if doubles cannot hold them; 0 for missing.
    """

    values: Floats = None  # type: ignore[assignment]
    offsets: Words | None = None

    @property
    def half_range(self) -> float:
        """(max − min of the table) / 2, as the full range may exceed the largest double."""
        numbers = self.values[self.missing + 1 :] / 2
        return float(numbers[-1] - numbers[0]) if numbers.size else 0.0

    def loss(self, shown: Ranges) -> Floats:
        """Return (high − low) / (max − min of the table); 1 if the missing value is mixed with others."""
        if self.offsets is not None:
            offsets, full = self.offsets, max(1.0, float(self.offsets[-1]))
            width = np.where(shown.high > shown.low, offsets[shown.high] - offsets[shown.low], np.uint64(0)) / full
            return np.where((shown.low == self.missing) & (shown.high > shown.low), 1.0, width)
        halves = self.values / 2
        span = np.where(shown.high > shown.low, halves[shown.high] - halves[shown.low], 0.0)
        return np.where(np.isnan(span), 1.0, span / (self.half_range or 1.0))

    def penalty(self, shown: Ranges) -> Floats:
        """Return the loss, which is the same for numbers."""
        return self.loss(shown)

    @property
    def are_numbers(self) -> bool:
        """Whether the labels read as numbers, which those of dates do not."""
        try:
            return all(map(isfinite, map(float, self.labels[self.missing + 1 :])))
        except ValueError:
            return False

    def means(self, codes: Ints, weights: Longs, ids: Ints, sizes: Longs) -> list[float]:
        """Return the mean of each class; NaN if a value is missing."""
        inside = ids >= 0
        width = len(self)
        pairs, place = np.unique(ids[inside].astype(np.int64) * width + codes[inside], return_inverse=True)
        counts = np.bincount(place, weights[inside], pairs.size)
        sums: list[list[float]] = [[] for _ in range(sizes.size)]
        for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
            share = count / sizes[pair // width]
            sums[pair // width].append(float(self.values[pair % width]) / 2 * share)
        return [2 * fsum(terms) for terms in sums]

    def _range(self, low: int, high: int, style: Style) -> str:
        return style.number_range(self.labels[low], self.labels[high])


@dataclass(frozen=True, eq=False)
class SetDomain(Domain):
    """Values without order or tree; a class shows the set of its values."""

    def join(self, codes: Ints, ids: Ints, classes: int) -> Sets:
        """Return the set of values of each class."""
        inside = ids >= 0
        pairs = np.unique(ids[inside].astype(np.int64) * len(self) + codes[inside])
        starts = np.searchsorted(pairs, np.arange(classes + 1, dtype=np.int64) * len(self))
        return Sets(starts.astype(np.int64), (pairs % len(self)).astype(np.int32))

    def can_show(self, shown: Sets, classes: int) -> bool:
        """Return whether each class shows a set of codes."""
        complete = shown.starts.size == classes + 1 and shown.starts[-1] == shown.codes.size
        return bool(complete) and _within(shown.codes, len(self))

    def alike(self, shown: Sets) -> Longs:
        """Number the distinct sets."""
        numbers: dict[bytes, int] = {}
        starts = shown.starts.tolist()
        sets = (shown.codes[a:b].tobytes() for a, b in itertools.pairwise(starts))
        return np.array([numbers.setdefault(members, len(numbers)) for members in sets], np.int64)

    def write(self, shown: Sets, style: Style) -> list[str]:
        """Write `a | b` in the form of the style."""
        names = [self.labels[code] for code in shown.codes.tolist()]
        starts = shown.starts.tolist()
        return [style.union(names[a:b]) for a, b in itertools.pairwise(starts)]


def _within(codes: Ints, count: int) -> bool:
    return bool(codes.min(initial=0) >= 0 and codes.max(initial=-1) < count)


AnyDomain = TreeDomain | RangeDomain | SetDomain
