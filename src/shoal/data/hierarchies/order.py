"""Order-based: neighbours in a given order grouped level upon level."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.data.hierarchies.paths import Step, check_fanout, nodes_of
from shoal.data.style import distinct
from shoal.data.tree import Nodes


def build(values: Iterable[object], *, fanout: int) -> Nodes:
    """Build the tree whose groups hold `fanout` neighbours each, labelled `first - last`."""
    check_fanout(fanout)
    labels = distinct(values)

    def groups(place: int) -> list[Step]:
        ends: list[tuple[int, int]] = []
        width = fanout
        while width < len(labels):
            first = place // width * width
            ends.append((first, min(first + width, len(labels)) - 1))
            width *= fanout
        # At the end of the order, the groups of several levels may be the same.
        different = dict.fromkeys((first, last) for first, last in ends if first < last)
        return [((first, last), f"{labels[first]} - {labels[last]}") for first, last in different]

    return nodes_of((label, groups(place)) for place, label in enumerate(labels))
