"""Cuts: numbers grouped between given bounds, level upon level, such as age groups."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from shoal.data.hierarchies.numbers import exact, pattern_of, range_label, written
from shoal.data.hierarchies.paths import Step, nodes_of
from shoal.data.style import distinct
from shoal.data.tree import Nodes
from shoal.errors import HierarchyError


def build(values: Iterable[object], *, bounds: Sequence[Sequence[float | str]], style: str) -> Nodes:
    """Build the tree of ranges below the first bound, from one bound up to the next, and from the last on, under `*`.

    `style` is a pattern as for intervals, used for the ranges with two ends.
    """
    numbers = sorted((exact(label, "value"), label) for label in distinct(values))
    levels = _levels(bounds)
    pattern = pattern_of(style, [*levels[0], *(value for value, _ in numbers)])

    def groups(value: Fraction) -> list[Step]:
        places = [bisect_right(level, value) for level in levels]
        return [(place, _label(pattern, level, place)) for level, place in zip(levels, places, strict=True)]

    return nodes_of((label, groups(value)) for value, label in numbers)


def _levels(bounds: Sequence[Sequence[float | str]]) -> list[list[Fraction]]:
    """Return the bounds of each level as numbers; raise HierarchyError if they do not ascend or nest."""
    if not bounds or not all(isinstance(level, list | tuple) and level for level in bounds):
        problem = f"The bounds {bounds!r} must be lists of numbers, one for each level"
        raise HierarchyError(f"{problem}: [[18, 30, 65], [30]].")
    levels = [[exact(bound, "bound") for bound in level] for level in bounds]
    for level, raw in zip(levels, bounds, strict=True):
        if any(high <= low for low, high in pairwise(level)):
            raise HierarchyError(f"The bounds {_listed(raw)} do not ascend: write the smallest first, each once.")
    for (finer, coarser), raw in zip(pairwise(levels), bounds[1:], strict=True):
        new = [bound for bound in coarser if bound not in finer]
        if new:
            raise HierarchyError(
                f"The bounds {_listed(raw)} do not nest: {written(new[0])} is not a bound of the level before, "
                f"{', '.join(map(written, finer))}."
            )
        if len(coarser) == len(finer):
            raise HierarchyError(f"The bounds {_listed(raw)} are those of the level before: leave out one level.")
    return levels


def _label(pattern: str, level: list[Fraction], place: int) -> str:
    if place == 0:
        return f"< {written(level[0])}"
    if place == len(level):
        return f">= {written(level[-1])}"
    return range_label(pattern, level[place - 1], level[place])


def _listed(bounds: Sequence[float | str]) -> str:
    return ", ".join(map(str, bounds))
