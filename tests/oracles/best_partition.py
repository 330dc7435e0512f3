"""The best of all ways to put a few rows into classes, by looking at each of them."""

from __future__ import annotations


def partitions(rows, smallest):
    """All ways to put the rows into classes of so many rows at least."""
    if not rows:
        yield []
        return
    first, *others = rows
    for choice in range(2 ** len(others)):
        own = [first, *(row for place, row in enumerate(others) if choice >> place & 1)]
        left = [row for row in others if row not in own]
        if len(own) >= smallest and (not left or len(left) >= smallest):
            for rest in partitions(left, smallest):
                yield [own, *rest]


def least(rows, smallest, cost, satisfied=lambda cluster: True):
    """The lowest sum of what classes cost that each satisfy the model; None if there is no such way."""
    sums = (sum(map(cost, one)) for one in partitions(list(rows), smallest) if all(map(satisfied, one)))
    return min(sums, default=None)
