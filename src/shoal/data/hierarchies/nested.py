"""Nested groups, as they stand in a program or a configuration file: `{"Higher": ["Bachelors", "Masters"], …}`."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from reprlib import repr as shortened  # a value may be too deep for Python's own
from typing import Any

from shoal.data.hierarchy import Hierarchy
from shoal.data.style import text
from shoal.errors import HierarchyError


def build(groups: Any, *, root: str) -> Hierarchy:
    """The tree of groups within groups under `root`; where one group holds all, it is the root itself."""
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
    if len(labels) == 1:
        raise HierarchyError("A hierarchy needs at least one value, and none was given.")
    return Hierarchy.from_parents(labels, parents)


def _members(content: Any) -> list[tuple[str, Any]]:
    """The groups and values directly in a group, each with what it holds itself."""
    if isinstance(content, Mapping):
        return [(text(label), below) for label, below in content.items()]
    if isinstance(content, list | tuple):
        return [
            member for one in content for member in (_members(one) if isinstance(one, Mapping) else [(_value(one), ())])
        ]
    return [(_value(content), ())]


def _value(value: object) -> str:
    if value is None or isinstance(value, list | tuple):
        raise HierarchyError(
            f"{shortened(value)} is no value of a tree: write values and groups such as {{'Higher': ['BSc']}}."
        )
    return text(value)
