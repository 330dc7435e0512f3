"""The privacy models as their papers define them, class by class, in exact fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import log


def shares(values):
    counts = Counter(values)
    return {value: Fraction(count, len(values)) for value, count in counts.items()}


def frequency(values, l):  # noqa: E741
    return all(share <= 1 / Fraction(str(l)) for share in shares(values).values())


def entropy(values, l):  # noqa: E741
    """−Σ q ln q ≥ ln l by n^n ≥ l^n Π c^c."""
    counts, n, bound = Counter(values), len(values), Fraction(str(l))
    product_of_counts = 1
    for count in counts.values():
        product_of_counts *= count**count
    return len(counts) >= bound and n**n >= bound**n * product_of_counts


def recursive(values, c, l):  # noqa: E741
    down = sorted(Counter(values).values(), reverse=True)
    return down[0] < Fraction(str(c)) * sum(down[l - 1 :])


def alpha(values, bound):
    return max(shares(values).values()) <= Fraction(str(bound))


def beta(values, table, bound, *, enhanced):
    q, p = shares(values), shares(table)
    for value in q:
        if q[value] > p[value]:
            limit = Fraction(str(bound))
            gain = (q[value] - p[value]) / p[value]
            if gain > limit or (enhanced and float(gain) > -log(p[value])):
                return False
    return True


def delta(values, table, bound):
    q, p = shares(values), shares(table)
    return all(value in q and abs(log(q[value] / p[value])) < bound for value in p)


def equal_distance(values, table):
    q, p = shares(values), shares(table)
    return sum(abs(q.get(value, 0) - p[value]) for value in p) / 2


def ordered_distance(values, table, order):
    q, p = shares(values), shares(table)
    present = [value for value in order if value in p]
    flow, total = Fraction(0), Fraction(0)
    for value in present:
        flow += q.get(value, 0) - p[value]
        total += abs(flow)
    return total / (len(present) - 1) if len(present) > 1 else total


def earth_movers_distance(values, table, ground):
    """The cheapest way to carry the table's distribution onto the class's, by successive cheapest augmenting paths."""
    q, p = shares(values), shares(table)
    scale = len(values) * len(table)
    supply = {v: int(p[v] * scale) for v in p}
    demand = {v: int(q.get(v, 0) * scale) for v in p}
    flow = dict.fromkeys(product(p, p), 0)
    cost = Fraction(0)
    while any(supply.values()):
        # Bellman-Ford over the residual network from all supplies to the demands.
        best = {("s", v): Fraction(0) for v in p if supply[v]}
        before = {}
        for _ in range(2 * len(p)):
            for a, b in product(p, p):
                if ("s", a) in best and best[("s", a)] + ground(a, b) < best.get(("d", b), Fraction(10**9)):
                    best[("d", b)] = best[("s", a)] + ground(a, b)
                    before[("d", b)] = ("s", a)
                back = flow[a, b] and ("d", b) in best
                if back and best[("d", b)] - ground(a, b) < best.get(("s", a), Fraction(10**9)):
                    best[("s", a)] = best[("d", b)] - ground(a, b)
                    before[("s", a)] = ("d", b)
        end = min((v for v in p if demand[v] and ("d", v) in best), key=lambda v: best[("d", v)])
        path, node = [], ("d", end)
        while node in before:
            path.append((before[node], node))
            node = before[node]
        amount = min([supply[node[1]], demand[end], *(flow[b[1], a[1]] for a, b in path if a[0] == "d")])
        for a, b in path:
            pair, sign = ((a[1], b[1]), 1) if a[0] == "s" else ((b[1], a[1]), -1)
            flow[pair] += sign * amount
            cost += sign * amount * ground(*pair)
        supply[node[1]] -= amount
        demand[end] -= amount
    return cost / scale
