"""Sequential clustering: rows that move, one after another, to the cluster where they cost least."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs, Words
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.costs import SET, TREE
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, add, cost_without, move, unite

LARGEST_INT: Any = np.int64(np.iinfo(np.int64).max)
NONE: Any = np.int64(-1)  # of numpy, as numba compiles a function anew for every literal number


class Diversity(NamedTuple):
    """For each condition the sensitive value of every row, and by the size of a cluster the most rows of one value."""

    values: Ints  # rows × conditions
    most: Longs  # conditions × sizes
    seen: Longs  # scratch counts by value, 0 between calls


FREE = Diversity(np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int64), np.zeros(0, np.int64))  # no conditions


class Known(NamedTuple):
    """For each row: joining a cluster that has not changed since `when` costs at least `least`."""

    when: Longs
    least: Longs


class Partners(NamedTuple):
    """For each small cluster the closest small one with a higher number, −1 if there is none, and the distance."""

    closest: Longs
    distance: Longs


@compiled
def move_rows(
    measure: Measure,
    diversity: Diversity,
    groups: Groups,
    known: Known,
    codes: Ints,
    begin: int,
    end: int,
    time: int,
    smallest: int,
) -> int:
    """Let each row from `begin` to `end` move to where that lowers the cost most; return how many did.

    Rows leave only clusters of more than the smallest size; if that is 0, a row alone always moves. With conditions,
    both clusters must be diverse afterwards.
    """
    moved = 0
    bits, every = np.zeros(groups.held.shape[1], np.uint64), np.arange(groups.size.size)
    for i in range(begin, end):
        j, size, now = groups.home[i], groups.size[groups.home[i]], time + i
        if size <= smallest:
            continue
        saved = LARGEST_INT
        if size > 1:
            if diversity.most.shape[0] > 0 and not diverse(diversity, groups, j, i, NONE):
                continue
            if groups.changed[j] <= known.when[i]:
                saved = known.least[i]
            else:
                saved = size * groups.total[j] - (size - 1) * cost_without(measure, groups, codes, i)
        since = known.when[i] if known.least[i] >= saved else NONE
        h, rise = closest_to_row(measure, diversity, groups, codes[i], bits, j, i, every, since, saved)
        known.when[i], known.least[i] = now, rise
        if h >= 0:
            move(measure, groups, codes, i, h)
            groups.changed[j] = groups.changed[h] = now
            moved += 1
    return moved


@compiled
def join_closest(measure: Measure, diversity: Diversity, groups: Groups, codes: Ints, rows: Longs) -> None:
    """Put rows that are in no cluster, one after another, where that raises the cost least, the first of equals."""
    bits, every = np.zeros(groups.held.shape[1], np.uint64), np.arange(groups.size.size)
    for i in rows:
        c, _ = closest_to_row(measure, diversity, groups, codes[i], bits, NONE, NONE, every, NONE, LARGEST_INT)
        add(measure, groups, codes, i, c)


@compiled
def find_partners(
    measure: Measure, diversity: Diversity, groups: Groups, partners: Partners, smallest: int, begin: int, end: int
) -> None:
    """Find the closest small cluster with a higher number, for those from `begin` to `end`."""
    for c in range(begin, end):
        partners.closest[c], partners.distance[c] = -1, LARGEST_INT
        if 0 < groups.size[c] < smallest:
            others = np.arange(c + 1, groups.size.size)
            partners.closest[c], partners.distance[c] = nearest(
                measure, diversity, groups, c, others, smallest, LARGEST_INT
            )


@compiled
def unify_small(
    measure: Measure, diversity: Diversity, groups: Groups, partners: Partners, codes: Ints, smallest: int, times: int
) -> int:
    """Unite the two closest clusters below k rows this many times; return how often there were two."""
    for time in range(times):
        c = NONE
        for e in range(groups.size.size):
            if partners.closest[e] >= 0 and (c < 0 or partners.distance[e] < partners.distance[c]):
                c = e
        if c < 0:
            return time
        d = partners.closest[c]
        unite(measure, groups, codes, c, d)
        find_partners(measure, diversity, groups, partners, smallest, c, c + 1)
        partners.closest[d] = -1
        only = np.array([c])
        for e in range(d):
            if e == c or partners.closest[e] < 0:
                continue
            if partners.closest[e] == c or partners.closest[e] == d:
                find_partners(measure, diversity, groups, partners, smallest, e, e + 1)
            elif e < c and groups.size[c] < smallest:
                nearer = partners.distance[e] + (c < partners.closest[e])
                found, distance = nearest(measure, diversity, groups, e, only, smallest, nearer)
                if found >= 0:
                    partners.closest[e], partners.distance[e] = found, distance
    return times


@lean
def nearest(
    measure: Measure, diversity: Diversity, groups: Groups, c: int, among: Longs, below: int, limit: int
) -> Any:
    """Return the cluster whose union with another adds the least cost, and how much.

    Only some clusters of fewer rows than `below`, and nearer than a limit, are examined.
    """
    own = groups.size[c] * groups.total[c]
    limit = limit + own if limit < LARGEST_INT - own else LARGEST_INT
    low, high, held, size = groups.low[c], groups.high[c], groups.held[c], groups.size[c]
    found, rise = _closest(measure, diversity, groups, low, high, held, size, c, NONE, among, below, NONE, limit)
    return found, rise - own


@lean
def closest_to_row(
    measure: Measure,
    diversity: Diversity,
    groups: Groups,
    codes: Ints,
    bits: Words,
    home: int,
    row: int,
    among: Longs,
    since: int,
    limit: int,
) -> Any:
    """Return what `_closest` does for a single row; `bits` is scratch space, 0 between calls."""
    one: Any = np.int64(1)
    _toggle(measure, groups, codes, bits)
    found = _closest(measure, diversity, groups, codes, codes, bits, one, home, row, among, LARGEST_INT, since, limit)
    _toggle(measure, groups, codes, bits)
    return found


@lean
def _closest(
    measure: Measure,
    diversity: Diversity,
    groups: Groups,
    lows: Ints,
    highs: Ints,
    bits: Words,
    size: int,
    home: int,
    row: int,
    among: Longs,
    below: int,
    since: int,
    limit: int,
) -> Any:
    """Return the cluster that one or more rows join at the least cost below a limit, and that cost; −1 and the limit if
    there is none.

    The rows have codes from `lows` to `highs` and the values `bits` of sets. Skipped are their own cluster, those with
    `below` or more rows, and those that have not changed since a time. A single row (not −1) must leave the cluster
    that it joins diverse.
    """
    # The loop over all clusters takes most of the time, so it has no calls and no fields of tuples.
    space, price, weights, before, factor = measure
    kind, missing, codes_at, nodes_at = space.kind, space.missing, space.codes_at, space.nodes_at
    parent, node_low, node_high, node_cost = space.parent, space.low, space.high, space.cost
    position, full, step = space.position, space.full, space.step
    total, sizes, changed, cost, shown = groups.total, groups.size, groups.changed, groups.cost, groups.shown
    first, last, weight, held, word_at = groups.first, groups.last, groups.weight, groups.held, groups.word_at
    by_loss, demanding, best = price.size == 0, row >= 0 and diversity.most.shape[0] > 0, NONE
    for h in among:
        # The joined rows cost at least what rows of the cluster already do.
        rise = size * total[h]
        if rise >= limit or changed[h] <= since or sizes[h] == 0 or sizes[h] >= below or h == home:
            continue
        both = size + sizes[h]
        for a in range(lows.size):
            low, high = lows[a], highs[a]
            if first[h, a] <= low and high <= last[h, a]:
                continue
            at = codes_at[a]
            if kind[a] == TREE:
                nodes = nodes_at[a]
                node = nodes + shown[h, a]
                while node_low[node] > low or node_high[node] < high:
                    node = nodes + parent[node]
                now = node_cost[node]
            elif kind[a] == SET:
                heavier = weight[h, a]
                for word in range(low // 64, high // 64 + 1):
                    more = bits[word_at[a] + word] & ~held[h, word_at[a] + word]
                    code = at + 64 * word
                    while more:
                        if more & np.uint64(1):
                            heavier += weights[code]
                        more >>= np.uint64(1)
                        code += 1
                now = position[at + heavier - 1] if by_loss else price[heavier] * factor[a]
            elif low == missing[a] or first[h, a] == missing[a]:
                now = full[a] if by_loss else price[price.size - 1] * factor[a]
            else:
                lowest, highest = at + min(low, first[h, a]), at + max(high, last[h, a])
                if by_loss:
                    now = position[highest] - position[lowest] + step[a]
                else:
                    now = price[before[highest] + weights[highest] - before[lowest]] * factor[a]
            rise += both * (now - cost[h, a])
            if rise >= limit:
                break
        if rise < limit and (not demanding or diverse(diversity, groups, h, NONE, row)):
            best, limit = h, rise
    return best, limit


@lean
def _toggle(measure: Measure, groups: Groups, codes: Ints, bits: Words) -> None:
    """Flip the bits of the values that a row has in sets."""
    for a in range(codes.size):
        if measure.space.kind[a] == SET:
            bits[groups.word_at[a] + codes[a] // 64] ^= np.uint64(1) << np.uint64(codes[a] % 64)


@lean
def diverse(diversity: Diversity, groups: Groups, c: int, out: int, into: int) -> bool:
    """Return whether a cluster is diverse after one row has left and another has joined (−1: none)."""
    size = groups.size[c] - (out >= 0) + (into >= 0)
    for condition in range(diversity.most.shape[0]):
        most = np.int64(0)
        if into >= 0:
            diversity.seen[diversity.values[into, condition]] = most = np.int64(1)
        row = groups.head[c]
        while row >= 0:
            if row != out:
                value = diversity.values[row, condition]
                diversity.seen[value] += 1
                most = max(most, diversity.seen[value])
            row = groups.after[row]
        row = groups.head[c]
        while row >= 0:
            diversity.seen[diversity.values[row, condition]] = 0
            row = groups.after[row]
        if into >= 0:
            diversity.seen[diversity.values[into, condition]] = 0
        if most > diversity.most[condition, size]:
            return False
    return True
