"""A tree from the path of each value, and the checks that several builders share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from shoal.data.tree import Nodes
from shoal.errors import HierarchyError

Step = tuple[Hashable, str]  # what distinguishes a group from its siblings, and its label


def nodes_of(paths: Iterable[tuple[str, list[Step]]], *, root: str = "*") -> Nodes:
    """Build the tree of (value, its groups from the lowest to the highest) under one root."""
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
    check_values(len(labels) - 1)
    return Nodes(labels, parents)


def check_values(count: int) -> None:
    """Raise HierarchyError if there are no values to build a tree of."""
    if not count:
        raise HierarchyError("A hierarchy needs at least one value, and none was given.")


def check_fanout(fanout: int) -> None:
    """Raise HierarchyError unless a group joins at least two members."""
    if fanout < 2:
        raise HierarchyError(f"The fanout {fanout} is too small: a group needs at least 2 members.")
