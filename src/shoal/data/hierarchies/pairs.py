"""Pairs: one `child,parent` line per node except the root, in any order.

The format of the USTC lab and of Huang's report.
"""

from __future__ import annotations

from collections import Counter
from os import PathLike

from shoal.data.hierarchies.lines import fields, joined, numbered_lines
from shoal.data.tree import Nodes, Tree
from shoal.errors import HierarchyError


def read(path: str | PathLike[str]) -> Nodes:
    """Read child,parent pairs."""
    parent_of: dict[str, str] = {}
    line_of: dict[str, int] = {}
    for number, row in fields(path, numbered_lines(path)):
        if len(row) != 2:
            raise HierarchyError(f"{path}, line {number}: {row!r} has {len(row)} fields. Write child,parent.")
        child, parent = (field.strip() for field in row)
        if not parent:
            raise HierarchyError(f"{path}, line {number}: {child!r} has a parent without a name. Write child,parent.")
        if child in parent_of and parent_of[child] != parent:
            raise HierarchyError(
                f"{path}, line {number}: {child!r} has two parents, {parent!r} and {parent_of[child]!r} "
                f"(line {line_of[child]}). Keep one."
            )
        if child in parent_of:
            raise HierarchyError(
                f"{path}, line {number}: {child!r} is already in line {line_of[child]}. Remove one of the two."
            )
        parent_of[child], line_of[child] = parent, number
    return _tree(path, parent_of, line_of)


def _tree(path: str | PathLike[str], parent_of: dict[str, str], line_of: dict[str, int]) -> Nodes:
    roots = [label for label in dict.fromkeys(parent_of.values()) if label not in parent_of]
    if len(roots) > 1:
        child = next(label for label, parent in parent_of.items() if parent == roots[1])
        raise HierarchyError(
            f"{path}, line {line_of[child]}: {roots[1]!r} is a second root besides {roots[0]!r}. "
            f"Give one of them a parent."
        )
    reached = set(roots)
    for label in parent_of:
        trail: list[str] = []
        on_trail: set[str] = set()
        while label not in reached:
            if label in on_trail:
                raise HierarchyError(
                    f"{path}, line {line_of[label]}: {label!r} is its own ancestor "
                    f"({' → '.join(_ends([*trail[trail.index(label) :], label]))}). Break the cycle."
                )
            trail.append(label)
            on_trail.add(label)
            label = parent_of[label]
        reached.update(trail)
    labels = [roots[0], *parent_of]
    place = {label: node for node, label in enumerate(labels)}
    return Nodes(labels, [-1, *(place[parent] for parent in parent_of.values())])


def _ends(cycle: list[str], most: int = 8) -> list[str]:
    return cycle if len(cycle) <= most else [*cycle[: most // 2], "…", *cycle[-most // 2 :]]


def render(tree: Tree) -> str:
    """Write the tree as child,parent lines, parents before their children."""
    label, count = Counter(tree.labels).most_common(1)[0]
    if count > 1:
        raise HierarchyError(
            f"The label {label!r} appears {count} times, which pairs cannot distinguish: write a tab tree instead."
        )
    if len(tree.labels) == 1:
        raise HierarchyError(f"A tree of one label ({label!r}) has no pairs: write a tab tree instead.")
    pairs = zip(tree.labels[1:], tree.parents[1:].tolist(), strict=True)
    return "".join(joined([label, tree.labels[parent]], ",") for label, parent in pairs)
