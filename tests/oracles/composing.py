"""Composing and exchanging, word for word: every box, every part of it, every row that joins, every change."""

from __future__ import annotations

from collections import Counter

SIXTEENTHS = (64, 48, 32, 24, 20, 16, 14, 12, 10, 8, 6, 4)


def parts(box, left, smallest):
    """A box (a count of each value) and its parts, with less and less of the values that are frequent in it."""
    rows, whole = sum(box), sum(left)
    found = [list(box)]
    for times in SIXTEENTHS:
        part = [min(have, -(-share * rows * times // (16 * whole))) for have, share in zip(box, left, strict=True)]
        if sum(part) < smallest:
            break
        if sum(part) < sum(found[-1]):
            found.append(part)
    return found


def cost(rows, classes, price):
    """What all classes cost: each row what its class shows."""
    return sum(len(members) * price([rows[i] for i in members]) for members in classes if members)


def placed(rows, values, ids, price, holds, limit):
    """The class of each row after those without one (−1) have joined, in rounds: one row a class and round.

    `price` says what a row of a class costs, `holds` whether a class may have such a count of values. A row stays with
    the class that it found before, unless that is dearer now or one that changed in the last round costs less.
    """
    ids = list(ids)
    classes = range(max(ids, default=-1) + 1)
    found, changed, waiting = {}, [], [i for i, c in enumerate(ids) if c < 0]

    def more(i, c):
        members = [rows[j] for j, own in enumerate(ids) if own == c]
        return (len(members) + 1) * price([*members, rows[i]]) - len(members) * price(members)

    while waiting:
        held = [Counter(values[i] for i, own in enumerate(ids) if own == c) for c in classes]
        moved = []
        for i in waiting:
            own = [c for c in classes if holds(held[c] + Counter([values[i]]))]
            best, least = found.get(i, (None, limit))
            look = changed
            if i not in found or (best is not None and (best not in own or more(i, best) > least)):
                best, least, look = None, limit, classes
            for c in look:
                if c in own and more(i, c) < least:
                    best, least = c, more(i, c)
            found[i] = best, least
            if best is not None and best not in moved:
                ids[i] = best
                moved.append(best)
        if not moved:
            break
        waiting, changed = [i for i in waiting if ids[i] < 0], sorted(moved)
    return ids


def placed_by_cost(rows, values, ids, price, holds, limit, most):
    """The same in rounds in which a class takes up to `most` rows, in the order of what the rows cost so far.

    Before the first round each row finds its class. Classes that may take a value are looked up once a round; only that
    of the row itself is looked up again before it joins.
    """
    ids = list(ids)
    classes = range(max(ids, default=-1) + 1)
    found, changed, waiting = {}, [], [i for i, c in enumerate(ids) if c < 0]

    def more(i, c):
        members = [rows[j] for j, own in enumerate(ids) if own == c]
        return (len(members) + 1) * price([*members, rows[i]]) - len(members) * price(members)

    def may_join(i, c):
        return holds(Counter(values[j] for j, own in enumerate(ids) if own == c) + Counter([values[i]]))

    for may_take in [0] + [most] * len(waiting):
        before = {
            value: [c for c in classes if any(values[i] == value and may_join(i, c) for i in waiting)]
            for value in set(values)
        }
        taken = Counter()
        for i in waiting:
            best, least = found.get(i, (None, limit))
            look = [c for c in changed if c in before[values[i]]]
            if i not in found or (best is not None and (not may_join(i, best) or more(i, best) > least)):
                best, least, look = None, limit, before[values[i]]
            for c in look:
                if more(i, c) < least:
                    best, least = c, more(i, c)
            found[i] = best, least
            if best is not None and taken[best] < may_take and may_join(i, best):
                ids[i] = best
                taken[best] += 1
        if may_take and not taken:
            break
        waiting, changed = sorted((i for i in waiting if ids[i] < 0), key=lambda i: found[i][1]), sorted(taken)
    return ids


def best_change(rows, values, ids, i, price, holds):
    """What lowers the cost most for one row: how much, the class, and the row to change places with (None: move)."""
    classes = [[j for j, c in enumerate(ids) if c == own] for own in range(max(ids) + 1)]
    home, before = ids[i], cost(rows, classes, price)
    best = (0, None, None)
    for c, members in enumerate(classes):
        if c == home or len(members) < 2 or len(classes[home]) < 2:
            continue
        for j in [None, *members]:
            if j is not None and values[j] != values[i]:
                continue
            after = [list(own) for own in classes]
            after[home].remove(i)
            after[c].append(i)
            if j is not None:
                after[c].remove(j)
                after[home].append(j)
            elif not all(holds(Counter(values[row] for row in after[own])) for own in (home, c)):
                continue
            saved = before - cost(rows, after, price)
            if saved > best[0]:
                best = (saved, c, j)
    return best
