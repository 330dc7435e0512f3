"""The cheapest way to give each slot an event of its own: H. Kuhn, The Hungarian method (1955).

doi:10.1002/nav.3800020109, with shortest augmenting paths after Jonker and Volgenant (1987), doi:10.1007/BF02278710.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Flags, Longs
from shoal.kernels.compiling import compiled

FAR = 1 << 62


class Scratch(NamedTuple):
    """Room for one matching; column 0 is where a path begins."""

    slot_price: Longs
    event_price: Longs
    slot_of: Longs  # by column: the slot, from 1 on, that has this event; 0 if none has
    reach: Longs
    before: Longs
    done: Flags


@compiled
def scratch(slots: int, events: int) -> Any:
    """Make room for matchings of at most so many slots and events."""
    return Scratch(
        np.zeros(slots + 1, np.int64),
        np.zeros(events + 1, np.int64),
        np.zeros(events + 1, np.int64),
        np.zeros(events + 1, np.int64),
        np.zeros(events + 1, np.int64),
        np.zeros(events + 1, np.bool_),
    )


@compiled
def match(costs: Longs, slots: int, events: int, room: Scratch) -> Any:
    """Match each slot to one event, at least as many, for the least sum of costs[slot, event]; return the sum.

    The slot of event e is room.slot_of[e + 1] − 1; −1 if it is left over.
    """
    slot_price, event_price, slot_of, reach, before, done = room
    slot_price[: slots + 1] = 0
    event_price[: events + 1] = 0
    slot_of[: events + 1] = 0
    for slot in range(1, slots + 1):
        slot_of[0] = slot
        column = 0
        reach[: events + 1] = FAR
        done[: events + 1] = False
        while True:
            done[column] = True
            current, nearest, step = slot_of[column], 0, FAR
            for e in range(1, events + 1):
                if not done[e]:
                    reduced = costs[current - 1, e - 1] - slot_price[current] - event_price[e]
                    if reduced < reach[e]:
                        reach[e] = reduced
                        before[e] = column
                    if reach[e] < step:
                        step = reach[e]
                        nearest = e
            for e in range(events + 1):
                if done[e]:
                    slot_price[slot_of[e]] += step
                    event_price[e] -= step
                else:
                    reach[e] -= step
            column = nearest
            if slot_of[column] == 0:
                break
        while column != 0:
            slot_of[column] = slot_of[before[column]]
            column = before[column]
    total = np.int64(0)
    for e in range(1, events + 1):
        if slot_of[e] > 0:
            total += costs[slot_of[e] - 1, e - 1]
    return total
