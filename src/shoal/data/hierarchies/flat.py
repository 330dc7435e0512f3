"""Flat: each value directly under the root."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.data.hierarchy import Hierarchy
from shoal.data.style import distinct
from shoal.errors import HierarchyError


def build(values: Iterable[object], *, root: str) -> Hierarchy:
    """The tree of height one over the distinct values, in their order."""
    labels = distinct(values)
    if not labels:
        raise HierarchyError("A hierarchy needs at least one value, and none was given.")
    return Hierarchy.from_parents([root, *labels], [-1, *[0] * len(labels)])
