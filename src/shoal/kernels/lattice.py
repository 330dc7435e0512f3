"""Grouping in a lattice: refine classes by one more attribute, and compute what each of its levels would suppress.

Rows are ordered by class, class `c` from `starts[c]` to `starts[c + 1]`, so that the work on one stays in the cache.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Flags, Floats, Ints, Longs
from shoal.kernels.compiling import compiled


@compiled
def split(starts: Ints, rows: Ints, column: Ints, numbers: Ints, width: int) -> tuple[Ints, Ints]:
    """Split each class by what its rows show of an attribute; return (places of the rows in the new order, starts)."""
    places = np.empty(rows.size, np.int32)
    ends = np.empty(rows.size + 1, np.int32)
    shown = np.empty(rows.size, np.int32)
    count = np.zeros(width, np.int32)
    seen = np.empty(width, np.int32)
    classes = 0
    ends[0] = 0
    for c in range(starts.size - 1):
        kinds = 0
        for i in range(starts[c], starts[c + 1]):
            value = numbers[column[rows[i]]]
            shown[i] = value
            if count[value] == 0:
                seen[kinds] = value
                kinds += 1
            count[value] += 1
        at = starts[c]
        for kind in range(kinds):
            value = seen[kind]
            many = count[value]
            count[value] = at
            at += many
            classes += 1
            ends[classes] = at
        for i in range(starts[c], starts[c + 1]):
            places[count[shown[i]]] = i
            count[shown[i]] += 1
        for kind in range(kinds):
            count[seen[kind]] = 0
    return places, ends[: classes + 1].copy()


@compiled
def add_up(weights: Longs, places: Ints, starts: Ints) -> Longs:
    """Return the total weight of each class."""
    totals = np.zeros(starts.size - 1, np.int64)
    for c in range(totals.size):
        for i in range(starts[c], starts[c + 1]):
            totals[c] += weights[places[i]]
    return totals


@compiled
def merge(places: Ints, starts: Ints, good: Flags, rows: Ints, tails: Ints, numbers: int) -> tuple[Ints, Ints, Ints]:
    """Merge equal rows of good classes; tails number the combinations of their other attributes.

    Return (a row of each, the starts of the classes, for each row its new place, −1 for those of other classes).
    """
    kept = np.empty(rows.size, np.int32)
    ends = np.empty(starts.size, np.int32)
    went = np.full(rows.size, -1, np.int32)
    last = np.full(numbers, -1, np.int32)
    home = np.empty(numbers, np.int32)
    classes, at = 0, 0
    ends[0] = 0
    for c in range(starts.size - 1):
        if good[c]:
            for i in range(starts[c], starts[c + 1]):
                row = rows[places[i]]
                tail = tails[row]
                if last[tail] != c:
                    last[tail] = c
                    home[tail] = at
                    kept[at] = row
                    at += 1
                went[places[i]] = home[tail]
            classes += 1
            ends[classes] = at
    return kept[:at].copy(), ends[: classes + 1].copy(), went


@compiled
def spend(rows: Ints, column: Ints, weights: Longs, cells: Floats, hidden: float, gaps: Floats) -> float:
    """Return what the cells of an attribute cost; add to the gaps how much more they would cost suppressed."""
    total = 0.0
    for i in range(rows.size):
        cost = cells[column[rows[i]]]
        total += weights[i] * cost
        gaps[i] += weights[i] * (hidden - cost)
    return total


@compiled
def lowest_level(starts: Ints, rows: Ints, column: Ints, weights: Longs, shown: Ints, smallest: int, level: int) -> int:
    """Return the lowest level of one more attribute at which no class has a part of fewer than `smallest` rows.

    It is the number of levels if there is none; those below `level` are known to have such parts.
    """
    levels, values = shown.shape
    size = np.zeros(values, np.int64)
    whole = levels - 1  # the level, often the top, that divides no class
    for value in range(values):
        if shown[levels - 1, value] > 0:
            whole = levels
    for c in range(starts.size - 1):
        while level < levels:
            small = False
            if level == whole:
                for i in range(starts[c], starts[c + 1]):
                    size[0] += weights[i]
                small = 0 < size[0] < smallest
                size[0] = 0
            else:
                for i in range(starts[c], starts[c + 1]):
                    size[shown[level, column[rows[i]]]] += weights[i]
                for i in range(starts[c], starts[c + 1]):
                    number = shown[level, column[rows[i]]]
                    small = small or 0 < size[number] < smallest
                    size[number] = 0
            if not small:
                break
            level += 1  # the classes before this one have no small part there either
    return level


@compiled
def look_ahead(
    starts: Ints,
    rows: Ints,
    column: Ints,
    weights: Longs,
    gaps: Floats,
    shown: Ints,
    cells: Floats,
    hidden: float,
    smallest: int,
    most: int,
    entropy: bool,
) -> tuple[Longs, Floats, Floats, Floats]:
    """Compute what each level of one more attribute does to the classes of the others.

    For each level: the rows in classes of fewer than `smallest`, which are suppressed; what the attribute's own cells
    cost (`hidden` for suppressed ones); the sum of the suppressed rows' `gaps`; and, if `entropy` is set, the entropy
    in bits of the attribute's values among the suppressed rows, times their number. A level that suppresses more than
    `most` rows is not examined further.
    """
    levels, values = shown.shape
    gone = np.zeros(levels, np.int64)
    own = np.zeros(levels, np.float64)
    extra = np.zeros(levels, np.float64)
    lost = np.zeros((levels, values if entropy else 0), np.int64)
    # The parts of a class at a level: a value of each, its size and its gap.
    value, size, gap = np.empty(values, np.int32), np.empty(values, np.int64), np.empty(values, np.float64)
    part = np.full(values, -1, np.int32)  # by the number of what is shown
    lowest = 0
    for c in range(starts.size - 1):
        while lowest < levels and gone[lowest] > most:
            lowest += 1
        if lowest == levels:
            break
        parts = 0
        for i in range(starts[c], starts[c + 1]):
            code = column[rows[i]]
            number = shown[lowest, code]
            if part[number] < 0:
                part[number] = parts
                value[parts], size[parts], gap[parts] = code, 0, 0.0
                parts += 1
            size[part[number]] += weights[i]
            gap[part[number]] += gaps[i]
        for level in range(lowest, levels):
            if level > lowest:
                fewer = 0
                for i in range(parts):
                    number = shown[level, value[i]]
                    if part[number] < 0:
                        part[number] = fewer
                        value[fewer], size[fewer], gap[fewer] = value[i], size[i], gap[i]
                        fewer += 1
                    else:
                        size[part[number]] += size[i]
                        gap[part[number]] += gap[i]
                parts = fewer
            for i in range(parts):
                part[shown[level, value[i]]] = -1
                if size[i] >= smallest:
                    own[level] += size[i] * cells[level, value[i]]
                else:
                    gone[level] += size[i]
                    own[level] += size[i] * hidden
                    extra[level] += gap[i]
                    if entropy:
                        lost[level, shown[level, value[i]]] += size[i]
    spread = np.zeros(levels, np.float64)
    if entropy:
        for level in range(levels):
            spread[level] = _times_log2(gone[level])
            for count in lost[level]:
                spread[level] -= _times_log2(count)
    return gone, own, extra, spread


@compiled
def look_ahead_at_values(
    starts: Ints,
    rows: Ints,
    column: Ints,
    weights: Longs,
    gaps: Floats,
    shown: Ints,
    cells: Floats,
    hidden: float,
    smallest: int,
    most: int,
    secret: Ints,
    member_starts: Ints,
    members: Ints,
    caps: Floats,
    least: float,
    last: bool,
) -> tuple[Longs, Floats, Floats]:
    """Compute the same as look_ahead for a model with caps on the values of a sensitive attribute, the `secret`.

    Of each part of a class at least as many rows are suppressed as the caps demand; `caps` has a line of weights and a
    line of limits. If the attribute is the `last`, parts are not divided further and suppressed whole. All rows of a
    class have the same gap, by their weight.
    """
    levels, values = shown.shape
    kinds = member_starts.size - 1
    gone = np.zeros(levels, np.int64)
    own = np.zeros(levels, np.float64)
    extra = np.zeros(levels, np.float64)
    value, size, gap = np.empty(values, np.int32), np.empty(values, np.int64), np.empty(values, np.float64)
    part = np.full(values, -1, np.int32)
    counts = np.zeros((values, kinds), np.int64)
    grouped = np.empty(caps.shape[1], np.int64)
    lowest = 0
    for c in range(starts.size - 1):
        while lowest < levels and gone[lowest] > most:
            lowest += 1
        if lowest == levels:
            break
        parts = 0
        for i in range(starts[c], starts[c + 1]):
            row = rows[i]
            code = column[row]
            number = shown[lowest, code]
            if part[number] < 0:
                part[number] = parts
                value[parts], size[parts], gap[parts] = code, 0, 0.0
                for kind in range(kinds):
                    counts[parts, kind] = 0
                parts += 1
            at = part[number]
            size[at] += weights[i]
            gap[at] += gaps[i]
            counts[at, secret[row]] += weights[i]
        settled = False  # whether all parts can be released whole, as then do those that are joined from them
        for level in range(lowest, levels):
            if level > lowest:
                fewer = 0
                for i in range(parts):
                    number = shown[level, value[i]]
                    if part[number] < 0:
                        part[number] = fewer
                        value[fewer], size[fewer], gap[fewer] = value[i], size[i], gap[i]
                        for kind in range(kinds):
                            counts[fewer, kind] = counts[i, kind]
                        fewer += 1
                    else:
                        at = part[number]
                        size[at] += size[i]
                        gap[at] += gap[i]
                        for kind in range(kinds):
                            counts[at, kind] += counts[i, kind]
                parts = fewer
            whole = True
            for i in range(parts):
                part[shown[level, value[i]]] = -1
                lost = 0
                if not settled:
                    lost = size[i]
                    if size[i] >= smallest:
                        lost -= _releasable(counts[i], size[i], smallest, member_starts, members, caps, least, grouped)
                    if last and lost > 0:
                        lost = size[i]
                    whole = whole and lost == 0
                gone[level] += lost
                own[level] += lost * hidden + (size[i] - lost) * cells[level, value[i]]
                if lost > 0:
                    extra[level] += gap[i] * (lost / size[i])
            settled = settled or whole
    return gone, own, extra


@compiled
def releasable(
    places: Ints,
    starts: Ints,
    rows: Ints,
    weights: Longs,
    smallest: int,
    secret: Ints,
    member_starts: Ints,
    members: Ints,
    caps: Floats,
    least: float,
) -> Flags:
    """Return for each class whether the caps let any of its rows be released."""
    counts = np.zeros(member_starts.size - 1, np.int64)
    grouped = np.empty(caps.shape[1], np.int64)
    some = np.empty(starts.size - 1, np.bool_)
    for c in range(some.size):
        for kind in range(counts.size):
            counts[kind] = 0
        size = 0
        for i in range(starts[c], starts[c + 1]):
            counts[secret[rows[places[i]]]] += weights[places[i]]
            size += weights[places[i]]
        some[c] = _releasable(counts, size, smallest, member_starts, members, caps, least, grouped) >= smallest
    return some


@compiled
def _releasable(
    counts: Longs,
    size: int,
    smallest: int,
    member_starts: Ints,
    members: Ints,
    caps: Floats,
    least: float,
    grouped: Longs,
) -> int:
    """Return the largest n up to `size` with Σ weight · min(count, limit · n) ≥ least · n, or 0 below `smallest`.

    Newton's steps from above never pass the largest n, as the difference of the sides is concave in n and 0 at 0.
    """
    for group in range(grouped.size):
        grouped[group] = 0
    for kind in range(counts.size):
        if counts[kind] > 0:
            for i in range(member_starts[kind], member_starts[kind + 1]):
                grouped[members[i]] += counts[kind]
    n = float(size)
    while True:
        full, rate = 0.0, -least
        for group in range(grouped.size):
            if grouped[group] <= caps[1, group] * n:
                full += caps[0, group] * grouped[group]
            else:
                rate += caps[0, group] * caps[1, group]
        # A little more than the exact n does no harm; a little less, by rounding errors, could hide a solution.
        if full + (rate + 1e-9 * (1 + least)) * n >= 0:
            break
        n = full / -rate
        if n * (1 + 1e-6) + 1e-6 < smallest:
            return 0
    return min(size, int(n * (1 + 1e-6) + 1e-6))


@compiled
def small_classes(
    keys: Longs,
    gaps: Floats,
    column: Ints,
    key_steps: Longs,
    gap_steps: Floats,
    weights: Longs,
    smallest: int,
    slots: Longs,
    place: Ints,
) -> tuple[int, float]:
    """Return the rows in classes of fewer than `smallest` and the sum of their gaps, with one attribute changed.

    Rows with the same key are one class; the attribute's new level adds a step to the key and to the gap of each of its
    values. `slots`, two lines of a power of two, and `place`, one for each row, are room for a hash table.
    """
    last = slots.shape[1] - 1
    for slot in range(last + 1):
        slots[1, slot] = 0
    for i in range(keys.size):
        key = keys[i] + key_steps[column[i]]
        slot = key & last
        while slots[1, slot] > 0 and slots[0, slot] != key:
            slot = (slot + 1) & last
        slots[0, slot] = key
        slots[1, slot] += weights[i]
        place[i] = slot
    gone, extra = 0, 0.0
    for i in range(keys.size):
        if slots[1, place[i]] < smallest:
            gone += weights[i]
            extra += weights[i] * (gaps[i] + gap_steps[column[i]])
    return gone, extra


@compiled
def _times_log2(count: int) -> float:
    return count * np.log2(float(count)) if count > 0 else 0.0
