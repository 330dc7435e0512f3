"""Own bounds of a column of numbers: levels of bounds, the finest first, each level keeping some of those before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

import shoal
from shoal.ui.charts.histogram import Histogram, text_of
from shoal.ui.trees.ways import NUMBER, parts

Level = tuple[Decimal, ...]
Levels = tuple[Level, ...]


def read_level(text: str) -> Level:
    """The bounds that were typed, in ascending order.

    >>> read_level("45, 18;30")
    (Decimal('18'), Decimal('30'), Decimal('45'))
    """
    typed = parts(text)
    wrong = next((part for part in typed if not NUMBER.fullmatch(part)), None)
    if wrong is not None:
        raise shoal.InputError(f"{wrong!r} is not a number: type bounds such as 18, 30, 45.")
    if not typed:
        raise shoal.InputError("There is no bound: type one or more, such as 18, 30, 45.")
    return tuple(sorted({Decimal(part) for part in typed}))


def check_nested(levels: Levels) -> None:
    """Refuse a bound that the level before does not have, and a level with all of its bounds."""
    for place in range(1, len(levels)):
        extra = next((bound for bound in levels[place] if bound not in levels[place - 1]), None)
        if extra is not None:
            raise shoal.InputError(
                f"Level {place + 1} has the bound {text_of(extra)}, which level {place} has not: "
                f"add it there, or remove it here."
            )
        if levels[place] == levels[place - 1]:
            raise shoal.InputError(f"Level {place + 1} has all bounds of level {place}: leave out one or more.")


def write_level(level: Level) -> str:
    """Bounds as they are typed: `18, 30, 45`."""
    return ", ".join(map(text_of, level))


def spelling(levels: Levels) -> str:
    """The short spelling: `cuts:18,30,45/30`."""
    return "cuts:" + "/".join(",".join(map(text_of, level)) for level in levels)


def read_spelling(text: str) -> Levels:
    """The levels of a short spelling."""
    return tuple(read_level(level) for level in text.removeprefix("cuts:").split("/"))


def first_bounds(counts: Mapping[str, int], shape: Histogram) -> Levels:
    """Bounds to begin with: the quarters of the rows, and their half as the second level."""
    numbers = sorted((float(value), rows) for value, rows in counts.items())
    total = sum(rows for _, rows in numbers)
    quarters: list[Decimal] = []
    seen, low = 0, numbers[0][0]
    for number, rows in numbers:
        # The number that a quarter of the rows lies below begins the next range.
        if len(quarters) < 3 and seen >= total * (len(quarters) + 1) / 4 and number > low:
            quarters.append(shape.number_at(shape.x_of(number)))
        seen += rows
    found = tuple(sorted(set(quarters))) or (shape.number_at(shape.x_of(numbers[-1][0])),)
    return (found, (found[len(found) // 2],)) if len(found) > 2 else (found,)


def moved(levels: Levels, place: int, to: Decimal) -> Levels:
    """The bounds with one of level 1 elsewhere, but not past its neighbours; higher levels that have it follow."""
    first = levels[0]
    lower = first[place - 1] if place else None
    upper = first[place + 1] if place + 1 < len(first) else None
    if (lower is not None and to <= lower) or (upper is not None and to >= upper):
        return levels
    return tuple(tuple(to if bound == first[place] else bound for bound in level) for level in levels)


def with_bound(levels: Levels, bound: Decimal) -> Levels:
    """The bounds with one more at level 1."""
    return (tuple(sorted({*levels[0], bound})), *levels[1:])


def without_bound(levels: Levels, place: int) -> Levels:
    """The bounds without one of level 1, at no level; levels that would be empty or repeat go."""
    gone = levels[0][place]
    left = tuple(tuple(bound for bound in level if bound != gone) for level in levels)
    if not left[0]:
        raise shoal.InputError("One bound has to stay: choose another way if you want no ranges.")
    return tuple(level for level in dict.fromkeys(left) if level)


def with_level(levels: Levels) -> Levels:
    """The bounds with one more level: every second bound of the last one."""
    last = levels[-1]
    if len(last) < 2:
        raise shoal.InputError(f"Level {len(levels)} has one bound only: a coarser level needs fewer.")
    return (*levels, last[1::2])


def widest_split(counts: Mapping[str, int], shape: Histogram, levels: Sequence[Sequence[Decimal]]) -> Decimal | None:
    """Where one more bound halves the range with the most rows, if one can be halved."""
    edges = [float("-inf"), *map(float, levels[0]), float("inf")]
    numbers = sorted((float(value), rows) for value, rows in counts.items())
    ranges = [[(number, rows) for number, rows in numbers if low <= number < high] for low, high in pairwise(edges)]
    for held in sorted(ranges, key=lambda held: -sum(rows for _, rows in held)):
        half, seen = sum(rows for _, rows in held) / 2, 0
        for number, rows in held:
            bound = shape.number_at(shape.x_of(number))
            if seen and (seen >= half or number == held[-1][0]) and bound not in levels[0]:
                return bound
            seen += rows
    return None
