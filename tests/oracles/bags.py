"""People as bags of events, literally: who shares a profile, the fewest dropped events, the best of all groupings."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, permutations, product

import numpy as np

from oracles.best_partition import partitions


def profiles(labels, owners):
    """For each person with a row, how many people release the same multiset of rows; labels None: not released."""
    released = {}
    for label, owner in zip(labels, owners, strict=True):
        if label is not None:
            released.setdefault(owner, Counter())[label] += 1
    return {owner: sum(other == own for other in released.values()) for owner, own in released.items()}


def labels_of(table, recoding):
    """The labels of each row, None if it is not released, written out by the domains."""
    from shoal import Style

    shown = [domain.write(what, Style()) for domain, what in zip(table.domains, recoding.shown, strict=True)]
    return [None if g < 0 else tuple(column[g] for column in shown) for g in recoding.ids.tolist()]


def fewest_dropped(numbers, k):
    """The fewest events and then people that are lost if each number of events is that of k people or of nobody."""
    best = None
    for kept in product(*(range(number + 1) for number in numbers)):
        counts = Counter(number for number in kept if number)
        if all(count >= k for count in counts.values()):
            lost = sum(numbers) - sum(kept), kept.count(0)
            best = lost if best is None else min(best, lost)
    return best


def cheapest_match(costs):
    """The least sum if each line gets a column of its own."""
    slots, events = range(len(costs)), range(len(costs[0]))
    return min(
        sum(costs[s][e] for s, e in zip(slots, chosen, strict=True)) for chosen in permutations(events, len(slots))
    )


def slot_loss(table, rows):
    """What each of the rows of a slot loses, over all attributes."""
    ids = np.zeros(len(rows), np.int32)
    joined = (
        domain.join(codes, ids, 1) for domain, codes in zip(table.domains, table.codes[list(rows)].T, strict=True)
    )
    return sum(float(domain.loss(shown)[0]) for domain, shown in zip(table.domains, joined, strict=True))


def least_loss(table, owners, k, max_dropped):
    """The lowest LM of all ways to group, drop and match; None if no way drops so few rows."""
    rows = {owner: [row for row, other in enumerate(owners) if other == owner] for owner in set(owners)}

    @cache
    def group_loss(group, events):
        first, *others = group
        return min(
            sum(len(group) * slot_loss(table, slot) for slot in zip(*chosen, strict=True))
            for chosen in product(
                combinations(rows[first], events), *(permutations(rows[other], events) for other in others)
            )
        )

    losses = []
    for many in range(len(rows) + 1):
        for suppressed in combinations(rows, many):
            for groups in partitions([owner for owner in rows if owner not in suppressed], k):
                most = [min(len(rows[owner]) for owner in group) for group in groups]
                for events in product(*(range(1, number + 1) for number in most)):
                    released = sum(len(group) * number for group, number in zip(groups, events, strict=True))
                    dropped = len(owners) - released
                    if dropped <= max_dropped:
                        own = sum(group_loss(tuple(g), number) for g, number in zip(groups, events, strict=True))
                        losses.append(own + dropped * len(table.domains))
    return min(losses) / (len(owners) * len(table.domains)) if losses else None
