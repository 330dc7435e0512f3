"""Intervals: numbers in ranges of growing widths, as in the USTC lab (5, 10, 20, then everything)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor

from shoal.errors import HierarchyError
from shoal.hierarchies.paths import Step, tree
from shoal.hierarchy import Hierarchy
from shoal.labels import text


def build(values: Iterable[object], *, widths: Sequence[float | str], origin: float | str, style: str) -> Hierarchy:
    """The tree of ranges [origin + i·width, origin + (i+1)·width) for each width, under `*`.

    `style` is a pattern with {low} and {high} (the first number after the range) or {last} (the last whole number
    in it); without one, whole numbers are written `20-24` and others `[20,25)`.
    """
    start = _number(origin, "origin")
    exact = sorted((_number(text(value), "value"), text(value)) for value in dict.fromkeys(values))
    sizes = [_number(width, "width") for width in widths]
    for size, wider in zip(sizes, [*sizes[1:], None], strict=True):
        if size <= 0 or (wider is not None and (wider <= size or (wider / size).denominator != 1)):
            raise HierarchyError(
                f"The interval widths {', '.join(map(str, widths))} do not nest: each must be a multiple of the last."
            )
    whole = all(number.denominator == 1 for number in [start, *sizes, *(value for value, _ in exact)])
    pattern = style or ("{low}-{last}" if whole else "[{low},{high})")

    def groups(value: Fraction) -> list[Step]:
        steps: list[Step] = []
        for size in sizes:
            low = start + floor((value - start) / size) * size
            steps.append((low, _label(pattern, low, size)))
        return steps

    return tree((label, [step for step in groups(value) if step[1] != label]) for value, label in exact)


def _label(pattern: str, low: Fraction, width: Fraction) -> str:
    bounds = {"{low}": low, "{high}": low + width, "{last}": low + width - 1}
    for name, bound in bounds.items():
        pattern = pattern.replace(name, text(float(bound)))
    return pattern


def _number(value: object, what: str) -> Fraction:
    try:
        return Fraction(str(value).strip())
    except (ValueError, ZeroDivisionError) as error:
        raise HierarchyError(f"The interval {what} {value!r} is not a number.") from error
