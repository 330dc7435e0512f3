"""Hierarchy: a tree over one attribute's values, its leaves numbered depth-first.

The leaves under any node are consecutive codes, so every generalized value is an interval of codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import HierarchyError
from shoal.kernels.trees import climb, smallest_cover

IntArray = NDArray[np.int32]
HIGHEST = 20_000  # levels of a tree: a value goes up step by step
Format = Literal["tab-tree", "pairs", "levels"]


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """A tree of labels in depth-first order: node 0 is the root, a node's leaves are `lows[i]..highs[i]`."""

    labels: tuple[str, ...]
    parents: IntArray
    lows: IntArray
    highs: IntArray
    depths: IntArray
    leaf_nodes: IntArray

    @classmethod
    def from_parents(cls, labels: Sequence[str], parents: Sequence[int]) -> Hierarchy:
        """Build the tree from each node's label and its parent's position (−1 for the one root).

        >>> Hierarchy.from_parents(["*", "a", "b"], [-1, 0, 0]).leaves
        ('a', 'b')
        """
        roots = [node for node, parent in enumerate(parents) if parent < 0]
        if len(labels) != len(parents) or len(roots) != 1 or max(parents) >= len(labels):
            raise HierarchyError(
                f"{len(labels)} labels with {len(parents)} parents and {len(roots)} roots are no tree: "
                f"give each label the position of its parent, and −1 to the one root."
            )
        children: list[list[int]] = [[] for _ in labels]
        for node, parent in enumerate(parents):
            if parent >= 0:
                children[parent].append(node)
        order: list[int] = []
        depth: list[int] = []
        parent_at: list[int] = []
        stack = [(roots[0], -1, 0)]
        while stack:
            node, parent, level = stack.pop()
            if level > HIGHEST:
                raise HierarchyError(
                    f"The label {labels[node]!r} stands more than {HIGHEST:,} levels below the root: leave out levels."
                )
            place = len(order)
            order.append(node)
            parent_at.append(parent)
            depth.append(level)
            stack.extend((child, place, level + 1) for child in reversed(children[node]))
        if len(order) < len(labels):
            lost = min(set(range(len(labels))) - set(order))
            raise HierarchyError(f"The label {labels[lost]!r} is not under the root: break the cycle of its parents.")
        lows = np.zeros(len(order), np.int32)
        highs = np.zeros(len(order), np.int32)
        leaf_nodes = np.array([i for i, node in enumerate(order) if not children[node]], np.int32)
        lows[leaf_nodes] = highs[leaf_nodes] = np.arange(leaf_nodes.size)
        for i in range(len(order) - 1, 0, -1):
            parent = parent_at[i]
            lows[parent] = lows[i]
            highs[parent] = max(highs[parent], highs[i])
        tree = cls(
            tuple(labels[node] for node in order),
            np.array(parent_at, np.int32),
            lows,
            highs,
            np.array(depth, np.int32),
            leaf_nodes,
        )
        if len(tree.codes) < len(leaf_nodes):
            twice = Counter(tree.leaves).most_common(1)[0][0]
            raise HierarchyError(f"The value {twice!r} is a leaf twice: keep one of the two.")
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
    def loss(self) -> NDArray[np.float64]:
        """For each node, (leaves under it − 1) / (all leaves − 1); 0 everywhere in a one-leaf tree."""
        covered = (self.highs - self.lows).astype(np.float64)
        return covered / max(1, len(self.leaf_nodes) - 1)

    def cover(self, low: IntArray, high: IntArray) -> IntArray:
        """The smallest node over each interval of codes: the lowest common ancestor of its values."""
        low, high = np.ascontiguousarray(low, np.int32), np.ascontiguousarray(high, np.int32)
        return smallest_cover(self.parents, self.highs, self.leaf_nodes, low, high)

    def ancestors(self, nodes: IntArray, steps: int) -> IntArray:
        """Each node generalized by `steps` levels; past the root stays at the root."""
        return climb(self.parents, np.ascontiguousarray(nodes, np.int32), steps)

    def path(self, value: str) -> tuple[str, ...]:
        """The labels that may be shown for a value, from itself up to the root.

        >>> Hierarchy.prefix(["13053", "13068"], steps=[2, 5]).path("13053")
        ('13053', '130**', '*****')
        """
        if value not in self.codes:
            raise HierarchyError(f"The hierarchy does not know the value {value!r}.")
        node = int(self.leaf_nodes[self.codes[value]])
        labels = [self.labels[node]]
        while node:
            node = int(self.parents[node])
            labels.append(self.labels[node])
        return tuple(labels)

    def with_value(self, value: str) -> Hierarchy:
        """This tree with one more value under the root, if it does not know the value yet."""
        if value in self.codes:
            return self
        # A root that is a value itself stays one.
        kept = self.labels if len(self.labels) == 1 else ()
        under = [*kept, value]
        return Hierarchy.from_parents([*self.labels, *under], [*self.parents.tolist(), *[0] * len(under)])

    def walk(self) -> Iterator[tuple[int, str, int]]:
        """Each node depth-first as (depth, label, number of values under it)."""
        sizes = self.highs - self.lows + 1
        yield from zip(self.depths.tolist(), self.labels, sizes.tolist(), strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        return self.labels == other.labels and bool(np.array_equal(self.parents, other.parents))

    def __hash__(self) -> int:
        return hash((self.labels, self.parents.tobytes()))

    def __repr__(self) -> str:
        return f"Hierarchy({len(self.leaf_nodes)} values, height {self.height}, root {self.root!r})"

    @classmethod
    def from_tab_tree(cls, path: str | PathLike[str]) -> Hierarchy:
        """Read an indented file: one label per line, its depth the number of leading tabs."""
        from shoal.data.hierarchies import tab_tree

        return tab_tree.read(path)

    @classmethod
    def from_pairs(cls, path: str | PathLike[str]) -> Hierarchy:
        """Read a file of `child,parent` lines, in any order."""
        from shoal.data.hierarchies import pairs

        return pairs.read(path)

    @classmethod
    def from_levels(cls, path: str | PathLike[str]) -> Hierarchy:
        """Read a file with one line per value: `value;level 1;…;top`."""
        from shoal.data.hierarchies import levels

        return levels.read(path)

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Hierarchy:
        """Read a hierarchy file of any of the three formats, telling the format from its lines."""
        from shoal.data.hierarchies import read

        return read(path)

    @classmethod
    def from_folder(cls, folder: str | PathLike[str]) -> dict[str, Hierarchy]:
        """Read every `<attribute>.txt` or `<attribute>.csv` of a folder, in any of the three formats."""
        from shoal.data.hierarchies import read_folder

        return read_folder(folder)

    @classmethod
    def from_nested(cls, groups: Any, *, root: str = "*") -> Hierarchy:
        """The tree of dictionaries and lists within one another; where one group holds all, it is the root.

        >>> Hierarchy.from_nested({"Higher": ["BSc", "MSc"], "School": ["11th"]}).path("MSc")
        ('MSc', 'Higher', '*')
        """
        from shoal.data.hierarchies import nested

        return nested.build(groups, root=root)

    def save(self, path: str | PathLike[str], *, format: Format = "tab-tree") -> Path:  # noqa: A002
        """Write the tree as a file of the given format."""
        from shoal.data.hierarchies import write

        return write(self, path, format)

    @classmethod
    def intervals(
        cls,
        values: Iterable[object],
        *,
        widths: Sequence[float | str],
        origin: float | str = 0,
        style: str = "",
    ) -> Hierarchy:
        """Numbers in intervals of growing widths: `intervals([17, 18, 23], widths=[5, 10])`.

        >>> Hierarchy.intervals([17, 18, 23], widths=[5, 10]).path("17")
        ('17', '15-19', '10-19', '*')
        """
        from shoal.data.hierarchies import intervals

        return intervals.build(values, widths=widths, origin=origin, style=style)

    @classmethod
    def cuts(cls, values: Iterable[object], *, bounds: Sequence[Sequence[float | str]], style: str = "") -> Hierarchy:
        """Numbers grouped between bounds, level upon level; those of a level are among those of the level before.

        >>> Hierarchy.cuts([17, 18, 40, 70], bounds=[[18, 30, 45, 65], [30, 65]]).path("40")
        ('40', '30-44', '30-64', '*')
        """
        from shoal.data.hierarchies import cuts

        return cuts.build(values, bounds=bounds, style=style)

    @classmethod
    def prefix(cls, values: Iterable[object], *, steps: Sequence[int] = (), mask: str = "*") -> Hierarchy:
        """Codes masked from the right, `13053 → 1305* → 130** → …`, or by the given numbers of places."""
        from shoal.data.hierarchies import prefix

        return prefix.build(values, steps=steps, mask=mask)

    @classmethod
    def dates(
        cls,
        values: Iterable[object],
        *,
        levels: Sequence[str] = ("day", "month", "quarter", "year", "decade"),
        format: str = "",  # noqa: A002
    ) -> Hierarchy:
        """Dates by day, month, quarter, year and decade, or those of them that are named.

        >>> Hierarchy.dates(["2024-03-15"], levels=["month", "year"]).path("2024-03-15")
        ('2024-03-15', '2024-03', '2024', '*')
        """
        from shoal.data.hierarchies import dates

        return dates.build(values, levels=levels, format=format)

    @classmethod
    def by_order(cls, values: Iterable[object], *, fanout: int = 2) -> Hierarchy:
        """Neighbours in the given order grouped by `fanout`, level upon level.

        >>> Hierarchy.by_order(["low", "middle", "high"]).path("low")
        ('low', 'low - middle', '*')
        """
        from shoal.data.hierarchies import order

        return order.build(values, fanout=fanout)

    @classmethod
    def by_frequency(cls, counts: Mapping[Any, int], *, fanout: int = 2) -> Hierarchy:
        """The rarest values grouped first, as in Huffman's code, so that frequent ones stay exact longest.

        >>> Hierarchy.by_frequency({"cold": 90, "mumps": 4, "rabies": 1}).path("rabies")
        ('rabies', 'mumps | rabies', '*')
        """
        from shoal.data.hierarchies import frequency

        return frequency.build(counts, fanout=fanout)

    @classmethod
    def flat(cls, values: Iterable[object], *, root: str = "*") -> Hierarchy:
        """Each value directly under the root: shown as it is or not at all."""
        from shoal.data.hierarchies import flat

        return flat.build(values, root=root)
