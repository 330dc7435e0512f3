"""Frequency-based: the rarest values are grouped first, as in Huffman's code (Huffman 1952)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Any

from shoal.errors import HierarchyError
from shoal.hierarchy import Hierarchy
from shoal.labels import named

NAMED = 4  # a group of more values is not spelled out


def build(counts: Mapping[Any, int], *, fanout: int) -> Hierarchy:
    """The tree that joins the `fanout` rarest groups again and again until one is left."""
    if not isinstance(counts, Mapping):
        raise HierarchyError(f"Frequencies are given as a dictionary of values and counts, not {counts!r}.")
    if fanout < 2:
        raise HierarchyError(f"The fanout {fanout} is too small: a group needs at least 2 members.")
    counts = _by_text(counts)
    if not counts:
        raise HierarchyError("A hierarchy needs at least one value, and none was given.")
    labels = sorted(counts, key=lambda value: (-counts[value], value))
    members = [[label] for label in labels]
    parents = [-1] * len(labels)
    heap = [(counts[label], -node, node) for node, label in enumerate(labels)]
    heapq.heapify(heap)
    # The first join may be smaller, so that the last one is full.
    width = (len(labels) - 2) % (fanout - 1) + 2 if len(labels) > 1 else 1
    while len(heap) > 1 or len(labels) == 1:
        rarest = [heapq.heappop(heap) for _ in range(min(width, len(heap)))]
        node = len(labels)
        for _, _, child in rarest:
            parents[child] = node
        joined = sorted(value for _, _, child in rarest for value in members[child])
        members.append(joined)
        labels.append(_label(joined) if heap else "*")
        parents.append(-1)
        heapq.heappush(heap, (sum(count for count, _, _ in rarest), -node, node))
        width = fanout
    return Hierarchy.from_parents(labels, parents)


def _by_text(counts: Mapping[Any, int]) -> dict[str, int]:
    summed: dict[str, int] = {}
    for value, label in named(counts):
        summed[label] = summed.get(label, 0) + counts[value]
    return summed


def _label(values: list[str]) -> str:
    if len(values) <= NAMED:
        return " | ".join(values)
    return f"{values[0]} | … | {values[-1]} ({len(values)} values)"
