"""Who is in the classes of a release, counted one row at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any


def fewest_people(classes: Sequence[int], people: Sequence[Any]) -> int:
    """Return the smallest number of different people in a class; None is a person of its own in each row."""
    members: dict[int, set[Any]] = defaultdict(set)
    for row, (number, person) in enumerate(zip(classes, people, strict=True)):
        if number >= 0:
            members[number].add(("row", row) if person is None else ("person", person))
    return min(len(people) for people in members.values())


def tally(values: Sequence[Any], missing: Sequence[Any]) -> tuple[int, int, int]:
    """Return the rows that have a value, the different values, and those of them that a single row has."""
    counts = Counter(value for value in values if value is not None and value not in missing)
    return sum(counts.values()), len(counts), sum(count == 1 for count in counts.values())
