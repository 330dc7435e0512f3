"""What the spellings of hierarchies mean, written anew: (parameter, values with their counts) -> paths."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections import Counter
from datetime import date
from fractions import Fraction
from math import floor

from soak.columns import NUMBER


def flat(_, counts):
    return {value: ["*"] for value in counts}


def prefix(_, counts):
    longest = max(1, *map(len, counts))
    root = "*" * longest if all(len(value) == longest for value in counts) else "*"
    found = {}
    for value in counts:
        hidden = dict.fromkeys(min(step, len(value)) for step in range(1, longest))
        forms = [(value[: len(value) - many], many) for many in hidden if many]
        shown = [start + "*" * many for start, many in forms if start or "*" * many != root]
        found[value] = [*shown, root]
    return found


def intervals(parameter, counts):
    widths, _, origin = parameter.partition("@")
    widths, origin = [Fraction(width) for width in widths.split(",")], Fraction(origin or 0)
    whole = all(number.denominator == 1 for number in [*widths, origin, *map(Fraction, counts)])
    found = {}
    for value in counts:
        lows = [(origin + floor((Fraction(value) - origin) / width) * width, width) for width in widths]
        found[value] = [*(_range(low, low + width, whole=whole) for low, width in lows), "*"]
    return found


def cuts(parameter, counts):
    levels = [[Fraction(bound) for bound in level.split(",")] for level in parameter.split("/")]
    whole = all(number.denominator == 1 for number in [*levels[0], *map(Fraction, counts)])
    found = {}
    for value in counts:
        labels = []
        for level in levels:
            place = bisect_right(level, Fraction(value))
            if place == 0:
                labels.append(f"< {_number(level[0])}")
            elif place == len(level):
                labels.append(f">= {_number(level[-1])}")
            else:
                labels.append(_range(level[place - 1], level[place], whole=whole))
        found[value] = [*labels, "*"]
    return found


def _range(low, high, *, whole):
    return f"{_number(low)}-{_number(high - 1)}" if whole else f"[{_number(low)},{_number(high)})"


def _number(number):
    return str(number) if number.denominator == 1 else repr(float(number))


def dates(_, counts):
    found = {}
    for value in counts:
        day = date.fromisoformat(value)
        quarter = f"{day.year}-Q{(day.month + 2) // 3}"
        found[value] = [value[:7], quarter, str(day.year), f"{day.year // 10 * 10}s", "*"]
    return found


def by_order(parameter, counts):
    fanout, values = int(parameter or 2), in_order(counts)
    found = {}
    for place, value in enumerate(values):
        groups, width = {}, fanout
        while width < len(values):
            first = place // width * width
            last = min(first + width, len(values)) - 1
            if first < last:
                groups[first, last] = f"{values[first]} - {values[last]}"
            width *= fanout
        found[value] = [*groups.values(), "*"]
    return found


def by_frequency(parameter, counts):
    fanout = int(parameter or 2)
    values = sorted(counts, key=lambda value: (-counts[value], value))
    heap = [(counts[value], -at, [value]) for at, value in enumerate(values)]
    heapq.heapify(heap)
    found, number = {value: [] for value in values}, len(values)
    width = (len(values) - 2) % (fanout - 1) + 2 if len(values) > 1 else 1
    while len(heap) > 1 or number == 1 == len(values):
        rarest = [heapq.heappop(heap) for _ in range(min(width, len(heap)))]
        joined = sorted(value for _, _, members in rarest for value in members)
        label = " | ".join(joined) if len(joined) <= 4 else f"{joined[0]} | … | {joined[-1]} ({len(joined)} values)"
        for value in joined:
            found[value].append(label if heap else "*")
        heapq.heappush(heap, (sum(count for count, _, _ in rarest), -number, joined))
        number, width = number + 1, fanout
    return found


BUILDERS = {
    "flat": flat,
    "prefix": prefix,
    "intervals": intervals,
    "cuts": cuts,
    "dates": dates,
    "by-order": by_order,
    "by-frequency": by_frequency,
}


def in_order(values):
    """Numbers by their size, other values by their text."""
    if all(NUMBER.fullmatch(value) for value in values):
        return sorted(values, key=Fraction)  # of several spellings the first comes first
    return sorted(values)


def counted(texts):
    """The values that are there with their counts."""
    return Counter(text for text in texts if text is not None)
