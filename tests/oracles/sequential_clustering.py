"""Sequential clustering as its paper has it: clusters are lists of rows, and every cost is worked out anew."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import log2

import numpy as np

from shoal.data.domain import NumericDomain, SetDomain, TreeDomain


def covered(domain, codes):
    """The codes that the label of a class with the given codes covers."""
    codes = set(codes)
    if isinstance(domain, SetDomain):
        return codes
    if isinstance(domain, TreeDomain):
        tree = domain.hierarchy
        node = int(tree.leaf_nodes[min(codes)])
        while not all(tree.lows[node] <= code <= tree.highs[node] for code in codes):
            node = int(tree.parents[node])
        return set(range(tree.lows[node], tree.highs[node] + 1))
    if domain.missing in codes and len(codes) > 1:
        return set(range(len(domain)))
    return set(range(min(codes), max(codes) + 1))


def loss(domain, codes):
    """LM of a cell as a fraction."""
    shown = covered(domain, codes)
    if len(shown) == 1:
        return Fraction(0)
    if isinstance(domain, NumericDomain):
        if domain.missing in shown:
            return Fraction(1)
        numbers = [Fraction(value) for code, value in enumerate(domain.values.tolist()) if code != domain.missing]
        values = [Fraction(domain.values[code]) for code in shown]
        return (max(values) - min(values)) / (max(numbers) - min(numbers))
    return Fraction(len(shown) - 1, len(domain) - 1)


def penalty(domain, codes):
    """NCP of a cell as a fraction."""
    shown = covered(domain, codes)
    if isinstance(domain, NumericDomain) or len(shown) == 1:
        return loss(domain, codes)
    return Fraction(len(shown), len(domain))


class Table:
    """The rows of a table with what a cluster of them costs by one measure."""

    def __init__(self, table, measure):
        self.domains, self.rows, self.measure = table.domains, table.codes.tolist(), measure
        self.counts = [Counter(column) for column in zip(*self.rows, strict=True)]
        self.known = {}

    def gc(self, cluster):
        """The generalization cost of a row of the cluster."""
        key = frozenset(cluster)
        if key not in self.known:
            self.known[key] = sum(self.cell(a, {self.rows[i][a] for i in cluster}) for a in range(len(self.domains)))
        return self.known[key]

    def cell(self, a, codes):
        if self.measure != "entropy":
            return {"loss": loss, "certainty_penalty": penalty}[self.measure](self.domains[a], codes)
        return round(log2(sum(self.counts[a][code] for code in covered(self.domains[a], codes))) * 2**30)

    def cost(self, cluster):
        return self.gc(cluster) * len(cluster) if cluster else 0

    def apart(self, one, other):
        """What the union costs more than both."""
        return self.cost(one + other) - self.cost(one) - self.cost(other)


def cluster(table, k, *, measure, alpha, omega, starts, stop, passes, seed, conditions=(), satisfied=None):
    """The clusters of the best start and how many rows its passes have moved.

    Conditions are pairs of the rows' sensitive values and ℓ; `satisfied` tells of a cluster whether it satisfies the
    whole model.
    """
    random = np.random.RandomState(seed)
    costs, by_loss = Table(table, measure), Table(table, "loss")
    best = None
    for _ in range(starts):
        clusters, moved = start(costs, k, Fraction(str(alpha)), Fraction(str(omega)), stop, passes, random, conditions)
        clusters = join(by_loss, clusters, satisfied)
        total = sum(map(costs.cost, clusters))
        if best is None or total < best[0]:
            best = total, clusters, moved
    return best[1], best[2]


def start(table, k, alpha, omega, stop, passes, random, conditions):
    n = len(table.rows)
    k0 = max(1, int(alpha * k))
    clusters = spread(list(range(n)), max(1, n // k0), random, conditions)
    moved = []
    while True:
        moved.append(0)
        for i in range(n):
            j = next(number for number, rows in enumerate(clusters) if i in rows)
            without = [row for row in clusters[j] if row != i]
            if without and not diverse(without, conditions):
                continue
            deltas = []
            for h, rows in enumerate(clusters):
                if h != j and rows and diverse([*rows, i], conditions):
                    after = table.cost(without) + table.cost([*rows, i])
                    deltas.append((after - table.cost(clusters[j]) - table.cost(rows), h))
            if deltas and (not without or min(deltas)[0] < 0):
                h = min(deltas)[1]
                clusters[j] = without
                clusters[h] = [*clusters[h], i]
                moved[-1] += 1
        clusters = [sorted(rows) for rows in clusters if rows]
        if moved[-1] < Fraction(str(stop)) * n or len(moved) == passes:
            break
        halves = []
        for number, rows in enumerate(clusters):
            if len(rows) > omega * k:
                one, other = spread(rows, 2, random, conditions)
                if diverse(one, conditions) and diverse(other, conditions):
                    clusters[number] = one
                    halves.append(other)
        clusters += halves
        if not moved[-1] and not halves:
            break
    return unify(table, clusters, k), moved


def spread(rows, t, random, conditions):
    """Deal the rows in random order to t clusters in turn, those of one sensitive value after those of another."""
    shuffled = [rows[place] for place in random.permutation(len(rows))]
    if conditions:
        shuffled.sort(key=lambda row: [values[row] for values, _ in conditions])
    return [shuffled[first::t] for first in range(t)]


def diverse(rows, conditions):
    """Whether no value of a sensitive attribute has more than 1/ℓ of the rows."""
    most = (max(Counter(values[row] for row in rows).values()) for values, _ in conditions)
    return all(count <= len(rows) / least for count, (_, least) in zip(most, conditions, strict=True))


def unify(table, clusters, k):
    """The two closest small clusters become one until there is at most one, which joins the closest cluster."""
    clusters = dict(enumerate(clusters))
    while True:
        small = [number for number, rows in clusters.items() if len(rows) < k]
        if len(small) < 2:
            break
        _, c, d = min((table.apart(clusters[c], clusters[d]), c, d) for c in small for d in small if c < d)
        clusters[c] = clusters[c] + clusters.pop(d)
    if small and len(clusters) > 1:
        others = [number for number in clusters if number != small[0]]
        _, c = min((table.apart(clusters[c], clusters[small[0]]), c) for c in others)
        clusters[c] = clusters[c] + clusters.pop(small[0])
    return list(clusters.values())


def join(table, clusters, satisfied):
    """The first cluster that fails the model joins the one with which it loses least more, until none fails."""
    clusters = dict(enumerate(clusters))
    while satisfied and len(clusters) > 1:
        failing = [number for number, rows in clusters.items() if not satisfied(rows)]
        if not failing:
            break
        rows = clusters.pop(failing[0])
        _, c = min((table.apart(other, rows), c) for c, other in clusters.items())
        clusters[c] = clusters[c] + rows
    return list(clusters.values())
