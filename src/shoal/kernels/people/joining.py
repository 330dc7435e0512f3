"""Groups of people that join another one."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.arrays import Longs
from shoal.kernels.compiling import compiled
from shoal.kernels.costs import Space
from shoal.kernels.people.k_member import rematch, room_for
from shoal.kernels.people.matching import FAR
from shoal.kernels.people.slots import Bags, add, cost_with


@compiled
def nearest_group(space: Space, bags: Bags, members: Longs, others: Longs, low: Longs, high: Longs, cost: Longs) -> Any:
    """Return which of the other groups each of the members, in sum, would make the least more expensive."""
    room = room_for(bags, members)
    best, least = others[0], np.int64(FAR)
    for g in others:
        more = np.int64(0)
        for person in members:
            limit = least - more + cost[g] if least < FAR else FAR
            more += cost_with(space, bags, person, low[g], high[g], limit, room) - cost[g]
            if more >= least:
                break
        if more < least:
            best, least = g, more
    return best


@compiled
def unite(space: Space, bags: Bags, members: Longs, joining: int, low: Longs, high: Longs, slot: Longs) -> Any:
    """Match the events of the last members, so many, to the slots of the others; return what each member costs then."""
    room = room_for(bags, members)
    for person in members[members.size - joining :]:
        add(space, bags, person, low, high, slot, room)
    return rematch(space, bags, members, low, high, slot, room)
