"""Flat: each value directly under the root."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.data.hierarchies.paths import nodes_of
from shoal.data.style import distinct
from shoal.data.tree import Nodes


def build(values: Iterable[object], *, root: str) -> Nodes:
    """Build the tree of height one over the distinct values, in their order."""
    return nodes_of(((label, []) for label in distinct(values)), root=root)
