"""Sequential clustering: rows that move, one after another, to the cluster where they cost least."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compiling import compiled
from shoal.kernels.costs import SET, TREE, Space, cover, shown_cost

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]
MOST: Any = np.int64(np.iinfo(np.int64).max)
NONE: Any = np.int64(-1)  # of numpy, as compiled functions are made anew for every plain number that they are given


class Measure(NamedTuple):
    """What a cell costs: by the loss of the space or, where there are prices, by the rows that its label covers."""

    space: Space
    price: Longs  # by the number of covered rows; empty: by the loss
    weight: Longs  # of each code: 1, or by rows those that have it
    before: Longs  # of each code: the rows with a lower one


class Diversity(NamedTuple):
    """For each condition the sensitive value of every row, and by the size of a cluster the most rows of one value."""

    values: Ints  # rows × conditions
    most: Longs  # conditions × sizes
    seen: Longs  # a place to count in: by value, 0 between calls


class Groups(NamedTuple):
    """Clusters as lists of rows, with what each shows and what that costs a row."""

    home: Longs  # of each row its cluster
    head: Longs  # of each cluster its first row, −1 if it is empty
    after: Longs  # of each row the next one of its cluster
    prior: Longs
    size: Longs
    total: Longs  # of each cluster what a row of it costs
    cost: Longs  # clusters × attributes: what a cell of it costs
    low: Ints  # clusters × attributes: the lowest code of its rows
    high: Ints
    first: Ints  # clusters × attributes: the first code that its label covers; of sets 1 and
    last: Ints  # 0, as their codes need not be neighbours
    shown: Ints  # clusters × attributes: the node of a tree
    weight: Longs  # clusters × attributes: of the values in a set
    held: Words  # clusters × words: the values in a set, a bit for each
    word_at: Longs  # the first word of each attribute
    changed: Longs  # of each cluster when it last was


class Known(NamedTuple):
    """For each row: to join a cluster that has not changed since `when` costs `least` or more."""

    when: Longs
    least: Longs


class Partners(NamedTuple):
    """For each small cluster the closest small one of a higher number, −1 if there is none, and the distance."""

    closest: Longs
    distance: Longs


@compiled
def groups_of(measure: Measure, codes: Ints, ids: Ints, count: int, changed: Longs) -> Any:
    """The clusters of a grouping of rows."""
    space = measure.space
    rows, attributes = codes.shape
    word_at = np.zeros(attributes + 1, np.int64)
    for a in range(attributes):
        word_at[a + 1] = word_at[a] + ((space.size[a] + 63) // 64 if space.kind[a] == SET else 0)
    shape = (count, attributes)
    groups = Groups(
        ids.astype(np.int64),
        np.full(count, -1, np.int64),
        np.full(rows, -1, np.int64),
        np.full(rows, -1, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(shape, np.int64),
        np.full(shape, np.iinfo(np.int32).max, np.int32),
        np.full(shape, -1, np.int32),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int64),
        np.zeros((count, word_at[attributes]), np.uint64),
        word_at,
        changed,
    )
    for i in range(rows):
        _link(groups, i, groups.home[i])
        for a in range(attributes):
            _take_in(measure, groups, groups.home[i], a, codes[i, a])
    for c in range(count):
        for a in range(attributes):
            if groups.size[c] > 0:
                _settle(measure, groups, c, a)
    return groups


@compiled
def move_rows(
    measure: Measure, diversity: Diversity, groups: Groups, known: Known, codes: Ints, begin: int, end: int, time: int
) -> int:
    """Let each row from `begin` to `end` move to where that lowers the cost most; returns how many did.

    A row alone moves in any case. Where conditions are given, both clusters must be diverse afterwards.
    """
    moved = 0
    bits = np.zeros(groups.held.shape[1], np.uint64)
    one: Any = np.int64(1)
    every: Any = (np.int64(0), np.int64(groups.size.size), MOST)
    for i in range(begin, end):
        j, size, now = groups.home[i], groups.size[groups.home[i]], time + i
        saved = MOST
        if size > 1:
            if diversity.most.shape[0] > 0 and not _diverse(diversity, groups, j, i, NONE):
                continue
            if groups.changed[j] <= known.when[i]:
                saved = known.least[i]
            else:
                saved = size * groups.total[j] - (size - 1) * _cost_without(measure, groups, codes, i)
        since = known.when[i] if known.least[i] >= saved else NONE
        _toggle(measure, groups, codes[i], bits)
        h, rise = _closest(measure, diversity, groups, codes[i], codes[i], bits, one, j, i, every, since, saved)
        _toggle(measure, groups, codes[i], bits)
        known.when[i], known.least[i] = now, rise
        if h >= 0:
            _move(measure, groups, codes, i, h)
            groups.changed[j] = groups.changed[h] = now
            moved += 1
    return moved


@compiled
def find_partners(
    measure: Measure, diversity: Diversity, groups: Groups, partners: Partners, smallest: int, begin: int, end: int
) -> None:
    """Look for the closest small cluster of a higher number, for those from `begin` to `end`."""
    for c in range(begin, end):
        partners.closest[c], partners.distance[c] = -1, MOST
        if 0 < groups.size[c] < smallest:
            among = (c + 1, groups.size.size, smallest)
            partners.closest[c], partners.distance[c] = nearest(measure, diversity, groups, c, among, MOST)


@compiled
def unify_small(
    measure: Measure, diversity: Diversity, groups: Groups, partners: Partners, codes: Ints, smallest: int, times: int
) -> int:
    """Unite the two closest clusters below k rows so many times; returns how often there were two."""
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
        for e in range(d):
            if e == c or partners.closest[e] < 0:
                continue
            if partners.closest[e] == c or partners.closest[e] == d:
                find_partners(measure, diversity, groups, partners, smallest, e, e + 1)
            elif e < c and groups.size[c] < smallest:
                nearer = partners.distance[e] + (c < partners.closest[e])
                found, distance = nearest(measure, diversity, groups, e, (c, c + 1, smallest), nearer)
                if found >= 0:
                    partners.closest[e], partners.distance[e] = found, distance
    return times


@compiled
def nearest(
    measure: Measure, diversity: Diversity, groups: Groups, c: int, among: tuple[int, int, int], limit: int
) -> Any:
    """The other cluster whose union with one costs least more than both, and how much more.

    Looked for are those from a first to a last number with fewer than so many rows, and nearer than the limit.
    """
    own = groups.size[c] * groups.total[c]
    limit = limit + own if limit < MOST - own else MOST
    low, high, held, size = groups.low[c], groups.high[c], groups.held[c], groups.size[c]
    found, rise = _closest(measure, diversity, groups, low, high, held, size, c, NONE, among, NONE, limit)
    return found, rise - own


@compiled
def unite(measure: Measure, groups: Groups, codes: Ints, c: int, gone: int) -> None:
    """Put all rows of a cluster into another."""
    while groups.head[gone] >= 0:
        row = groups.head[gone]
        _unlink(groups, row)
        _link(groups, row, c)
        for a in range(codes.shape[1]):
            _take_in(measure, groups, c, a, codes[row, a])
    for a in range(codes.shape[1]):
        _settle(measure, groups, c, a)


@compiled
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
    among: tuple[int, int, int],
    since: int,
    limit: int,
) -> Any:
    """Where one or more rows join at the least cost below a limit, and that cost; −1 and the limit if nowhere.

    The rows have codes from `lows` to `highs` and the values `bits` of sets. Their home is left out, and so are
    clusters that have not changed since a time. One row (not −1) must leave the cluster that it joins diverse.
    """
    # The loop over all clusters is where the time goes, so there are no calls and no fields of tuples in it.
    space, price, weights, before = measure
    kind, missing, codes_at, nodes_at = space.kind, space.missing, space.codes_at, space.nodes_at
    parent, node_low, node_high, node_cost = space.parent, space.low, space.high, space.cost
    position, full, span = space.position, space.full, space.span
    total, sizes, changed, cost, shown = groups.total, groups.size, groups.changed, groups.cost, groups.shown
    first, last, weight, held, word_at = groups.first, groups.last, groups.weight, groups.held, groups.word_at
    by_loss, demanding, best = price.size == 0, row >= 0 and diversity.most.shape[0] > 0, NONE
    begin, end, below = among
    for h in range(begin, end):
        # The joined rows cost no less than rows of the cluster do already.
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
                now = min(full, (heavier - 1) * full // span[a]) if by_loss else price[heavier]
            elif low == missing[a] or first[h, a] == missing[a]:
                now = full if by_loss else price[price.size - 1]
            else:
                lowest, highest = at + min(low, first[h, a]), at + max(high, last[h, a])
                if by_loss:
                    now = position[highest] - position[lowest]
                else:
                    now = price[before[highest] + weights[highest] - before[lowest]]
            rise += both * (now - cost[h, a])
            if rise >= limit:
                break
        if rise < limit and (not demanding or _diverse(diversity, groups, h, NONE, row)):
            best, limit = h, rise
    return best, limit


@compiled
def _toggle(measure: Measure, groups: Groups, codes: Ints, bits: Words) -> None:
    """Put the values of a row in sets into words of bits, or take them out again."""
    for a in range(codes.size):
        if measure.space.kind[a] == SET:
            bits[groups.word_at[a] + codes[a] // 64] ^= np.uint64(1) << np.uint64(codes[a] % 64)


@compiled
def _diverse(diversity: Diversity, groups: Groups, c: int, out: int, into: int) -> bool:
    """Whether a cluster is diverse once a row has left and another has come (−1: none)."""
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


@compiled
def _cost_without(measure: Measure, groups: Groups, codes: Ints, row: int) -> Any:
    """What a row of a row's cluster costs once the row has left."""
    c = groups.home[row]
    total = groups.total[c]
    for a in range(codes.shape[1]):
        changes, low, high, weight = _without(measure, groups, codes, row, a)
        if changes:
            total += _cell_cost(measure, a, low, high, weight) - groups.cost[c, a]
    return total


@compiled
def _without(measure: Measure, groups: Groups, codes: Ints, row: int, attribute: int) -> Any:
    """Whether an attribute of a row's cluster changes when the row leaves; then its codes and the weight of a set."""
    c, code = groups.home[row], codes[row, attribute]
    low, high, weight = groups.low[c, attribute], groups.high[c, attribute], groups.weight[c, attribute]
    is_set = measure.space.kind[attribute] == SET
    if low < code < high and not is_set:
        return False, low, high, weight
    lowest, highest = np.int32(np.iinfo(np.int32).max), np.int32(-1)
    other = groups.head[c]
    while other >= 0:
        if other != row:
            value = codes[other, attribute]
            if value == code:
                return False, low, high, weight
            lowest, highest = min(lowest, value), max(highest, value)
        other = groups.after[other]
    if is_set:
        weight -= measure.weight[measure.space.codes_at[attribute] + code]
    return True, lowest, highest, weight


@compiled
def _move(measure: Measure, groups: Groups, codes: Ints, row: int, to: int) -> None:
    """Take a row out of its cluster and put it into another."""
    c = groups.home[row]
    for a in range(codes.shape[1]):
        code = codes[row, a]
        changes, low, high, weight = _without(measure, groups, codes, row, a)
        if changes and groups.size[c] > 1:
            if measure.space.kind[a] == SET:
                groups.held[c, groups.word_at[a] + code // 64] &= ~(np.uint64(1) << np.uint64(code % 64))
            groups.low[c, a], groups.high[c, a], groups.weight[c, a] = low, high, weight
            _settle(measure, groups, c, a)
        covered = groups.first[to, a] <= code <= groups.last[to, a]
        _take_in(measure, groups, to, a, code)
        if not covered:
            _settle(measure, groups, to, a)
    _unlink(groups, row)
    _link(groups, row, to)


@compiled
def _link(groups: Groups, row: int, c: int) -> None:
    """Put a row into the list of a cluster."""
    groups.home[row] = c
    groups.prior[row] = -1
    groups.after[row] = groups.head[c]
    if groups.head[c] >= 0:
        groups.prior[groups.head[c]] = row
    groups.head[c] = row
    groups.size[c] += 1


@compiled
def _unlink(groups: Groups, row: int) -> None:
    """Take a row out of the list of its cluster."""
    c = groups.home[row]
    if groups.prior[row] < 0:
        groups.head[c] = groups.after[row]
    else:
        groups.after[groups.prior[row]] = groups.after[row]
    if groups.after[row] >= 0:
        groups.prior[groups.after[row]] = groups.prior[row]
    groups.size[c] -= 1


@compiled
def _take_in(measure: Measure, groups: Groups, c: int, attribute: int, code: int) -> None:
    """One more value of an attribute of a cluster."""
    groups.low[c, attribute] = min(groups.low[c, attribute], code)
    groups.high[c, attribute] = max(groups.high[c, attribute], code)
    if measure.space.kind[attribute] == SET:
        word, bit = groups.word_at[attribute] + code // 64, np.uint64(1) << np.uint64(code % 64)
        if not groups.held[c, word] & bit:
            groups.held[c, word] |= bit
            groups.weight[c, attribute] += measure.weight[measure.space.codes_at[attribute] + code]


@compiled
def _settle(measure: Measure, groups: Groups, c: int, attribute: int) -> None:
    """What a cluster with rows now shows of an attribute, and what that costs."""
    space = measure.space
    low, high = groups.low[c, attribute], groups.high[c, attribute]
    cost = _cell_cost(measure, attribute, low, high, groups.weight[c, attribute])
    groups.total[c] += cost - groups.cost[c, attribute]
    groups.cost[c, attribute] = cost
    if space.kind[attribute] == TREE:
        node, at = cover(space, attribute, low, high), space.nodes_at[attribute]
        groups.shown[c, attribute] = node
        low, high = space.low[at + node], space.high[at + node]
    elif space.kind[attribute] == SET:
        low, high = np.int32(1), np.int32(0)
    elif low == space.missing[attribute] and high > low:
        high = np.int32(space.size[attribute] - 1)
    groups.first[c, attribute] = low
    groups.last[c, attribute] = high


@compiled
def _cell_cost(measure: Measure, attribute: int, low: int, high: int, weight: int) -> Any:
    """What a cell costs whose values run from `low` to `high` or are a set of the given weight."""
    space = measure.space
    if measure.price.size == 0:
        return shown_cost(space, attribute, low, high, weight)
    if space.kind[attribute] == TREE:
        return space.cost[space.nodes_at[attribute] + cover(space, attribute, low, high)]
    if space.kind[attribute] == SET:
        return measure.price[weight]
    if low == space.missing[attribute] and high > low:
        return measure.price[measure.price.size - 1]
    at = space.codes_at[attribute]
    return measure.price[measure.before[at + high] + measure.weight[at + high] - measure.before[at + low]]
