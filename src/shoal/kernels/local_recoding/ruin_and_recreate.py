"""Ruin and recreate: neighbouring clusters give up their rows, which form new clusters.

G. Schrimpf et al., Record breaking optimization results using the ruin and recreate principle (2000),
doi:10.1006/jcph.1999.6413.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Flags, Ints, Longs, Words
from shoal.kernels.clustering.sequential import Diversity
from shoal.kernels.compiling import compiled
from shoal.kernels.local_recoding.pair_costs import WORD, Few, few_rows
from shoal.kernels.local_recoding.row_clusters import Groups, Measure, replace

NEIGHBOURS = 8  # clusters that give up their rows together, at most
STEPS = 400  # rows that are examined for them
ROWS = 400  # that are given up together, at most; always four clusters of the smallest size, but
MAX_ROWS_IN_PAIRS = 4000  # rows are too many for the table of what any two values cost
PASSES = 4  # of moves
ONCE = 8000  # cells that could be examined in the time that finding neighbours takes
LARGEST_INT: Any = np.int64(np.iinfo(np.int64).max)


class Walk(NamedTuple):
    """The state of a search: its random number, an order of the rows, and the empty clusters."""

    random: Words  # one
    order: Longs  # rows
    place: Longs  # of each row in the order
    spare: Longs  # empty clusters
    spares: Longs  # how many there are
    rank_of: Ints  # scratch space for ranking values
    busy: Flags  # clusters that wait for a verdict


class Anew(NamedTuple):
    """The new clusters of a few rows."""

    home: Longs  # of each row: its cluster
    size: Longs
    total: Longs  # of each cluster: what a row of it costs
    low: Ints  # clusters × attributes: the lowest rank
    high: Ints
    held: Words  # clusters × attributes: the ranks in a set, a bit for each


class Proposal(NamedTuple):
    """Clusters that give up their rows, and the new clusters that these would form."""

    gone: Longs
    rows: Longs
    home: Longs  # of each row: its new cluster
    count: Any  # of new clusters
    saved: Any  # by how much they cost less; below 0: more
    work: Any  # cells that were examined


@compiled
def recreate(
    measure: Measure, diversity: Diversity, groups: Groups, walk: Walk, codes: Ints, smallest: int, heat: int, work: int
) -> Any:
    """Let neighbouring clusters form anew, again and again; return the total saving and the work done."""
    saved, done = np.int64(0), np.int64(0)
    while done < work:
        proposal = propose(measure, diversity, groups, walk, codes, smallest, heat, work - done)
        accept(measure, groups, walk, codes, proposal)
        saved += proposal.saved
        done += proposal.work
    return saved, done


@compiled
def propose(
    measure: Measure, diversity: Diversity, groups: Groups, walk: Walk, codes: Ints, smallest: int, heat: int, work: Any
) -> Any:
    """Return the first neighbouring clusters that cost less when they form anew.

    A higher cost is accepted, too, if it is below `heat` times a random number that is 0, 1, 2, … with probability
    1/2, 1/4, 1/8, … Return no clusters if none is found before this many cells were examined.
    """
    done, random, place_of = np.int64(0), walk.random, walk.place
    while done < work:
        gone = _neighbours(groups, walk, place_of[_draw(random, codes.shape[0])], smallest)
        rows = _rows_of(groups, gone)
        bulk = groups.bulk[rows]
        done += ONCE + rows.size * rows.size * codes.shape[1]
        if bulk.sum() < 2 * smallest:
            continue
        few = few_rows(measure, codes, rows, walk.rank_of)
        if (few.width[few.is_set] > WORD).any():
            continue
        before = np.int64(0)
        for c in gone:
            before += groups.size[c] * groups.total[c]
        anew = _grown(few, bulk, random, smallest)
        _move(few, bulk, anew, smallest)
        after = (anew.size * anew.total).sum()
        if after > before and after - before >= heat * _heads(random):
            continue
        if _diverse(diversity, anew, rows, bulk):
            return Proposal(gone, rows, anew.home, np.int64(anew.size.size), before - after, done)
    none = np.zeros(0, np.int64)
    return Proposal(none, none, none, np.int64(0), np.int64(0), done)


@compiled
def accept(measure: Measure, groups: Groups, walk: Walk, codes: Ints, proposal: Proposal) -> None:
    """Replace the clusters that give up their rows by those of a proposal."""
    spare, spares, gone = walk.spare, walk.spares, proposal.gone
    spare[spares[0] : spares[0] + gone.size] = gone
    spares[0] += gone.size - proposal.count
    replace(measure, groups, codes, gone, proposal.rows, spare[spares[0] + proposal.home])


@compiled
def _neighbours(groups: Groups, walk: Walk, middle: int, smallest: int) -> Any:
    """Return the cluster of a row, and a random number of others whose rows are next to it in the order.

    Clusters that cost nothing or are busy are skipped; return none if the row's own is.
    """
    home, total, size, order, busy = groups.home, groups.total, groups.number, walk.order, walk.busy
    found = np.empty(NEIGHBOURS, np.int64)
    wanted = 2 + _draw(walk.random, NEIGHBOURS - 1)
    count, rows, most = 0, np.int64(0), max(np.int64(ROWS), min(4 * smallest, np.int64(MAX_ROWS_IN_PAIRS)))
    for step in range(STEPS):
        place = middle - (step + 1) // 2 if step % 2 else middle + step // 2
        if not 0 <= place < order.size:
            continue
        c = home[order[place]]
        taken = total[c] == 0 or rows + size[c] > most or busy[c]
        if taken and step == 0:
            break
        for other in found[:count]:
            taken |= other == c
        if not taken:
            found[count] = c
            count += 1
            rows += size[c]
            if count == wanted:
                break
    return found[:count]


@compiled
def _rows_of(groups: Groups, clusters: Longs) -> Any:
    """Return all rows of some clusters."""
    head, after = groups.head, groups.after
    rows = np.empty(groups.number[clusters].sum(), np.int64)
    place = 0
    for c in clusters:
        row = head[c]
        while row >= 0:
            rows[place] = row
            place += 1
            row = after[row]
    return rows


@compiled
def _grown(few: Few, bulk: Longs, random: Words, smallest: int) -> Any:
    """Grow clusters, each from a random row: add the row with which it costs least, until it is large enough.

    At random, some attributes count twice, and a cluster takes in all rows that add no cost. Remaining rows join the
    cluster where they cost least.
    """
    ranks, width, cost, cost_at, is_set, price, price_at, factor = few
    rows, attributes = ranks.shape
    rest = bulk.sum()
    most = min(np.int64(rows), rest // smallest)
    home, size, total = np.empty(rows, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    low, high = np.empty((most, attributes), np.int32), np.empty((most, attributes), np.int32)
    held = np.zeros((most, attributes), np.uint64)
    free, left, c = np.arange(rows), rows, 0
    favour = np.empty(attributes, np.int64)
    for a in range(attributes):
        favour[a] = 1 + _draw(random, 2)
    greedy = _draw(random, 2) == 0
    while rest >= smallest:
        chosen = _draw(random, left)
        while chosen >= 0:
            row = free[chosen]
            left -= 1
            rest -= bulk[row]
            free[chosen] = free[left]
            home[row] = c
            _take_in(ranks, is_set, bulk, row, c, size, low, high, held)
            chosen, least = -1, LARGEST_INT
            if size[c] < smallest:
                begin = _draw(random, left)
                for step in range(left):
                    place = begin + step if begin + step < left else begin + step - left
                    now, after = np.int64(0), size[c] + bulk[free[place]]
                    for a in range(attributes):
                        rank = ranks[free[place], a]
                        if is_set[a]:
                            more = _set_cost(cost, cost_at, price, price_at, factor, a, held[c, a] | _bit(rank))
                        else:
                            more = cost[cost_at[a] + min(low[c, a], rank) * width[a] + max(high[c, a], rank)]
                        now += favour[a] * more * after
                        if now >= least:
                            break
                    if now < least:
                        chosen, least = place, now
        for a in range(attributes):
            total[c] += _cell(few, a, low[c, a], high[c, a], held[c, a])
        place = left - 1 if greedy else -1
        while place >= 0:
            row, now = free[place], np.int64(0)
            for a in range(attributes):
                rank = ranks[row, a]
                if is_set[a]:
                    more = _set_cost(cost, cost_at, price, price_at, factor, a, held[c, a] | _bit(rank))
                else:
                    more = cost[cost_at[a] + min(low[c, a], rank) * width[a] + max(high[c, a], rank)]
                now += more
                if now > total[c]:
                    break
            if now == total[c]:
                left -= 1
                rest -= bulk[row]
                free[place] = free[left]
                home[row] = c
                _take_in(ranks, is_set, bulk, row, c, size, low, high, held)
            place -= 1
        c += 1
    for row in free[:left]:
        best, least, dearest = 0, LARGEST_INT, np.int64(0)
        for d in range(c):
            now = np.int64(0)
            for a in range(attributes):
                rank = ranks[row, a]
                if is_set[a]:
                    more = _set_cost(cost, cost_at, price, price_at, factor, a, held[d, a] | _bit(rank))
                else:
                    more = cost[cost_at[a] + min(low[d, a], rank) * width[a] + max(high[d, a], rank)]
                now += more
            rise = (size[d] + bulk[row]) * now - size[d] * total[d]
            if rise < least:
                best, least, dearest = d, rise, now
        home[row], total[best] = best, dearest
        _take_in(ranks, is_set, bulk, row, best, size, low, high, held)
    return Anew(home, size[:c], total[:c], low, high, held)


@compiled
def _move(few: Few, bulk: Longs, anew: Anew, smallest: int) -> None:
    """Move rows to where that lowers the cost most, if their clusters can spare them."""
    ranks, width, cost, cost_at, is_set, price, price_at, factor = few
    home, size, total, low, high, held = anew
    rows, attributes = ranks.shape
    lows, highs, bits = np.empty(attributes, np.int32), np.empty(attributes, np.int32), np.zeros(attributes, np.uint64)
    for _ in range(PASSES):
        moved = False
        for row in range(rows):
            c, own = home[row], bulk[row]
            if size[c] - own < smallest:
                continue
            lows[:], highs[:], bits[:] = np.iinfo(np.int32).max, -1, 0
            for other in range(rows):
                if home[other] == c and other != row:
                    for a in range(attributes):
                        rank = ranks[other, a]
                        lows[a], highs[a] = min(lows[a], rank), max(highs[a], rank)
                        if is_set[a]:
                            bits[a] |= _bit(rank)
            without = np.int64(0)
            for a in range(attributes):
                without += _cell(few, a, lows[a], highs[a], bits[a])
            best, least, dearest = -1, size[c] * total[c] - (size[c] - own) * without, np.int64(0)
            for d in range(size.size):
                if d == c or own * total[d] >= least:
                    continue
                now = np.int64(0)
                for a in range(attributes):
                    rank = ranks[row, a]
                    if is_set[a]:
                        more = _set_cost(cost, cost_at, price, price_at, factor, a, held[d, a] | _bit(rank))
                    else:
                        more = cost[cost_at[a] + min(low[d, a], rank) * width[a] + max(high[d, a], rank)]
                    now += more
                rise = (size[d] + own) * now - size[d] * total[d]
                if rise < least:
                    best, least, dearest = d, rise, now
            if best >= 0:
                low[c], high[c], held[c] = lows, highs, bits
                size[c] -= own
                total[c], total[best] = without, dearest
                home[row] = best
                _take_in(ranks, is_set, bulk, row, best, size, low, high, held)
                moved = True
        if not moved:
            break


@compiled
def _take_in(
    ranks: Ints, is_set: Flags, bulk: Longs, row: int, c: int, size: Longs, low: Ints, high: Ints, held: Words
) -> None:
    """Add a row to a cluster."""
    for a in range(is_set.size):
        rank = ranks[row, a]
        low[c, a] = min(low[c, a], rank) if size[c] > 0 else rank
        high[c, a] = max(high[c, a], rank) if size[c] > 0 else rank
        if is_set[a]:
            held[c, a] |= _bit(rank)
    size[c] += bulk[row]


@compiled
def _cell(few: Few, a: int, low: int, high: int, held: Any) -> Any:
    """Return what a cell costs whose ranks run from `low` to `high`, or are the bits `held` of a set."""
    if few.is_set[a]:
        return _set_cost(few.cost, few.cost_at, few.price, few.price_at, few.factor, a, held)
    return few.cost[few.cost_at[a] + low * few.width[a] + high]


@compiled
def _set_cost(cost: Longs, cost_at: Longs, price: Longs, price_at: Longs, factor: Longs, a: int, held: Any) -> Any:
    """Return what a set costs, by the weights of its values."""
    weight, at = np.int64(0), cost_at[a]
    while held:
        # The place of the lowest bit: each step rules out half of the candidates.
        lowest = held & (~held + np.uint64(1))
        weight += cost[at + _place(lowest)]
        held ^= lowest
    return price[price_at[a] + weight] * factor[a]


@compiled
def _place(bit: Any) -> Any:
    """Return the place of a single bit."""
    place = np.int64(0)
    for half in (32, 16, 8, 4, 2, 1):
        if bit >> np.uint64(half):
            bit >>= np.uint64(half)
            place += half
    return place


@compiled
def _bit(rank: int) -> Any:
    return np.uint64(1) << np.uint64(rank & 63)


@compiled
def _diverse(diversity: Diversity, anew: Anew, rows: Longs, bulk: Longs) -> bool:
    """Return whether no sensitive value has too many rows of a cluster."""
    for condition in range(diversity.most.shape[0]):
        values, seen = diversity.values[rows, condition], diversity.seen
        for c in range(anew.size.size):
            most = np.int64(0)
            for place in range(rows.size):
                if anew.home[place] == c:
                    seen[values[place]] += bulk[place]
                    most = max(most, seen[values[place]])
            seen[values] = 0
            if most > diversity.most[condition, anew.size[c]]:
                return False
    return True


@compiled
def _draw(random: Words, below: int) -> Any:
    """Draw a random number from 0 to below a limit (G. Marsaglia, Xorshift RNGs, 2003, doi:10.18637/jss.v008.i14)."""
    number = random[0]
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    random[0] = number
    return np.int64((number >> np.uint64(33)) % np.uint64(below))


@compiled
def _heads(random: Words) -> Any:
    """Toss a coin; return how often it shows heads before tails."""
    bits, heads = _draw(random, 1 << 30), np.int64(0)
    while heads < 30 and bits & 1 == 0:
        bits >>= 1
        heads += 1
    return heads
