"""Groups of people that may not be released join their nearest group until all may."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from shoal.algorithms.people.grouping import Grouped
from shoal.kernels.arrays import Flags, Longs
from shoal.kernels.costs import Space
from shoal.kernels.people.joining import nearest_group, unite
from shoal.kernels.people.recreate import groups_of

Group = tuple[Longs, Longs]  # the released rows of a group, and the slot of each
Holds = Callable[[list[Group]], Flags]  # for each group, whether it may be released
NEIGHBOURS = 500  # groups before and after one that it may join: those of similar people have near numbers


def joined(grouped: Grouped, space: Space, holds: Holds, *, rows: Longs) -> Grouped | None:
    """Join groups for which the model does not hold with near ones; None if it does not hold for all people together.

    `rows` are the numbers of all rows of the search, as `holds` knows them.
    """
    bags, many = grouped.bags, int(grouped.home.max()) + 1
    order = np.argsort(grouped.home, kind="stable")
    members = dict(enumerate(np.split(order, np.cumsum(np.bincount(grouped.home))[:-1])))
    slot, own = grouped.slot.copy(), rows[grouped.rows]

    def released(group: int) -> Group:
        starts = bags.starts
        places = np.concatenate([np.arange(starts[person], starts[person + 1]) for person in members[group].tolist()])
        places = places[slot[places] >= 0]
        return own[places], slot[places]

    failing = deque(np.flatnonzero(~holds([released(g) for g in range(many)])).tolist())
    if not failing:
        return grouped
    fails = set(failing)
    groups = groups_of(space, bags, np.arange(grouped.home.size), grouped.home, slot, many)
    left = np.arange(many)
    while failing:
        group = failing.popleft()
        if group not in fails:
            continue
        if left.size == 1:
            return None
        at = int(np.searchsorted(left, group))
        others = np.delete(left[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1], min(at, NEIGHBOURS))
        target = int(nearest_group(space, bags, members[group], group, others, groups))
        joining = members.pop(group)
        members[target] = np.concatenate([members[target], joining])
        groups.size[target] += joining.size
        low, high = groups.low[target], groups.high[target]
        groups.cost[target] = unite(space, bags, members[target], joining.size, low, high, slot)
        left = np.delete(left, at)
        fails -= {group, target}
        if not holds([released(target)])[0]:
            fails.add(target)
            failing.append(target)
    home = np.empty_like(grouped.home)
    for number, group in enumerate(left.tolist()):
        home[members[group]] = number
    cost = sum(members[group].size * int(groups.cost[group]) for group in left.tolist())
    return replace(grouped, home=home, slot=slot, cost=cost)
