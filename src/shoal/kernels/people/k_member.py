"""k-member clustering of people: groups grow by the person who adds the least cost, events matched to slots.

After J.-W. Byun et al., Efficient k-anonymization using clustering techniques (2007), doi:10.1007/978-3-540-71703-4_18.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Flags, Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.costs import Space
from shoal.kernels.people.matching import FAR, scratch
from shoal.kernels.people.slots import PART, Bags, Room, add, cost_of, cost_with, cover, start


@compiled
def room_for(bags: Bags, people: Longs) -> Any:
    """Make room for comparing any of these people with groups."""
    most = 0
    for person in people:
        most = max(most, bags.starts[person + 1] - bags.starts[person])
    slots = min(bags.slots, PART)
    events = slots + most - bags.slots + 1
    return Room(np.empty((slots, events), np.int64), scratch(slots, events))


@compiled
def nearest(
    space: Space, bags: Bags, people: Longs, free: Flags, bounds: Longs, low: Longs, high: Longs, room: Room
) -> Any:
    """Return the place of the free person who adds the least cost; `bounds` are of a smaller group, so they hold."""
    best, least = -1, FAR
    for i in range(people.size):
        if free[i] and (best < 0 or bounds[i] < bounds[best]):
            best = i
    bounds[best] = least = cost_with(space, bags, people[best], low, high, FAR, room)
    for i in range(people.size):
        if free[i] and bounds[i] < least and i != best:
            bounds[i] = cost_with(space, bags, people[i], low, high, least, room)
            if bounds[i] < least:
                best, least = i, bounds[i]
    return best


@compiled
def grow(space: Space, bags: Bags, people: Longs, smallest: int, home: Longs, slot: Longs) -> Any:
    """Group the people, `smallest` or a few more each; write the group of each place in `people` and the slots.

    Return the sum of what all of them cost.
    """
    many = people.size // smallest
    shape = (many, bags.slots, bags.values.shape[1])
    low, high = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    size, costs = np.full(many, smallest, np.int64), np.zeros(many, np.int64)
    room = room_for(bags, people)
    free, bounds = np.ones(people.size, np.bool_), np.zeros(people.size, np.int64)
    first = 0
    for g in range(many):
        while not free[first]:
            first += 1
        free[first] = False
        home[first] = g
        start(space, bags, people[first], low[g], high[g], slot)
        bounds[:] = 0
        for _ in range(smallest - 1):
            best = nearest(space, bags, people, free, bounds, low[g], high[g], room)
            free[best] = False
            home[best] = g
            add(space, bags, people[best], low[g], high[g], slot, room)
        costs[g] = cost_of(space, bags, low[g], high[g])
    for i in range(people.size):
        if free[i]:
            best, least = 0, FAR
            for g in range(many):
                limit = (least + size[g] * costs[g]) // (size[g] + 1) + 1 if least < FAR else FAR
                grown = cost_with(space, bags, people[i], low[g], high[g], limit, room)
                if grown < limit and (size[g] + 1) * grown - size[g] * costs[g] < least:
                    best, least = g, (size[g] + 1) * grown - size[g] * costs[g]
            home[i] = best
            add(space, bags, people[i], low[best], high[best], slot, room)
            size[best] += 1
            costs[best] = cost_of(space, bags, low[best], high[best])
    total = np.int64(0)
    for g in range(many):
        members = people[home == g]
        total += size[g] * rematch(space, bags, members, low[g], high[g], slot, room)
    return total


@compiled
def rematch(space: Space, bags: Bags, members: Longs, low: Longs, high: Longs, slot: Longs, room: Room) -> Any:
    """Take each person's events out and match them anew while it helps; return what each member costs then."""
    cover(space, bags, members, low, high, slot)
    least = cost_of(space, bags, low, high)
    if members.size < 2:
        return least
    others = members[1:].copy()
    unchanged, at = 0, 0
    while unchanged < members.size:
        if at > 0:
            others[at - 1] = members[at - 1]
        elif members.size > 1:
            others[:] = members[1:]
        cover(space, bags, others, low, high, slot)
        now = cost_with(space, bags, members[at], low, high, least, room)
        unchanged += 1
        if now < least:
            least = now
            add(space, bags, members[at], low, high, slot, room)
            unchanged = 0
        at = (at + 1) % members.size
    cover(space, bags, members, low, high, slot)
    return least
