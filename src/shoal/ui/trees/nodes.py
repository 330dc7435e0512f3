"""The part of a tree that is drawn: opened groups, the first children of each, or what a filter finds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import shoal
from shoal.ui.trees.edits import children_of, is_leaf
from shoal.ui.trees.facts import counted

STEP = 200  # children of one group that are drawn, and added by "more"
MOST = 2_000  # nodes that are drawn at all
DEEPEST = 50  # levels that are drawn

Node = dict[str, Any]


class TreeNodes:
    """A tree with the rows of each node, from which the drawn part is taken."""

    def __init__(self, tree: shoal.Hierarchy, rows: NDArray[np.int64]) -> None:
        self.tree = tree
        self.rows = rows
        self.children = children_of(tree)
        self.folded = [label.casefold() for label in tree.labels]

    def drawn(self, *, opened: Collection[int], shown: Mapping[int, int]) -> list[Node]:
        """The root with what is opened below it; `shown` has the numbers of children asked for by "more"."""
        return [self._branch(0, opened, shown, left=[MOST])]

    def found(
        self, text: str, *, opened: Collection[int], shown: Mapping[int, int]
    ) -> tuple[list[Node], list[int], int]:
        """What holds the text in its label, under its groups; the groups on the way; how many are not drawn."""
        wanted = text.strip().casefold()
        hits = [node for node, label in enumerate(self.folded) if wanted in label and node]
        picked: dict[int, Node] = {0: self._node(0)}
        if not hits:
            return [picked[0]], [], 0
        for hit in hits[:STEP]:
            for node in self._way_down(hit) if self.tree.depths[hit] <= DEEPEST else ():
                if node not in picked:
                    picked[node] = self._node(node)
                    picked[int(self.tree.parents[node])].setdefault("children", []).append(picked[node])
        on_the_way = [node for node, drawn in picked.items() if "children" in drawn]
        left = [MOST]
        for node in picked.keys() - set(on_the_way):
            picked[node].update(self._branch(node, opened, shown, left))
        return [picked[0]], on_the_way, max(0, len(hits) - STEP)

    def _branch(self, node: int, opened: Collection[int], shown: Mapping[int, int], left: list[int]) -> Node:
        """A node with its opened children; `left` is the number of nodes that may still be drawn."""
        here = self._node(node)
        if not self.children[node]:
            return here
        if node not in opened or self.tree.depths[node] >= DEEPEST or left[0] <= 0:
            return here | {"children": [_filler(node)]}
        drawn = self.children[node][: min(shown.get(node, STEP), left[0])]
        left[0] -= len(drawn)
        below = [self._branch(child, opened, shown, left) for child in drawn]
        rest = len(self.children[node]) - len(drawn)
        return here | {"children": [*below, _more(node, rest)] if rest else below}

    def _way_down(self, node: int) -> list[int]:
        way = []
        while node:
            way.append(node)
            node = int(self.tree.parents[node])
        return way[::-1]

    def _node(self, node: int) -> Node:
        rows, leaf = int(self.rows[node]), is_leaf(self.tree, node)
        facts, meaning = counted(rows, "row"), "rows of the table that have this value"
        if not leaf:
            values = int(self.tree.highs[node] - self.tree.lows[node]) + 1
            facts = f"{counted(values, 'value')} · {facts}"
            meaning = "values that the tree has under this group, and rows of the table that have one of them"
        drawn = {"id": node, "label": self.tree.labels[node], "facts": facts, "meaning": meaning}
        return drawn | {"empty": rows == 0, "leaf": leaf}


def _more(node: int, rest: int) -> Node:
    return {"id": f"more:{node}", "label": f"… {rest:,} more", "more": node, "noTick": True, "tickable": False}


def _filler(node: int) -> Node:
    """What stands below a closed group, so that it can be opened."""
    return {"id": f"closed:{node}", "label": "…", "noTick": True, "tickable": False}
