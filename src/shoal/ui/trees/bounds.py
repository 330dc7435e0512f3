"""Custom bounds of a numeric column, level by level, the finest first; each level keeps some of the previous one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

import shoal
from shoal.ui.charts.histogram import Histogram, text_of
from shoal.ui.trees.methods import NUMBER, parts

Level = tuple[Decimal, ...]
Levels = tuple[Level, ...]


def read_level(text: str) -> Level:
    """Parse typed bounds, in ascending order.

    >>> read_level("45, 18;30")
    (Decimal('18'), Decimal('30'), Decimal('45'))
    """
    typed = parts(text)
    invalid = next((part for part in typed if not NUMBER.fullmatch(part)), None)
    if invalid is not None:
        raise shoal.InputError(f"{invalid!r} is not a number: type bounds such as 18, 30, 45.")
    if not typed:
        raise shoal.InputError("There is no bound: type one or more, such as 18, 30, 45.")
    return tuple(sorted({Decimal(part) for part in typed}))


def check_nested(levels: Levels) -> None:
    """Refuse a bound that the previous level lacks, and a level that equals the previous one."""
    for place in range(1, len(levels)):
        extra = next((bound for bound in levels[place] if bound not in levels[place - 1]), None)
        if extra is not None:
            raise shoal.InputError(
                f"Level {place + 1} has the bound {text_of(extra)}, which level {place} does not have: "
                f"add it there, or remove it here."
            )
        if levels[place] == levels[place - 1]:
            raise shoal.InputError(f"Level {place + 1} has all bounds of level {place}: leave out one or more.")


def write_level(level: Level) -> str:
    """Write bounds as they are typed: `18, 30, 45`."""
    return ", ".join(map(text_of, level))


def spelling(levels: Levels) -> str:
    """Return the hierarchy as a user writes it, such as `cuts:18,30,45/30`."""
    return "cuts:" + "/".join(",".join(map(text_of, level)) for level in levels)


def read_spelling(text: str) -> Levels:
    """Parse a spelling."""
    return tuple(read_level(level) for level in text.removeprefix("cuts:").split("/"))


def first_bounds(counts: Mapping[str, int], shape: Histogram) -> Levels:
    """Suggest bounds: the quartiles of the rows, and the median as the second level."""
    numbers = sorted((float(value), rows) for value, rows in counts.items())
    total = sum(rows for _, rows in numbers)
    quarters: list[Decimal] = []
    seen, low = 0, numbers[0][0]
    for number, rows in numbers:
        # The number above a quarter of the rows starts the next range.
        if len(quarters) < 3 and seen >= total * (len(quarters) + 1) / 4 and number > low:
            quarters.append(shape.number_at(shape.x_of(number)))
        seen += rows
    bounds = tuple(sorted(set(quarters))) or (shape.number_at(shape.x_of(numbers[-1][0])),)
    return (bounds, (bounds[len(bounds) // 2],)) if len(bounds) > 2 else (bounds,)


def moved(levels: Levels, place: int, to: Decimal) -> Levels:
    """Move a bound of level 1, but not past its neighbours; higher levels with this bound follow."""
    first = levels[0]
    lower = first[place - 1] if place else None
    upper = first[place + 1] if place + 1 < len(first) else None
    if (lower is not None and to <= lower) or (upper is not None and to >= upper):
        return levels
    return tuple(tuple(to if bound == first[place] else bound for bound in level) for level in levels)


def with_bound(levels: Levels, bound: Decimal) -> Levels:
    """Add a bound at level 1."""
    return (tuple(sorted({*levels[0], bound})), *levels[1:])


def without_bound(levels: Levels, place: int) -> Levels:
    """Remove a bound from all levels; levels that become empty or equal are removed."""
    removed = levels[0][place]
    left = tuple(tuple(bound for bound in level if bound != removed) for level in levels)
    if not left[0]:
        raise shoal.InputError("At least one bound is needed: choose another method if you want no ranges.")
    return tuple(level for level in dict.fromkeys(left) if level)


def with_level(levels: Levels) -> Levels:
    """Add a level with every second bound of the last one."""
    last = levels[-1]
    if len(last) < 2:
        raise shoal.InputError(f"Level {len(levels)} has only one bound: a coarser level needs fewer.")
    return (*levels, last[1::2])


def widest_split(counts: Mapping[str, int], shape: Histogram, levels: Sequence[Sequence[Decimal]]) -> Decimal | None:
    """Return a bound that halves the range with the most rows, if any can be halved."""
    edges = [float("-inf"), *map(float, levels[0]), float("inf")]
    numbers = sorted((float(value), rows) for value, rows in counts.items())
    ranges = [[(number, rows) for number, rows in numbers if low <= number < high] for low, high in pairwise(edges)]
    for members in sorted(ranges, key=lambda members: -sum(rows for _, rows in members)):
        half, seen = sum(rows for _, rows in members) / 2, 0
        for number, rows in members:
            bound = shape.number_at(shape.x_of(number))
            if seen and (seen >= half or number == members[-1][0]) and bound not in levels[0]:
                return bound
            seen += rows
    return None
