"""Intervals: numbers in ranges of growing widths, as in the USTC lab (5, 10, 20, then everything)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor

from shoal.errors import HierarchyError
from shoal.hierarchies.paths import Step, tree
from shoal.hierarchy import Hierarchy
from shoal.labels import distinct, text

# A number as people write it; 3/4 and 1_000 are none.
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


def build(values: Iterable[object], *, widths: Sequence[float | str], origin: float | str, style: str) -> Hierarchy:
    """The tree of ranges [origin + i·width, origin + (i+1)·width) for each width, under `*`.

    `style` is a pattern with {low} and {high} (the first number after the range) or {last} (the last whole number
    in it); without one, whole numbers are written `20-24` and others `[20,25)`.
    """
    if isinstance(widths, str) or not isinstance(widths, Sequence):
        raise HierarchyError(f"The interval widths {widths!r} must be a list, such as [5, 10, 20].")
    start = _number(origin, "origin")
    exact = sorted((_number(label, "value"), label) for label in distinct(values))
    sizes = [_number(width, "width") for width in widths]
    if any(size <= 0 for size in sizes):
        raise HierarchyError(f"The interval widths {', '.join(map(str, widths))} must be above 0.")
    if any(wider <= size or (wider / size).denominator != 1 for size, wider in pairwise(sizes)):
        raise HierarchyError(
            f"The interval widths {', '.join(map(str, widths))} do not nest: "
            f"each must be a multiple of the one before, and wider."
        )
    whole = all(number.denominator == 1 for number in [start, *sizes, *(value for value, _ in exact)])
    pattern = style or ("{low}-{last}" if whole else "[{low},{high})")
    if not any(name in pattern for name in ("{low}", "{high}", "{last}")):
        raise HierarchyError(f"The label style {style!r} must contain {{low}}, as in '{{low}}-{{last}}'.")
    if "{last}" in pattern and not whole:
        raise HierarchyError(f"The label style {style!r} needs whole numbers: write {{high}} in place of {{last}}.")

    def groups(value: Fraction) -> list[Step]:
        steps: list[Step] = []
        for size in sizes:
            low = start + floor((value - start) / size) * size
            steps.append((low, _label(pattern, low, size)))
        return steps

    return tree((label, groups(value)) for value, label in exact)


def _label(pattern: str, low: Fraction, width: Fraction) -> str:
    bounds = {"{low}": low, "{high}": low + width, "{last}": low + width - 1}
    for name, bound in bounds.items():
        pattern = pattern.replace(name, str(bound) if bound.denominator == 1 else text(float(bound)))
    return pattern


def _number(value: object, what: str) -> Fraction:
    number = text(value).strip()
    if not NUMBER.fullmatch(number):
        hint = "mend it, or name it as missing" if what == "value" else "write one such as 5 or 0.5"
        raise HierarchyError(f"The interval {what} {value!r} is not a number: {hint}.")
    return Fraction(number)
