"""A tree from the path of each value: what the builders have in common."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from shoal.data.hierarchy import Hierarchy
from shoal.errors import HierarchyError

Step = tuple[Hashable, str]  # what tells a group from its siblings, and its label


def tree(paths: Iterable[tuple[str, list[Step]]], *, root: str = "*") -> Hierarchy:
    """The tree of (value, its groups from the lowest to the highest) under one root."""
    labels, parents = [root], [-1]
    groups: dict[tuple[int, Hashable], int] = {}
    for value, steps in paths:
        parent = 0
        for key, label in reversed(steps):
            place = (parent, key)
            if place not in groups:
                groups[place] = len(labels)
                labels.append(label)
                parents.append(parent)
            parent = groups[place]
        labels.append(value)
        parents.append(parent)
    if len(labels) == 1:
        raise HierarchyError("A hierarchy needs at least one value, and none was given.")
    return Hierarchy.from_parents(labels, parents)
