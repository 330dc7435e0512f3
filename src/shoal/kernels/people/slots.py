"""A group of people as slots: each person has one event in each slot, and all show what the slot covers.

`low` and `high` have a line of cells for each slot; the cells of static attributes, which are the same in all slots,
are those of the first line and count once for each slot. Many slots are matched in parts of consecutive ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.costs import RANGE, SET, Space
from shoal.kernels.people.cells import above, begin, cost, join, ones
from shoal.kernels.people.matching import FAR, Scratch, match

PART = 64  # slots that are matched together, as the time grows with the cube of their number


class Bags(NamedTuple):
    """The events of people: person p has the rows of `values` from starts[p] to starts[p + 1], at least one per slot.

    The first `static` attributes are the same in all rows of a person.
    """

    values: Longs
    starts: Longs
    static: int
    slots: int


class Room(NamedTuple):
    """Room for comparing a person with a group, large enough for the person with the most events."""

    costs: Longs
    matching: Scratch


@compiled
def start(space: Space, bags: Bags, person: int, low: Longs, high: Longs, slot: Longs) -> None:
    """Begin a group with one person, of whose events, if there are too many, evenly spread ones are kept."""
    first, many = bags.starts[person], bags.starts[person + 1] - bags.starts[person]
    slot[first : first + many] = -1
    for s in range(bags.slots):
        row = first + s * many // bags.slots
        slot[row] = s
        for a in range(0 if s == 0 else bags.static, bags.values.shape[1]):
            low[s, a], high[s, a] = begin(space, a, bags.values[row, a])


@compiled
def part_of(bags: Bags, person: int, at: int) -> Any:
    """Return the slots (from, to) and the rows (from, to) of a part of a matching."""
    first, many = bags.starts[person], bags.starts[person + 1] - bags.starts[person]
    parts = (bags.slots + PART - 1) // PART
    low, high = at * bags.slots // parts, (at + 1) * bags.slots // parts
    more = many - bags.slots
    return low, high, first + low + at * more // parts, first + high + (at + 1) * more // parts


@compiled
def fill_costs(space: Space, bags: Bags, low: Longs, high: Longs, part: Any, costs: Longs) -> Any:
    """Compute what each slot of a part would cost with each event; return the sum of the least for each slot."""
    begins, ends, first, last = part
    bound = np.int64(0)
    for s in range(begins, ends):
        least = np.int64(FAR)
        for e in range(first, last):
            total = np.int64(0)
            for a in range(bags.static, bags.values.shape[1]):
                value = bags.values[e, a]
                if space.kind[a] == RANGE:
                    total += min(space.full[a], max(high[s, a], value) - min(low[s, a], value))
                elif space.kind[a] == SET:
                    total += space.position[space.codes_at[a] + ones(low[s, a] | value) - 1]
                else:
                    total += space.cost[space.nodes_at[a] + above(space, a, low[s, a], value)]
            costs[s - begins, e - first] = total
            least = min(least, total)
        bound += least
    return bound


@compiled
def cost_with(space: Space, bags: Bags, person: int, low: Longs, high: Longs, limit: int, room: Room) -> Any:
    """Return what a member of the group would cost with a person more; if that is not below the limit, a bound."""
    total = np.int64(0)
    row = bags.starts[person]
    for a in range(bags.static):
        cell = join(space, a, low[0, a], high[0, a], bags.values[row, a])
        total += cost(space, a, cell[0], cell[1])
    total *= bags.slots
    for at in range((bags.slots + PART - 1) // PART):
        if total >= limit:
            return total
        part = part_of(bags, person, at)
        bound = fill_costs(space, bags, low, high, part, room.costs)
        if total + bound >= limit:
            return total + bound
        total += match(room.costs, part[1] - part[0], part[3] - part[2], room.matching)
    return total


@compiled
def add(space: Space, bags: Bags, person: int, low: Longs, high: Longs, slot: Longs, room: Room) -> None:
    """Put a person into a group: give each slot the event that fits best."""
    for at in range((bags.slots + PART - 1) // PART):
        part = part_of(bags, person, at)
        fill_costs(space, bags, low, high, part, room.costs)
        match(room.costs, part[1] - part[0], part[3] - part[2], room.matching)
        for row in range(part[2], part[3]):
            given = room.matching.slot_of[row - part[2] + 1] - 1
            slot[row] = -1 if given < 0 else part[0] + given
    widen(space, bags, person, low, high, slot)


@compiled
def widen(space: Space, bags: Bags, person: int, low: Longs, high: Longs, slot: Longs) -> None:
    """Let a group also show a person whose events have their slots."""
    row = bags.starts[person]
    for a in range(bags.static):
        low[0, a], high[0, a] = join(space, a, low[0, a], high[0, a], bags.values[row, a])
    for row in range(bags.starts[person], bags.starts[person + 1]):
        s = slot[row]
        if s >= 0:
            for a in range(bags.static, bags.values.shape[1]):
                low[s, a], high[s, a] = join(space, a, low[s, a], high[s, a], bags.values[row, a])


@compiled
def cover(space: Space, bags: Bags, members: Longs, low: Longs, high: Longs, slot: Longs) -> None:
    """Compute what a group of these people shows, whose events have their slots."""
    first = members[0]
    for row in range(bags.starts[first], bags.starts[first + 1]):
        s = slot[row]
        if s >= 0:
            for a in range(0 if s == 0 else bags.static, bags.values.shape[1]):
                low[s, a], high[s, a] = begin(space, a, bags.values[row, a])
    for i in range(1, members.size):
        widen(space, bags, members[i], low, high, slot)


@compiled
def cost_of(space: Space, bags: Bags, low: Longs, high: Longs) -> Any:
    """Return what each member of a group costs."""
    total = np.int64(0)
    for a in range(bags.static):
        total += bags.slots * cost(space, a, low[0, a], high[0, a])
    for s in range(bags.slots):
        for a in range(bags.static, bags.values.shape[1]):
            total += cost(space, a, low[s, a], high[s, a])
    return total
