"""Order-based: neighbours in a given order are grouped, level upon level."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.errors import HierarchyError
from shoal.hierarchies.paths import Step, tree
from shoal.hierarchy import Hierarchy
from shoal.labels import text


def build(values: Iterable[object], *, fanout: int) -> Hierarchy:
    """The tree whose groups hold `fanout` neighbours each, labelled `first - last`."""
    if fanout < 2:
        raise HierarchyError(f"The fanout {fanout} is too small: a group needs at least 2 members.")
    labels = list(dict.fromkeys(text(value) for value in values))

    def groups(place: int) -> list[Step]:
        steps: list[Step] = []
        width = fanout
        while width < len(labels):
            first = place // width * width
            last = min(first + width, len(labels)) - 1
            if last > first:
                steps.append((first, f"{labels[first]} - {labels[last]}"))
            width *= fanout
        return list({label: (key, label) for key, label in steps}.values())

    return tree((label, groups(place)) for place, label in enumerate(labels))
