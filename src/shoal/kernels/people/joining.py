"""Groups of people that join another one."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.costs import Space
from shoal.kernels.people.k_member import rematch, room_for
from shoal.kernels.people.matching import FAR
from shoal.kernels.people.recreate import Groups
from shoal.kernels.people.slots import Bags, add, cost_with


@compiled
def nearest_group(space: Space, bags: Bags, members: Longs, own: int, others: Longs, groups: Groups) -> Any:
    """Return the other group with which a group would cost the least more, size × cost of both.

    Both together cost each member at least what the other group costs with the worst of the members.
    """
    room = room_for(bags, members)
    best, least = others[0], np.int64(FAR)
    for g in others:
        size = members.size + groups.size[g]
        before = groups.size[g] * groups.cost[g] + members.size * groups.cost[own]
        limit: Any = (least + before) // size + 1 if least < FAR else FAR
        both = max(groups.cost[g], groups.cost[own])
        for person in members:
            if both >= limit:
                break
            both = max(both, cost_with(space, bags, person, groups.low[g], groups.high[g], limit, room))
        if both < limit and size * both - before < least:
            best, least = g, size * both - before
    return best


@compiled
def unite(space: Space, bags: Bags, members: Longs, joining: int, low: Longs, high: Longs, slot: Longs) -> Any:
    """Match the events of the last members, so many, to the slots of the others; return what each member costs then."""
    room = room_for(bags, members)
    for person in members[members.size - joining :]:
        add(space, bags, person, low, high, slot, room)
    return rematch(space, bags, members, low, high, slot, room)
