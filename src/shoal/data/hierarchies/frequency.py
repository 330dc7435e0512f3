"""Frequency-based: the rarest values are grouped first, as in Huffman's code (Huffman 1952)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Any, NamedTuple

from shoal.data.hierarchies.paths import check_fanout, check_values
from shoal.data.style import named
from shoal.data.tree import Nodes
from shoal.errors import HierarchyError

MAX_NAMED = 4  # a group of more values is not spelled out


def build(counts: Mapping[Any, int], *, fanout: int) -> Nodes:
    """Join the `fanout` rarest groups again and again until one is left."""
    if not isinstance(counts, Mapping):
        raise HierarchyError(f"The frequencies {counts!r} must be a dictionary of values and counts.")
    check_fanout(fanout)
    counts = _by_text(counts)
    check_values(len(counts))
    labels = sorted(counts, key=lambda value: (-counts[value], value))
    members = [_Members(1, [label]) for label in labels]
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
        joined = _Members.of([members[child] for _, _, child in rarest])
        members.append(joined)
        labels.append(str(joined) if heap else "*")
        parents.append(-1)
        heapq.heappush(heap, (sum(count for count, _, _ in rarest), -node, node))
        width = fanout
    return Nodes(labels, parents)


def _by_text(counts: Mapping[Any, int]) -> dict[str, int]:
    summed: dict[str, int] = {}
    for value, label in named(counts):
        summed[label] = summed.get(label, 0) + counts[value]
    return summed


class _Members(NamedTuple):
    """The values of a group: all of them if they are spelled out, otherwise their number, the first and the last."""

    size: int
    values: list[str]

    @classmethod
    def of(cls, groups: list[_Members]) -> _Members:
        """Combine the values of several groups."""
        values = sorted(value for group in groups for value in group.values)
        size = sum(group.size for group in groups)
        return cls(size, values if size <= MAX_NAMED else [values[0], values[-1]])

    def __str__(self) -> str:
        if self.size <= MAX_NAMED:
            return " | ".join(self.values)
        return f"{self.values[0]} | … | {self.values[-1]} ({self.size} values)"
