"""Groups of people improved by ruin and recreate: near groups are dissolved and grown anew, if that costs less.

After G. Schrimpf et al., Record breaking optimization results using the ruin and recreate principle (2000),
doi:10.1006/jcph.1999.6413.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.costs import Space
from shoal.kernels.people.k_member import grow, room_for
from shoal.kernels.people.matching import FAR
from shoal.kernels.people.slots import Bags, Room, cost_of, cost_with, cover
from shoal.kernels.rows import mixed

WIDTH = 3  # groups that are dissolved together


class Groups(NamedTuple):
    """Groups of people: their members, what they show, and what each member costs."""

    members: Longs  # of each group, by place in the list of people
    size: Longs
    low: Longs
    high: Longs
    cost: Longs


@compiled
def groups_of(space: Space, bags: Bags, people: Longs, home: Longs, slot: Longs, many: int) -> Any:
    """Return at most so many groups, of which the last may be empty."""
    size = np.zeros(many, np.int64)
    for group in home:
        size[group] += 1
    shape = (many, bags.slots, bags.values.shape[1])
    groups = Groups(
        np.zeros((many, 2 * size.max()), np.int64),
        size,
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(many, np.int64),
    )
    size[:] = 0
    for i in range(people.size):
        groups.members[home[i], size[home[i]]] = i
        size[home[i]] += 1
    for g in range(many):
        if size[g] > 0:
            renew(space, bags, people, groups, g, slot)
    return groups


@compiled
def renew(space: Space, bags: Bags, people: Longs, groups: Groups, g: int, slot: Longs) -> None:
    """Compute what a group shows and costs."""
    cover(space, bags, people[groups.members[g, : groups.size[g]]], groups.low[g], groups.high[g], slot)
    groups.cost[g] = cost_of(space, bags, groups.low[g], groups.high[g])


@compiled
def near(space: Space, bags: Bags, groups: Groups, person: int, own: int, used: int, chosen: Longs, room: Room) -> int:
    """Choose a person's own group and those whose members would cost the least more with them; return how many."""
    chosen[0] = own
    found = 1
    more = np.full(WIDTH, FAR)
    for g in range(used):
        if g == own:
            continue
        limit = more[WIDTH - 1] + groups.cost[g] if more[WIDTH - 1] < FAR else FAR
        with_person = cost_with(space, bags, person, groups.low[g], groups.high[g], limit, room)
        if with_person < limit:
            at = WIDTH - 1
            while at > 1 and more[at - 1] > with_person - groups.cost[g]:
                more[at], chosen[at] = more[at - 1], chosen[at - 1]
                at -= 1
            more[at], chosen[at] = with_person - groups.cost[g], g
            found = min(WIDTH, found + 1)
    return found


@compiled
def copy_slots(bags: Bags, people: Longs, slot: Longs, kept: Longs, back: bool) -> None:
    """Copy the slots of some people, or copy them back."""
    at = 0
    for person in people:
        first, last = bags.starts[person], bags.starts[person + 1]
        if back:
            slot[first:last] = kept[at : at + last - first]
        else:
            kept[at : at + last - first] = slot[first:last]
        at += last - first


@compiled
def recreate(
    space: Space, bags: Bags, people: Longs, smallest: int, home: Longs, slot: Longs, steps: int, seed: int
) -> Any:
    """Dissolve near groups and grow them anew, so many times; return the sum of what all people cost."""
    groups = groups_of(space, bags, people, home, slot, people.size // smallest)
    used = np.sum(groups.size > 0)
    room = room_for(bags, people)
    pool, new = np.empty(2 * smallest * WIDTH, np.int64), np.empty(2 * smallest * WIDTH, np.int64)
    chosen = np.empty(2 * WIDTH, np.int64)
    kept = np.empty(bags.values.shape[0], np.int64)
    state = np.uint64(seed)
    for _ in range(steps):
        state = mixed(state)
        own = np.int64(state >> np.uint64(33)) % used
        state = mixed(state)
        person = people[groups.members[own, np.int64(state >> np.uint64(33)) % groups.size[own]]]
        found = near(space, bags, groups, person, own, used, chosen, room)
        count, before = 0, np.int64(0)
        for g in chosen[:found]:
            before += groups.size[g] * groups.cost[g]
            pool[count : count + groups.size[g]] = groups.members[g, : groups.size[g]]
            count += groups.size[g]
        for i in range(count - 1, 0, -1):
            state = mixed(state)
            j = np.int64(state >> np.uint64(33)) % (i + 1)
            pool[i], pool[j] = pool[j], pool[i]
        some = people[pool[:count]]
        copy_slots(bags, some, slot, kept, False)
        if grow(space, bags, some, smallest, new[:count], slot) >= before:
            copy_slots(bags, some, slot, kept, True)
            continue
        many = count // smallest
        for c in range(found, many):
            chosen[c] = used
            used += 1
        groups.size[chosen[:many]] = 0
        for i in range(count):
            g = chosen[new[i]]
            groups.members[g, groups.size[g]] = pool[i]
            groups.size[g] += 1
            home[pool[i]] = g
        for g in chosen[:many]:
            renew(space, bags, people, groups, g, slot)
    return np.sum(groups.size * groups.cost)
