"""Rows without an order: whether each released row can be a row of the original that no other one is."""

from __future__ import annotations

from collections import Counter, defaultdict


def as_multiset(rows, shown, exact, quasi, covers):
    """Pairs of an original and a released row, each used once; None where there is no such matching.

    `exact` are the columns that must be equal, and covers(name, label, value) says whether a label covers a value.
    Rows that are equal in all that matters are counted, not told apart, and looked at together.
    """
    before, after = defaultdict(lambda: defaultdict(list)), defaultdict(lambda: defaultdict(list))
    for row in rows:
        before[tuple(row[name] for name in exact)][tuple(row[name] for name in quasi)].append(row)
    for row in shown:
        after[tuple(row[name] for name in exact)][tuple(row[name] for name in quasi)].append(row)
    pairs = []
    for key, wanted in after.items():
        there = before.get(key, {})
        allowed = {
            labels: [
                values
                for values in there
                if all(covers(name, *cell) for name, *cell in zip(quasi, labels, values, strict=True))
            ]
            for labels in wanted
        }
        sent = flow(
            {labels: len(some) for labels, some in wanted.items()},
            {values: len(some) for values, some in there.items()},
            allowed,
        )
        if sent is None:
            return None
        for (labels, values), count in sent.items():
            pairs += [(there[values].pop(), wanted[labels].pop()) for _ in range(count)]
    return pairs


def flow(supply, room, allowed):
    """How many of each supply go to each place that is allowed, all of them somewhere; None where that cannot be."""
    sent, free = Counter(), Counter(room)
    holders = defaultdict(set)  # of each place, the supplies that have sent something there
    for source in sorted(supply, key=lambda one: len(allowed[one])):
        left = supply[source]
        while left:
            path = augmenting(source, allowed, free, holders)
            if path is None:
                return None
            amount = min([left, free[path[-1]], *(sent[path[at + 1], path[at]] for at in range(1, len(path) - 2, 2))])
            for at in range(0, len(path), 2):
                sent[path[at], path[at + 1]] += amount
                holders[path[at + 1]].add(path[at])
                if at:
                    sent[path[at], path[at - 1]] -= amount
                    if not sent[path[at], path[at - 1]]:
                        holders[path[at - 1]].discard(path[at])
            free[path[-1]] -= amount
            left -= amount
    return +sent


def augmenting(source, allowed, free, holders):
    """source, place, the supply that leaves it, its other place, … to a place with room; breadth first."""
    ways, seen, reached = [(source, None)], set(), {source}
    at = 0
    while at < len(ways):
        one = ways[at][0]
        for place in allowed[one]:
            if place in seen:
                continue
            seen.add(place)
            if free[place]:
                path, back = [place], at
                while back is not None:
                    path.append(ways[back][0])
                    step = ways[back][1]
                    if step is None:
                        break
                    back, through = step
                    path.append(through)
                return path[::-1]
            for other in holders[place]:
                if other not in reached:
                    reached.add(other)
                    ways.append((other, (at, place)))
        at += 1
    return None
