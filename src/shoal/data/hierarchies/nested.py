"""Nested groups, as written in a program or a configuration file: `{"Higher": ["Bachelors", "Masters"], …}`."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from reprlib import repr as shortened  # a value may be too deep for Python's own
from typing import Any

from shoal.data.hierarchies.paths import check_values
from shoal.data.style import text
from shoal.data.tree import Nodes
from shoal.errors import HierarchyError


def build(groups: Any, *, root: str) -> Nodes:
    """Build the tree of groups within groups under `root`; a single group that holds all is the root itself."""
    if isinstance(groups, Mapping) and len(groups) == 1:
        (root, groups), *_ = groups.items()
    labels, parents = [root], [-1]
    waiting = deque([(0, groups)])
    while waiting:
        parent, content = waiting.popleft()
        for label, below in _members(content):
            labels.append(label)
            parents.append(parent)
            waiting.append((len(labels) - 1, below))
    check_values(len(labels) - 1)
    return Nodes(labels, parents)


def _members(content: Any) -> list[tuple[str, Any]]:
    """List the groups and values directly in a group, each with its own members."""
    if isinstance(content, Mapping):
        return [(text(label), below) for label, below in content.items()]
    if isinstance(content, list | tuple):
        return [
            member
            for item in content
            for member in (_members(item) if isinstance(item, Mapping) else [(_value(item), ())])
        ]
    return [(_value(content), ())]


def _value(value: object) -> str:
    if value is None or isinstance(value, list | tuple):
        raise HierarchyError(
            f"{shortened(value)} is not a value of a tree: write values and groups such as {{'Higher': ['BSc']}}."
        )
    return text(value)
