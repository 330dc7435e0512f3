"""Groups of at least k people of one stratum, whose events are matched to common slots."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms.people.blocks import blocks_of
from shoal.algorithms.people.people import People
from shoal.algorithms.people.strata import Stratum
from shoal.kernels.arrays import Longs
from shoal.kernels.costs import Space
from shoal.kernels.people.cells import values_of
from shoal.kernels.people.k_member import grow
from shoal.kernels.people.recreate import WIDTH, recreate
from shoal.kernels.people.slots import PART, Bags

BLOCK = 1000  # people who are compared with each other
STEPS = 6, 60  # times that near groups are grown anew, for each group: in large tables and at most
ROWS = 1_500_000  # steps × rows: small tables are looked at more often
WORK = 400_000  # cells that are compared for each row; beyond it, blocks are smaller and there are fewer steps
MAX_EVENTS = 64  # of a person who drops events, or four times as many as are released: more are not looked at


@dataclass(frozen=True, eq=False)
class Grouped:
    """A stratum and its groups.

    home  the group of each person of the stratum
    rows  the rows of these people, as `People` has them
    slot  the slot of each of these rows within its group, −1 if the event is dropped
    cost  the sum of what the released rows cost
    """

    stratum: Stratum
    home: Longs
    rows: Longs
    bags: Bags
    slot: Longs
    cost: int


def group_stratum(people: People, space: Space, stratum: Stratum, *, k: int, seed: int) -> Grouped:
    """Grow groups of k people in blocks of similar ones, then dissolve near groups and grow them anew."""
    events, many = stratum.events, stratum.people.size
    rows, starts = people.some_events(stratum.people, max(MAX_EVENTS, 4 * events))
    codes = people.table.codes[rows]
    bags = Bags(values_of(space, codes), starts, people.static, events)
    home, slot = np.zeros(many, np.int64), np.full(rows.size, -1, np.int64)
    cells = min(events, PART) * (min(events, PART) + codes.shape[1] - people.static)
    smallest = max(4 * k, min(BLOCK, WORK // cells))
    steps = min(max(STEPS[0], ROWS // people.rows.size), STEPS[1], WORK // (2 * cells * k * WIDTH**2)) if k > 1 else 0
    groups = cost = 0
    for block in blocks_of(
        people.table, _lines(people, stratum), static=people.static, events=events, smallest=smallest
    ):
        own = np.zeros(block.size, np.int64)
        sums = int(grow(space, bags, block, k, own, slot))
        if steps and block.size >= 2 * k:
            sums = int(recreate(space, bags, block, k, own, slot, steps * (block.size // k), seed))
        home[block] = own + groups
        groups += int(own.max()) + 1
        cost += sums
    return Grouped(stratum, home, rows, bags, slot, cost)


def _lines(people: People, stratum: Stratum) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    """Return the static codes of each person and those of as many events as are released."""
    rows, _ = people.some_events(stratum.people, stratum.events)
    codes = people.table.codes[rows].reshape(stratum.people.size, stratum.events, -1)
    varying = codes[:, :, people.static :].reshape(stratum.people.size, -1)
    return np.ascontiguousarray(np.concatenate([codes[:, 0, : people.static], varying], axis=1))
