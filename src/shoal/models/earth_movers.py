"""Earth mover's distances of classes to the whole table, computed from the values that each class has.

Y. Rubner, C. Tomasi, L. Guibas (2000), doi:10.1023/A:1026543900054. With c and C the counts of a value in a class and
in the table, n and N their sizes, each distance times n N is a sum of |c N − C n| over values, places of an order or
nodes of a tree. Values that a class lacks add a closed form, so that the sum runs over those that it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.classes import Counts, Overall
from shoal.data.hierarchy import Hierarchy
from shoal.errors import InputError
from shoal.kernels.arrays import Longs
from shoal.models.caps import MAX_MEMBERS, Caps
from shoal.models.exact import SAFE, products, times

Whole = NDArray[Any]  # of 64-bit or of Python's integers
Number = Fraction | Decimal | int


@dataclass(frozen=True, eq=False)
class Compared:
    """Classes beside the whole table: their sizes, and their counts of its values."""

    sizes: Longs
    counted: Counts
    overall: Overall

    @property
    def rows(self) -> int:
        """The rows of the whole table, or its people."""
        return self.overall.size

    def scale(self, farthest: int) -> Whole:
        """Return n N for each class, times the distance of the values that are farthest apart."""
        return times(self.sizes, farthest * self.rows)

    def equal(self) -> Whole:
        """Return Σ |c N − C n| over the values of the table; those that a class lacks have C n.

        People can have several values, so that gains and losses differ: then it is twice the larger of the two.
        """
        counted, whole = self.counted, self.overall.counts[self.counted.values]
        every = int(self.overall.counts.sum())
        sign = self._sign(counted.counts, whole, counted)
        more = counted.gathered(np.add, sign * counted.counts)
        both = self._sum(more, every - counted.gathered(np.add, (1 + sign) * whole), self._values)
        if self.overall.people is None:
            return both
        held = counted.gathered(np.add, counted.counts)
        return np.asarray(both + abs(self._sum(held, np.full(held.size, -every), self._values)))

    def ordered(self, order: Order) -> Whole:
        """Return Σ over the places of an order of |c N − C n|, with the counts of all values up to the place.

        From one value of a class to the next only C changes: it grows, so that all places before one have c N ≥ C n,
        and the others c N < C n.
        """
        counted = order.sorted(self.counted)
        upto: Whole = np.cumsum(counted.counts.astype(self._kind(order.size)))
        upto = upto - counted.spread(np.concatenate([np.zeros(1, upto.dtype), upto])[counted.starts[:-1]])
        first = order.ranks[counted.values]
        last = np.append(first[1:], 0)[: first.size]
        last[counted.starts[1:][counted.lengths > 0] - 1] = order.size
        even = times(upto, self.rows) // counted.spread(self.sizes)
        turn = np.clip(np.searchsorted(order.upto, even.astype(order.upto.dtype), side="right"), first, last)
        more = counted.gathered(np.add, upto * (2 * turn - first - last))
        less = counted.gathered(np.add, order.sums[last] - 2 * order.sums[turn] + order.sums[first])
        before = np.full(self.sizes.size, order.size)
        before[counted.lengths > 0] = first[counted.starts[:-1][counted.lengths > 0]]
        return self._sum(more, less + order.sums[before], order.size)

    def hierarchical(self, edges: Edges) -> Whole:
        """Return Σ over the edges of a tree of |c N − C n| of the values below, times the length of the edge.

        The edges above each value add up to the height of the tree, which gives those without a value of a class below.
        """
        counted, tree = edges.sorted(self.counted), edges.tree
        kind = self._kind(tree.height)
        own, held, nodes = counted.spread(np.arange(self.sizes.size)), counted.counts, edges.nodes[counted.values]
        # Rows whose values the table lacks are not moved.
        more: Whole = (counted.gathered(np.add, held) - self.sizes).astype(kind) * tree.height
        less: Whole = np.full(self.sizes.size, self.rows * tree.height, kind)
        for depth in range(int(tree.depths[nodes].max(initial=0)), 0, -1):
            here = tree.depths[nodes] == depth
            if not here.any():
                continue
            new = here.copy()
            places = np.flatnonzero(here)
            new[places[1:]] = (nodes[places[1:]] != nodes[places[:-1]]) | (own[places[1:]] != own[places[:-1]])
            held[places[new[places]]] = np.add.reduceat(held[places], np.flatnonzero(new[places]))
            remaining = ~here | new
            own, held, nodes, here = own[remaining], held[remaining], nodes[remaining], here[remaining]
            at, node = own[here], nodes[here]
            sign, weight = self._sign(held[here], edges.below[node], at), edges.weights[node].astype(kind)
            np.add.at(more, at, weight * sign * held[here])
            np.subtract.at(less, at, weight * (1 + sign) * edges.below[node])
            nodes = np.where(here, tree.parents[nodes], nodes)
        return self._sum(more, less, 2 * tree.height)

    def _sign(self, counts: Longs, whole: Longs, classes: Counts | Longs) -> Longs:
        """Return the sign of c N − C n."""
        sizes = classes.spread(self.sizes) if isinstance(classes, Counts) else self.sizes[classes]
        more, less = times(counts, self.rows), products(whole, sizes)
        return (more > less).astype(np.int64) - (more < less).astype(np.int64)

    @property
    def _values(self) -> int:
        """How many values a row or person can have."""
        return 1 if self.overall.people is None else max(1, self.overall.counts.size)

    def _kind(self, factor: int) -> type:
        """Return the type that can hold the sizes of classes and table times a factor, and sums of a few of these."""
        return object if 8 * (factor + 1) * max(self.rows, int(self.sizes.max(initial=1))) >= SAFE else np.int64

    def _sum(self, more: Whole, less: Whole, farthest: int) -> Whole:
        """Return more · N + less · n for each class, in Python's integers if 64 bits could overflow."""
        kind = self._kind(farthest * self.rows)
        return np.asarray(more.astype(kind) * self.rows + less.astype(kind) * self.sizes.astype(kind))


@dataclass(frozen=True, eq=False)
class Order:
    """The values of a table in an order: the rank of each, and for each rank the rows up to it.

    Equal values, such as 1.5 and 1.50, share a rank.

    sums  for each rank the sum of `upto` over all ranks before it
    """

    ranks: Longs
    upto: Whole
    sums: Whole
    ascending: bool  # whether the ranks are in the order of the codes

    @property
    def size(self) -> int:
        """The number of ranks."""
        return self.upto.size

    @classmethod
    def of(cls, name: str, overall: Overall, order: Sequence[str] | None) -> Order:
        """Return the order of numbers, or the given one."""
        there = np.flatnonzero(overall.counts)
        places = _places(name, [overall.labels[code] for code in there.tolist()], order)
        by_place = sorted(range(len(places)), key=places.__getitem__)
        new = [True] * bool(places) + [places[before] < places[at] for before, at in pairwise(by_place)]
        codes, starts = there[np.array(by_place, np.int64)], np.flatnonzero(new)
        ranks = np.zeros(overall.counts.size, np.int64)
        ranks[codes] = np.cumsum(new) - 1
        large = 8 * (codes.size + 1) * int(overall.counts.sum()) >= SAFE
        rows = np.add.reduceat(overall.counts[codes], starts) if starts.size else overall.counts[:0]
        upto: Whole = np.cumsum(rows.astype(object if large else np.int64))
        sums = np.concatenate([np.zeros(1, upto.dtype), np.cumsum(upto)])
        return cls(ranks, upto, sums, bool((np.diff(ranks[there]) >= 0).all()))

    def sorted(self, counted: Counts) -> Counts:
        """Return the values of each class in this order."""
        return counted if self.ascending else _sorted(counted, self.ranks)

    def caps(self, name: str, overall: Overall, near: float) -> Caps | None:
        """Return the caps of a distance of at most 1 − `near`: each cut of the order has a group on either side."""
        cuts = self.size - 1
        if cuts < 1 or cuts * self.ranks.size > MAX_MEMBERS:
            return None
        members = [[cut if rank <= cut else cuts + cut for cut in range(cuts)] for rank in self.ranks.tolist()]
        shares = self.upto[:-1].astype(np.float64) / overall.size
        return Caps.of_members(name, members, np.ones(2 * cuts), np.append(shares, 1 - shares), near * cuts)


@dataclass(frozen=True, eq=False)
class Edges:
    """A tree over the values of a table: the node of each value, and for each node the edge above it.

    weights  length of the edge: how much higher its parent is, by the longest path down
    below    the rows of the table whose values are under it
    """

    tree: Hierarchy
    nodes: Longs
    weights: Longs
    below: Longs
    ascending: bool  # whether nodes are in the order of the codes

    @classmethod
    def of(cls, name: str, overall: Overall, tree: Hierarchy) -> Edges:
        """Return the tree with the rows of the table; a missing value is under the root."""
        there = np.flatnonzero(overall.counts)
        labels = [overall.labels[code] for code in there.tolist()]
        if None in labels:  # under a name that nothing else has
            missing = "missing"
            while missing in labels or missing in tree.codes:
                missing += "′"
            labels = [missing if label is None else label for label in labels]
            tree = tree.with_value(missing)
        unknown = [label for label in labels if label not in tree.codes]
        if unknown:
            raise InputError(
                f"The hierarchy of the sensitive attribute {name!r} lacks the value {unknown[0]!r}: add it."
            )
        nodes = np.zeros(overall.counts.size, np.int64)
        nodes[there] = tree.leaf_nodes[[tree.codes[label] for label in labels if label is not None]]
        below, heights = np.zeros(len(tree.labels), np.int64), np.zeros(len(tree.labels), np.int64)
        below[nodes[there]] = overall.counts[there]
        for node in range(len(tree.labels) - 1, 0, -1):  # children come after their parents
            parent = tree.parents[node]
            below[parent] += below[node]
            heights[parent] = max(heights[parent], heights[node] + 1)
        weights = np.where(tree.parents < 0, 0, heights[tree.parents] - heights)
        return cls(tree, nodes, weights, below, bool((np.diff(nodes[there]) > 0).all()))

    def sorted(self, counted: Counts) -> Counts:
        """Return the values of each class in the order of the leaves, so that those under a node are neighbours."""
        ordered = counted if self.ascending else _sorted(counted, self.nodes)
        return Counts(ordered.starts, ordered.values, ordered.counts.copy())

    def caps(self, name: str, overall: Overall, near: float) -> Caps | None:
        """Return the caps of a distance of at most 1 − `near`: the values below each edge are a group."""
        members = []
        for node in self.nodes.tolist():
            above = []
            while self.tree.parents[node] >= 0:
                above.append(node)
                node = int(self.tree.parents[node])
            members.append(above)
        return Caps.of_members(
            name, members, self.weights.astype(np.float64), self.below / overall.size, near * self.tree.height
        )


def _sorted(counted: Counts, ranks: Longs) -> Counts:
    order = np.lexsort((ranks[counted.values], counted.spread(np.arange(counted.lengths.size))))
    return Counts(counted.starts, counted.values[order], counted.counts[order])


def _places(name: str, labels: Sequence[str | None], order: Sequence[str] | None) -> list[tuple[bool, Number]]:
    """Return the place of each value in the order; a missing value comes first."""
    ordinals = {label: place for place, label in enumerate(order)} if order is not None else None
    places: list[tuple[bool, Number]] = []
    for label in labels:
        try:
            if label is None or (label == "" and (ordinals is None or "" not in ordinals)):
                places.append((False, 0))
            else:
                places.append((True, ordinals[label] if ordinals is not None else number_of(label)))
        except (KeyError, ValueError) as error:
            what = "is not in the order" if ordinals is not None else "is not a number"
            raise InputError(
                f"The ordered distance of {name!r} needs an order of its values, and {label!r} {what}: give order=[…]."
            ) from error
    return places


def number_of(label: str) -> Decimal | Fraction:
    """Parse an exact number or raise ValueError; 1/3 is a fraction, and 1e999999999 is not expanded."""
    try:
        number = Fraction(label) if "/" in label else Decimal(label)
    except ArithmeticError as error:
        raise ValueError(f"{label!r} is not a number.") from error
    if isinstance(number, Decimal) and not number.is_finite():
        raise ValueError(f"{label!r} is not a number.")
    return number
