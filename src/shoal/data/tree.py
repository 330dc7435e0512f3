"""Tree: the labels of one attribute from its values up to the root, with the values numbered depth-first.

The values under any node have consecutive codes, so every generalized value is an interval of codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from shoal.errors import HierarchyError
from shoal.kernels.arrays import Floats, Ints
from shoal.kernels.trees import climb, smallest_cover

MAX_HEIGHT = 20_000  # a value is generalized one level at a time


class Nodes(NamedTuple):
    """The labels of a tree in any order, and the position of each label's parent (−1 for the root)."""

    labels: Sequence[str]
    parents: Sequence[int]


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A tree of labels in depth-first order: node 0 is the root, a node's leaves are `lows[i]..highs[i]`."""

    labels: tuple[str, ...]
    parents: Ints
    lows: Ints
    highs: Ints
    depths: Ints
    leaf_nodes: Ints

    @classmethod
    def from_parents(cls, labels: Sequence[str], parents: Sequence[int]) -> Self:
        """Build the tree from the label of each node and the position of its parent.

        labels   the label of each node, in any order
        parents  for each label the position of its parent in `labels`; −1 for the root

        >>> import shoal
        >>> shoal.Hierarchy.from_parents(["*", "a", "b"], [-1, 0, 0]).leaves
        ('a', 'b')
        """
        roots = [node for node, parent in enumerate(parents) if parent < 0]
        if len(labels) != len(parents) or len(roots) != 1 or max(parents) >= len(labels):
            raise HierarchyError(
                f"{len(labels)} labels with {len(parents)} parents and {len(roots)} roots are not a tree: "
                f"give each label the position of its parent, and −1 to the one root."
            )
        children: list[list[int]] = [[] for _ in labels]
        for node, parent in enumerate(parents):
            if parent >= 0:
                children[parent].append(node)
        placed: list[tuple[int, int, int]] = []  # a node, the place of its parent, and its depth
        stack = [(roots[0], -1, 0)]
        while stack:
            node, parent, depth = stack.pop()
            if depth > MAX_HEIGHT:
                raise HierarchyError(
                    f"The label {labels[node]!r} is more than {MAX_HEIGHT:,} levels below the root: leave out levels."
                )
            stack.extend((child, len(placed), depth + 1) for child in reversed(children[node]))
            placed.append((node, parent, depth))
        order, parent_at, depths = zip(*placed, strict=True)
        if len(order) < len(labels):
            unreached = min(set(range(len(labels))) - set(order))
            raise HierarchyError(
                f"The label {labels[unreached]!r} is not under the root: break the cycle of its parents."
            )
        lows = np.zeros(len(order), np.int32)
        highs = np.zeros(len(order), np.int32)
        leaf_nodes = np.array([position for position, node in enumerate(order) if not children[node]], np.int32)
        lows[leaf_nodes] = highs[leaf_nodes] = np.arange(leaf_nodes.size)
        for position in range(len(order) - 1, 0, -1):
            parent = parent_at[position]
            lows[parent] = lows[position]
            highs[parent] = max(highs[parent], highs[position])
        tree = cls(
            tuple(labels[node] for node in order),
            np.array(parent_at, np.int32),
            lows,
            highs,
            np.array(depths, np.int32),
            leaf_nodes,
        )
        if len(tree.codes) < len(leaf_nodes):
            repeated = Counter(tree.leaves).most_common(1)[0][0]
            raise HierarchyError(f"The value {repeated!r} is a leaf twice: keep one of the two.")
        return tree

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The values of the attribute, in the order of their codes."""
        return tuple(self.labels[node] for node in self.leaf_nodes)

    @cached_property
    def codes(self) -> Mapping[str, int]:
        """The code of each value."""
        return {leaf: code for code, leaf in enumerate(self.leaves)}

    @property
    def root(self) -> str:
        """The label that covers every value."""
        return self.labels[0]

    @cached_property
    def height(self) -> int:
        """The number of steps from the deepest value to the root."""
        return int(self.depths.max())

    @cached_property
    def loss(self) -> Floats:
        """For each node, (leaves under it − 1) / (all leaves − 1); 0 everywhere in a one-leaf tree."""
        covered = (self.highs - self.lows).astype(np.float64)
        return covered / max(1, len(self.leaf_nodes) - 1)

    def cover(self, low: Ints, high: Ints) -> Ints:
        """Return the smallest node over each interval of codes: the lowest common ancestor of its values."""
        low, high = np.ascontiguousarray(low, np.int32), np.ascontiguousarray(high, np.int32)
        return smallest_cover(self.parents, self.highs, self.leaf_nodes, low, high)

    def ancestors(self, nodes: Ints, steps: int) -> Ints:
        """Generalize each node by `steps` levels, at most up to the root."""
        return climb(self.parents, np.ascontiguousarray(nodes, np.int32), steps)

    def path(self, value: str) -> tuple[str, ...]:
        """Return the labels that may be shown for a value, from the value itself up to the root.

        value  a value of the attribute

        >>> import shoal
        >>> shoal.Hierarchy.prefix(["13053", "13068"], steps=[2, 5]).path("13053")
        ('13053', '130**', '*****')
        """
        if value not in self.codes:
            raise HierarchyError(f"The value {value!r} is not in the hierarchy.")
        node = int(self.leaf_nodes[self.codes[value]])
        labels = [self.labels[node]]
        while node:
            node = int(self.parents[node])
            labels.append(self.labels[node])
        return tuple(labels)

    def with_value(self, value: str) -> Self:
        """Return this tree with one more value under the root, unless it has the value already.

        value  the value to add

        >>> import shoal
        >>> shoal.Hierarchy.flat(["a", "b"]).with_value("?").leaves
        ('a', 'b', '?')
        """
        if value in self.codes:
            return self
        # A root that is a value itself stays one.
        old_leaves = self.labels if len(self.labels) == 1 else ()
        children = [*old_leaves, value]
        return self.from_parents([*self.labels, *children], [*self.parents.tolist(), *[0] * len(children)])

    def walk(self) -> Iterator[tuple[int, str, int]]:
        """Yield each node depth-first as (depth, label, number of values under it).

        >>> import shoal
        >>> list(shoal.Hierarchy.flat(["a", "b"]).walk())
        [(0, '*', 2), (1, 'a', 1), (1, 'b', 1)]
        """
        sizes = self.highs - self.lows + 1
        yield from zip(self.depths.tolist(), self.labels, sizes.tolist(), strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self.labels == other.labels and bool(np.array_equal(self.parents, other.parents))

    def __hash__(self) -> int:
        return hash((self.labels, self.parents.tobytes()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.leaf_nodes)} values, height {self.height}, root {self.root!r})"
