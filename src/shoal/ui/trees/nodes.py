"""The visible part of a tree: open groups with their first children, or the matches of a filter."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import shoal
from shoal.ui.trees.edits import children_of, is_leaf, way_up
from shoal.ui.trees.facts import counted

STEP = 200  # children of a group that are drawn at first, and added by "more"
MAX_NODES = 2_000  # drawn in total
MAX_DEPTH = 50  # levels drawn

Node = dict[str, Any]


class TreeNodes:
    """A tree with the rows of each node, and its visible part."""

    def __init__(self, tree: shoal.Hierarchy, rows: NDArray[np.int64]) -> None:
        self.tree = tree
        self.rows = rows
        self.children = children_of(tree)
        self.folded = [label.casefold() for label in tree.labels]

    def drawn(self, *, opened: Collection[int], shown: Mapping[int, int]) -> list[Node]:
        """Return the root with the open groups below it; `shown` is the number of children shown by "more"."""
        return [self._branch(0, opened, shown, left=[MAX_NODES])]

    def found(
        self, text: str, *, opened: Collection[int], shown: Mapping[int, int]
    ) -> tuple[list[Node], list[int], int]:
        """Find the nodes whose label contains a text: the drawn tree, its open groups, and the number not drawn."""
        pattern = text.strip().casefold()
        hits = [node for node, label in enumerate(self.folded) if pattern in label and node]
        picked: dict[int, Node] = {0: self._node(0)}
        if not hits:
            return [picked[0]], [], 0
        for hit in hits[:STEP]:
            for node in way_up(self.tree, hit)[-2::-1] if self.tree.depths[hit] <= MAX_DEPTH else ():
                if node not in picked:
                    picked[node] = self._node(node)
                    picked[int(self.tree.parents[node])].setdefault("children", []).append(picked[node])
        parents = [node for node, drawn in picked.items() if "children" in drawn]
        left = [MAX_NODES]
        for node in picked.keys() - set(parents):
            picked[node].update(self._branch(node, opened, shown, left))
        return [picked[0]], parents, max(0, len(hits) - STEP)

    def _branch(self, node: int, opened: Collection[int], shown: Mapping[int, int], left: list[int]) -> Node:
        """Return a node with its visible children; `left` is the number of nodes that may still be drawn."""
        here = self._node(node)
        if not self.children[node]:
            return here
        if node not in opened or self.tree.depths[node] >= MAX_DEPTH or left[0] <= 0:
            return here | {"children": [_filler(node)]}
        drawn = self.children[node][: min(shown.get(node, STEP), left[0])]
        left[0] -= len(drawn)
        below = [self._branch(child, opened, shown, left) for child in drawn]
        rest = len(self.children[node]) - len(drawn)
        return here | {"children": [*below, _more(node, rest)] if rest else below}

    def _node(self, node: int) -> Node:
        rows, leaf = int(self.rows[node]), is_leaf(self.tree, node)
        facts, meaning = counted(rows, "row"), "rows of the table with this value"
        if not leaf:
            values = int(self.tree.highs[node] - self.tree.lows[node]) + 1
            facts = f"{counted(values, 'value')} · {facts}"
            meaning = "values of the tree in this group, and rows of the table with one of them"
        drawn = {"id": node, "label": self.tree.labels[node], "facts": facts, "meaning": meaning}
        return drawn | {"empty": rows == 0, "leaf": leaf}


def _more(node: int, rest: int) -> Node:
    return {"id": f"more:{node}", "label": f"… {rest:,} more", "more": node, "noTick": True, "tickable": False}


def _filler(node: int) -> Node:
    """Return a placeholder below a closed group, so that it can be opened."""
    return {"id": f"closed:{node}", "label": "…", "noTick": True, "tickable": False}
