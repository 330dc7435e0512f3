"""Ruin and recreate: neighbouring clusters give up their rows, which form new clusters.

G. Schrimpf et al., Record breaking optimization results using the ruin and recreate principle (2000),
doi:10.1006/jcph.1999.6413.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs, Words
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.local_recoding.draws import draw, heads_before_tails
from shoal.kernels.local_recoding.new_clusters import (
    CELL,
    LARGEST_INT,
    Anew,
    Desk,
    Scores,
    cheapest,
    cost_without,
    helpful,
    let_go,
    stays_good,
    take_in,
)
from shoal.kernels.local_recoding.pair_costs import Costs, Few, few_rows
from shoal.kernels.local_recoding.verdicts import Conditions

NEIGHBOURS = 5  # clusters that give up their rows together, at most; more, up to
SMALL_NEIGHBOURS = 8  # of them, if there are few
SMALL_ROWS = 20  # rows in all
STEPS = 400  # rows that are examined for them
ROWS = 400  # that are given up together, at most; always four clusters of the smallest size, but
MAX_ROWS_IN_PAIRS = 4000  # rows are too many for the table of what any two values cost
PASSES = 4  # of moves
ONCE = 8000  # cells that could be examined in the time that finding neighbours takes
PAIR = 16  # likewise for what two different values cost
HOME, AFTER, BULK = range(3)  # of a row: its cluster, the next row of that, and how many it stands for
HEAD, NUMBER, SIZE, TOTAL, BUSY = range(5)  # of a cluster: first row, rows, their weight, cost of a row, and waiting


class Search(NamedTuple):
    """The clusters while they form anew, the random number, and an order of the rows."""

    rows: Longs  # a line for each row
    clusters: Longs  # a line for each cluster
    order: Longs  # 2 × rows: the order, and the place of each row in it
    spare: Longs  # empty clusters; the last number is how many there are
    random: Words  # one
    rank_of: Ints  # scratch space for ranking values


class Proposal(NamedTuple):
    """Clusters that give up their rows, and the new clusters that these would form; none, if they were replaced."""

    gone: Longs
    rows: Longs
    home: Longs  # of each row: its new cluster
    made: Longs  # new clusters × (weight, cost of a row)
    saved: Any  # by how much they cost less; below 0: more
    work: Any  # cells that were examined


@compiled
def recreate(
    costs: Costs,
    conditions: Conditions,
    search: Search,
    cells: Ints,
    smallest: int,
    heat: int,
    work: int,
    proposing: bool,
) -> Any:
    """Let neighbouring clusters form anew, again and again, until so many cells were examined; return what that saved.

    New clusters that cost more are dropped: by at least `heat` times a random number that is 0, 1, 2, … with
    probability 1/2, 1/4, 1/8, …, or if they are about to cost half as much again. If only proposing, return the first
    that are not, and replace nothing. All in one function, as each that makes arrays is compiled twice.
    """
    random, clusters, desk = search.random, search.clusters, _desk(search, smallest)
    attributes = cells.shape[1] - conditions.rule.shape[0]
    rows, count, saved, done = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    while done < work:
        rows, count = _neighbours(search, desk, smallest), np.int64(0)
        done += np.int64(ONCE) + rows * rows * costs.attribute.shape[0]
        before, bulk = np.int64(0), np.int64(0)
        for i in range(desk.gone[desk.gone.size - 1]):
            c = desk.gone[i]
            before += clusters[c, SIZE] * clusters[c, TOTAL]
            bulk += clusters[c, SIZE]
        if bulk < 2 * smallest:
            continue
        few = few_rows(costs, cells, desk.row, rows, search.rank_of)
        done += PAIR * few.pair_at[cells.shape[1]]
        rise = heat * heads_before_tails(random)
        most = min(rows, bulk // smallest)
        anew = Anew(
            np.zeros((most, attributes, 3), np.int64),
            np.zeros((most, few.start[cells.shape[1]]), np.int32),
            np.zeros((most, few.start[attributes]), np.int64),
            np.zeros(few.start[attributes], np.int64),
            np.empty(attributes, np.int64),
        )
        scores = Scores(
            np.empty(rows, np.int64), np.empty(attributes, np.int64), np.zeros(few.start[cells.shape[1]], np.int64)
        )
        limit = before + before // 2 + rise
        count = _grown(costs, conditions, search, desk, few, anew, scores, rows, bulk, smallest, limit)
        if count == 0:
            continue
        _move(costs, conditions, search, desk, few, anew, rows, count, smallest)
        after = np.int64(0)
        for c in range(count):
            after += desk.made[c, 0] * desk.made[c, 1]
        if after > before and after - before >= rise:
            count = np.int64(0)
            continue
        saved += before - after
        if proposing:
            break
        _replace(search, desk.gone, desk.gone[desk.gone.size - 1], desk.row, desk.home, rows, desk.made, count)
    many = desk.gone[desk.gone.size - 1]
    if not proposing or count == 0:
        rows, count, many = np.int64(0), np.int64(0), np.int64(0)
    return Proposal(desk.gone[:many], desk.row[:rows], desk.home[:rows], desk.made[:count], saved, done)


@compiled
def accept(search: Search, proposal: Proposal) -> None:
    """Replace the clusters that give up their rows by those of a proposal."""
    gone, rows, made = proposal.gone, proposal.rows, proposal.made
    _replace(search, gone, gone.size, rows, proposal.home, rows.size, made, made.shape[0])


@compiled
def _desk(search: Search, smallest: int) -> Any:
    """Return scratch space for as many rows as may be given up together, and one cluster more."""
    most = min(_most_rows(smallest), np.int64(search.rows.shape[0]))
    return Desk(
        np.zeros(SMALL_NEIGHBOURS + 1, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.uint32),
        np.empty((most, 2), np.int64),
    )


@lean
def _most_rows(smallest: int) -> Any:
    """Return how many rows may be given up together."""
    return max(np.int64(ROWS), min(4 * np.int64(smallest), np.int64(MAX_ROWS_IN_PAIRS)))


@lean
def _replace(
    search: Search, gone: Longs, many: int, row: Longs, home: Longs, rows: int, made: Longs, count: int
) -> None:
    """Replace clusters by new ones of the same rows."""
    spare, clusters, lines = search.spare, search.clusters, search.rows
    spares = spare[spare.size - 1]
    for i in range(many):
        spare[spares + i] = gone[i]
        clusters[gone[i], HEAD], clusters[gone[i], NUMBER] = -1, 0
        clusters[gone[i], SIZE], clusters[gone[i], TOTAL] = 0, 0
    spares += many - count
    spare[spare.size - 1] = spares
    for c in range(count):
        clusters[spare[spares + c], SIZE], clusters[spare[spares + c], TOTAL] = made[c, 0], made[c, 1]
    for i in range(rows):
        c = spare[spares + home[i]]
        lines[row[i], HOME], lines[row[i], AFTER] = c, clusters[c, HEAD]
        clusters[c, HEAD] = row[i]
        clusters[c, NUMBER] += 1


@lean
def _neighbours(search: Search, desk: Desk, smallest: int) -> Any:
    """List a random number of clusters that are next to each other in the order, and their rows; return how many.

    The first is the dearer one of those of two random rows. Clusters that cost nothing or are busy are skipped; there
    are none if the first is.
    """
    lines, clusters, order, gone, random = search.rows, search.clusters, search.order, desk.gone, search.random
    row, other = draw(random, lines.shape[0]), draw(random, lines.shape[0])
    if clusters[lines[other, HOME], TOTAL] > clusters[lines[row, HOME], TOTAL]:
        row = other
    middle = order[1, row]
    wanted = np.int64(NEIGHBOURS if NEIGHBOURS * smallest >= SMALL_ROWS else SMALL_NEIGHBOURS)
    wanted = 2 + draw(random, wanted - 1)
    count, rows, most = np.int64(0), np.int64(0), desk.row.size
    for step in range(STEPS):
        place = middle - (step + 1) // 2 if step % 2 else middle + step // 2
        if not 0 <= place < lines.shape[0]:
            continue
        c = lines[order[0, place], HOME]
        taken = clusters[c, TOTAL] == 0 or rows + clusters[c, NUMBER] > most or clusters[c, BUSY] > 0
        if taken and step == 0:
            break
        for i in range(count):
            taken |= gone[i] == c
        if not taken:
            gone[count] = c
            count += 1
            rows += clusters[c, NUMBER]
            if count == wanted:
                break
    gone[gone.size - 1] = count
    place = 0
    for i in range(count):
        row = clusters[gone[i], HEAD]
        while row >= 0:
            desk.row[place], desk.bulk[place] = row, lines[row, BULK]
            place += 1
            row = lines[row, AFTER]
    return rows


@lean
def _grown(
    costs: Costs,
    conditions: Conditions,
    search: Search,
    desk: Desk,
    few: Few,
    anew: Anew,
    scores: Scores,
    rows: int,
    bulk: Any,
    smallest: int,
    limit: int,
) -> Any:
    """Grow clusters, each from a random row: add the row with which it costs least, until it is good enough.

    At random, some attributes count twice, and a cluster takes in all rows that add no cost. If only the conditions are
    not met, only rows that help are added; a cluster that lacks them is given up. Remaining rows join the cluster where
    they cost least. Return the number of clusters, 0 if they cost more than a limit or a row cannot join.
    """
    free, home, made, random = desk.free, desk.home, desk.made, search.random
    index, attributes, demands = few.ranks, anew.edge.shape[1], conditions.rule.shape[0]
    for i in range(rows):
        free[i] = i
    for a in range(attributes):
        scores.favour[a] = 1 + draw(random, 2)
    greedy = draw(random, 2) == 0
    left, rest, c, spent = np.int64(rows), bulk, np.int64(0), np.int64(0)
    while rest >= smallest:
        made[c, 0], made[c, 1] = 0, 0
        chosen, good = draw(random, left), False
        for place in range(left):
            scores.total[free[place]] = 0
        while chosen >= 0:
            i = free[chosen]
            left -= 1
            rest -= desk.bulk[i]
            free[chosen] = free[left]
            home[i] = c
            changed = take_in(costs, few, anew, made, c, i, desk.bulk[i])
            chosen = np.int64(-1)
            asked = (
                helpful(conditions, few, anew, c, made[c, 0], smallest, scores.helps) if demands > 0 else np.int64(-2)
            )
            good = asked == -2 and made[c, 0] >= smallest
            if good or left == 0:
                break
            chosen = cheapest(few, anew, scores, desk, left, draw(random, left), changed, asked, made[c, 0])
        if not good:
            for i in range(rows):
                if home[i] == c:
                    taken = True
                    for place in range(left):
                        taken &= free[place] != i
                    if taken:
                        free[left] = i
                        left += 1
            break
        last = left - 1 if greedy else np.int64(-1)
        for place in range(last, -1, -1):
            i, same = free[place], True
            for a in range(attributes):
                if anew.cost[c, index[i, a]] != anew.edge[c, a, CELL]:
                    same = False
                    break
            if same and stays_good(conditions, few, anew, made, c, i, desk.bulk[i]):
                left -= 1
                rest -= desk.bulk[i]
                free[place] = free[left]
                home[i] = c
                take_in(costs, few, anew, made, c, i, desk.bulk[i])
        spent += made[c, 0] * made[c, 1]
        c += 1
        if spent > limit:
            return np.int64(0)
    for place in range(left):
        i = free[place]
        own, best, least = desk.bulk[i], np.int64(-1), LARGEST_INT
        for d in range(c):
            now = np.int64(0)
            for a in range(attributes):
                now += anew.cost[d, index[i, a]]
            rise = (made[d, 0] + own) * now - made[d, 0] * made[d, 1]
            if rise < least and stays_good(conditions, few, anew, made, d, i, own):
                best, least = np.int64(d), rise
        if best < 0:
            return np.int64(0)
        home[i] = best
        take_in(costs, few, anew, made, best, i, own)
        spent += least
        if spent > limit:
            return np.int64(0)
    return c


@lean
def _move(
    costs: Costs,
    conditions: Conditions,
    search: Search,
    desk: Desk,
    few: Few,
    anew: Anew,
    rows: int,
    clusters: int,
    smallest: int,
) -> None:
    """Move rows to where that lowers the cost most, if their clusters can spare them and both stay good."""
    home, made, attributes = desk.home, desk.made, anew.edge.shape[1]
    for _ in range(PASSES):
        moved = False
        for i in range(rows):
            c, own = home[i], desk.bulk[i]
            if made[c, 0] - own < smallest:
                continue
            without = cost_without(costs, few, anew, made, c, i)
            best, least = np.int64(-1), made[c, 0] * made[c, 1] - (made[c, 0] - own) * without
            for d in range(clusters):
                if d == c or own * made[d, 1] >= least:
                    continue
                now = np.int64(0)
                for a in range(attributes):
                    now += anew.cost[d, few.ranks[i, a]]
                rise = (made[d, 0] + own) * now - made[d, 0] * made[d, 1]
                if rise < least and stays_good(conditions, few, anew, made, d, i, own):
                    best, least = np.int64(d), rise
            if best >= 0 and stays_good(conditions, few, anew, made, c, i, -own):
                let_go(costs, few, anew, made, c, i, own)
                home[i] = best
                take_in(costs, few, anew, made, best, i, own)
                moved = True
        if not moved:
            break
