"""Intervals: numbers in ranges of growing widths, as in the USTC lab (5, 10, 20, then everything)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor

from shoal.data.hierarchies.numbers import exact, pattern_of, range_label
from shoal.data.hierarchies.paths import Step, nodes_of
from shoal.data.style import distinct
from shoal.data.tree import Nodes
from shoal.errors import HierarchyError


def build(values: Iterable[object], *, widths: Sequence[float | str], origin: float | str, style: str) -> Nodes:
    """Build the tree of ranges [origin + i·width, origin + (i+1)·width) for each width, under `*`.

    `style` is a pattern with {low} and {high} (the first number after the range) or {last} (the last whole number
    in it); by default, whole numbers are written `20-24` and others `[20,25)`.
    """
    if isinstance(widths, str) or not isinstance(widths, Sequence):
        raise HierarchyError(f"The interval widths {widths!r} must be a list, such as [5, 10, 20].")
    start = exact(origin, "interval origin")
    numbers = sorted((exact(label, "interval value"), label) for label in distinct(values))
    sizes = [exact(width, "interval width") for width in widths]
    if any(size <= 0 for size in sizes):
        raise HierarchyError(f"The interval widths {', '.join(map(str, widths))} must be above 0.")
    if any(wider <= size or (wider / size).denominator != 1 for size, wider in pairwise(sizes)):
        raise HierarchyError(
            f"The interval widths {', '.join(map(str, widths))} do not nest: "
            f"each must be a multiple of the one before, and wider."
        )
    pattern = pattern_of(style, [start, *sizes, *(value for value, _ in numbers)])

    def groups(value: Fraction) -> list[Step]:
        lows = [start + floor((value - start) / size) * size for size in sizes]
        return [(low, range_label(pattern, low, low + size)) for low, size in zip(lows, sizes, strict=True)]

    return nodes_of((label, groups(value)) for value, label in numbers)
