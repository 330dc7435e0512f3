"""Domains: the values of one quasi-identifier by code, and what a class can show for them.

Domain
├── TreeDomain      values under a hierarchy; a class shows a node of it
├── RangeDomain     values in an order; a class shows a range
│   └── NumericDomain   numbers, whose distances count
└── SetDomain       values without order or tree; a class shows the set of those it holds
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from shoal.data.hierarchy import Hierarchy
from shoal.data.style import Style
from shoal.errors import InputError
from shoal.kernels.groups import group_bounds

IntArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
Shown = TypeVar("Shown")


@dataclass(frozen=True)
class Ordered:
    """An order of values, given in place of a hierarchy: `hierarchies={"size": shoal.Ordered(["S", "M", "L"])}`."""

    values: Sequence[str]

    def __post_init__(self) -> None:
        if isinstance(self.values, str) or not isinstance(self.values, Sequence):
            raise InputError(f"An order is a list of values, such as ['low', 'high'], not {self.values!r}.")
        if len({str(value) for value in self.values}) < len(self.values):
            raise InputError("An order must name each value once.")


@dataclass(frozen=True)
class Ranges:
    """What classes show of ordered values: the codes from `low` to `high`."""

    low: IntArray
    high: IntArray


@dataclass(frozen=True)
class Sets:
    """What classes show of unordered values: class i shows `codes[starts[i]:starts[i + 1]]`, ascending."""

    starts: NDArray[np.int64]
    codes: IntArray

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of values of each set."""
        return np.diff(self.starts)


@dataclass(frozen=True, eq=False)
class Domain(Generic[Shown]):
    """The values of one attribute by code; `missing` is the code of the missing value, −1 if there is none."""

    labels: tuple[str, ...]
    missing: int = -1

    def __len__(self) -> int:
        return len(self.labels)

    def join(self, codes: IntArray, ids: IntArray, classes: int) -> Shown:
        """The least that each class can show: the minimal generalization of its values."""
        raise NotImplementedError

    def can_show(self, shown: Shown, classes: int) -> bool:
        """Whether there is something to show for each of so many classes, and all of it is of this domain."""
        raise NotImplementedError

    def alike(self, shown: Shown) -> NDArray[np.int64]:
        """A number for each class, the same for classes that show the same."""
        raise NotImplementedError

    def loss(self, shown: Shown) -> FloatArray:
        """The loss of a cell of each class by Iyengar (2002), from 0 to 1."""
        raise NotImplementedError

    def penalty(self, shown: Shown) -> FloatArray:
        """The normalized certainty penalty of a cell of each class: 0 where nothing changed."""
        raise NotImplementedError

    def steps(self, shown: Shown, ids: IntArray, codes: IntArray) -> NDArray[np.int64]:
        """For each row, depth(raw) − depth(shown); without a tree, a shown range or set is one step up."""
        raise NotImplementedError

    def depth(self, codes: IntArray) -> NDArray[np.int64]:
        """For each raw value, the steps up to the top."""
        return np.full(codes.size, int(len(self) > 1), np.int64)

    def write(self, shown: Shown, style: Style) -> list[str]:
        """The label of each class."""
        raise NotImplementedError

    def top(self, style: Style) -> str:
        """The label that covers every value."""
        return style.top


@dataclass(frozen=True, eq=False)
class TreeDomain(Domain[IntArray]):
    """Values under a hierarchy; a class shows a node."""

    hierarchy: Hierarchy = None  # type: ignore[assignment]

    @classmethod
    def of(cls, hierarchy: Hierarchy, *, missing: str | None = None) -> TreeDomain:
        """The domain of a hierarchy, with the missing value under its root where there is one."""
        if missing is not None:
            hierarchy = hierarchy.with_value(missing)
        code = -1 if missing is None else hierarchy.codes[missing]
        return cls(hierarchy.leaves, code, hierarchy)

    def join(self, codes: IntArray, ids: IntArray, classes: int) -> IntArray:
        """The lowest common ancestor."""
        return self.hierarchy.cover(*group_bounds(codes, ids, classes))

    def can_show(self, shown: IntArray, classes: int) -> bool:
        """Whether each class shows a node of the tree."""
        return shown.size == classes and _within(shown, len(self.hierarchy.labels))

    def alike(self, shown: IntArray) -> NDArray[np.int64]:
        """The node."""
        return shown.astype(np.int64)

    def loss(self, shown: IntArray) -> FloatArray:
        """(leaves under the shown node − 1) / (all leaves − 1)."""
        return self.hierarchy.loss[shown]

    def penalty(self, shown: IntArray) -> FloatArray:
        """Leaves under the node / all leaves, 0 for a value as it was."""
        tree = self.hierarchy
        covered = (tree.highs[shown] - tree.lows[shown] + 1) / len(self)
        return np.where(tree.leaf_nodes[tree.lows[shown]] == shown, 0.0, covered)

    def steps(self, shown: IntArray, ids: IntArray, codes: IntArray) -> NDArray[np.int64]:
        """depth(raw) − depth(shown)."""
        return self.depth(codes) - self.hierarchy.depths[shown[ids]]

    def depth(self, codes: IntArray) -> NDArray[np.int64]:
        """The depth of each value in the tree."""
        return self.hierarchy.depths[self.hierarchy.leaf_nodes[codes]].astype(np.int64)

    def write(self, shown: IntArray, style: Style) -> list[str]:
        """The node's label."""
        return [self.hierarchy.labels[node] for node in shown.tolist()]

    def top(self, style: Style) -> str:
        """The root's label."""
        return self.hierarchy.root


@dataclass(frozen=True, eq=False)
class RangeDomain(Domain[Ranges]):
    """Values in an order; a class shows a range, or the top where it mixes the missing value (code 0) with others."""

    def join(self, codes: IntArray, ids: IntArray, classes: int) -> Ranges:
        """The range from the lowest to the highest value."""
        low, high = group_bounds(codes, ids, classes)
        mixed = (low == self.missing) & (high > low)
        return Ranges(low, np.where(mixed, np.int32(len(self) - 1), high))

    def can_show(self, shown: Ranges, classes: int) -> bool:
        """Whether each class shows a range of codes."""
        there = shown.low.size == shown.high.size == classes
        return there and _within(shown.low, len(self)) and _within(shown.high, len(self))

    def alike(self, shown: Ranges) -> NDArray[np.int64]:
        """The two ends in one number."""
        return shown.low.astype(np.int64) * len(self) + shown.high

    def loss(self, shown: Ranges) -> FloatArray:
        """(values in the range − 1) / (all values − 1)."""
        return (shown.high - shown.low) / max(1, len(self) - 1)

    def penalty(self, shown: Ranges) -> FloatArray:
        """Values in the range / all values, 0 for one value."""
        return np.where(shown.high > shown.low, (shown.high - shown.low + 1) / len(self), 0.0)

    def steps(self, shown: Ranges, ids: IntArray, codes: IntArray) -> NDArray[np.int64]:
        """One step where a range is shown."""
        return (shown.high > shown.low).astype(np.int64)[ids]

    def write(self, shown: Ranges, style: Style) -> list[str]:
        """`low - high` in the style's form."""
        return [
            style.top if low == self.missing and high > low else self._range(low, high, style)
            for low, high in zip(shown.low.tolist(), shown.high.tolist(), strict=True)
        ]

    def _range(self, low: int, high: int, style: Style) -> str:
        return style.text_range(self.labels[low], self.labels[high])


@dataclass(frozen=True, eq=False)
class NumericDomain(RangeDomain):
    """Numbers in their order; `values` by code, NaN for the missing value.

    `offsets` has how far above the lowest each is, where doubles cannot hold whole numbers; 0 for the missing value.
    """

    values: FloatArray = None  # type: ignore[assignment]
    offsets: NDArray[np.uint64] | None = None

    @property
    def half_range(self) -> float:
        """(max − min of the table) / 2, as the whole may be beyond the largest double."""
        numbers = self.values[self.missing + 1 :] / 2
        return float(numbers[-1] - numbers[0]) if numbers.size else 0.0

    def loss(self, shown: Ranges) -> FloatArray:
        """(high − low) / (max − min of the table); 1 where the missing value is among others."""
        if self.offsets is not None:
            own, whole = self.offsets, max(1.0, float(self.offsets[-1]))
            wide = np.where(shown.high > shown.low, own[shown.high] - own[shown.low], np.uint64(0)) / whole
            return np.where((shown.low == self.missing) & (shown.high > shown.low), 1.0, wide)
        halves = self.values / 2
        span = np.where(shown.high > shown.low, halves[shown.high] - halves[shown.low], 0.0)
        return np.where(np.isnan(span), 1.0, span / (self.half_range or 1.0))

    def penalty(self, shown: Ranges) -> FloatArray:
        """As the loss."""
        return self.loss(shown)

    @property
    def are_numbers(self) -> bool:
        """Whether the labels read as the numbers, as those of dates do not."""
        try:
            return all(map(isfinite, map(float, self.labels[self.missing + 1 :])))
        except ValueError:
            return False

    def means(
        self, codes: IntArray, weights: NDArray[np.int64], ids: IntArray, sizes: NDArray[np.int64]
    ) -> list[float]:
        """The mean of each class; NaN where a value is missing."""
        kept = ids >= 0
        width = len(self)
        pairs, place = np.unique(ids[kept].astype(np.int64) * width + codes[kept], return_inverse=True)
        counts = np.bincount(place, weights[kept], pairs.size)
        sums: list[list[float]] = [[] for _ in range(sizes.size)]
        for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
            share = count / sizes[pair // width]
            sums[pair // width].append(float(self.values[pair % width]) / 2 * share)
        return [2 * fsum(terms) for terms in sums]

    def _range(self, low: int, high: int, style: Style) -> str:
        return style.number_range(self.labels[low], self.labels[high])


@dataclass(frozen=True, eq=False)
class SetDomain(Domain[Sets]):
    """Values without order or tree; a class shows the set of the values it holds."""

    def join(self, codes: IntArray, ids: IntArray, classes: int) -> Sets:
        """The set of the class's values."""
        kept = ids >= 0
        pairs = np.unique(ids[kept].astype(np.int64) * len(self) + codes[kept])
        starts = np.searchsorted(pairs, np.arange(classes + 1, dtype=np.int64) * len(self))
        return Sets(starts.astype(np.int64), (pairs % len(self)).astype(np.int32))

    def can_show(self, shown: Sets, classes: int) -> bool:
        """Whether each class shows a set of codes."""
        there = shown.starts.size == classes + 1 and shown.starts[-1] == shown.codes.size
        return bool(there) and _within(shown.codes, len(self))

    def alike(self, shown: Sets) -> NDArray[np.int64]:
        """The number of the set among the different sets."""
        numbers: dict[bytes, int] = {}
        starts = shown.starts.tolist()
        sets = (shown.codes[a:b].tobytes() for a, b in itertools.pairwise(starts))
        return np.array([numbers.setdefault(members, len(numbers)) for members in sets], np.int64)

    def loss(self, shown: Sets) -> FloatArray:
        """(values in the set − 1) / (all values − 1)."""
        return (shown.sizes - 1) / max(1, len(self) - 1)

    def penalty(self, shown: Sets) -> FloatArray:
        """Values in the set / all values, 0 for one value."""
        return np.where(shown.sizes > 1, shown.sizes / len(self), 0.0)

    def steps(self, shown: Sets, ids: IntArray, codes: IntArray) -> NDArray[np.int64]:
        """One step where more than one value is shown."""
        return (shown.sizes > 1).astype(np.int64)[ids]

    def write(self, shown: Sets, style: Style) -> list[str]:
        """`a | b` in the style's form."""
        names = [self.labels[code] for code in shown.codes.tolist()]
        starts = shown.starts.tolist()
        return [style.union(names[a:b]) for a, b in itertools.pairwise(starts)]


def _within(codes: IntArray, count: int) -> bool:
    return bool(codes.min(initial=0) >= 0 and codes.max(initial=-1) < count)


AnyDomain = Domain[Any]
