"""The best possible release of a tiny table, word for word: every way to put its rows into classes."""

from __future__ import annotations

import itertools
from functools import cache
from math import inf, log2

import numpy as np

from shoal.data.domain import SetDomain, TreeDomain
from shoal.metrics.cells import covered, value_counts


def cell(table, name, attribute, codes):
    """What a cell costs in a class with these codes: its loss, its penalty, or the bits that its label leaves open."""
    domain = table.domains[attribute]
    shown = domain.join(np.array(codes, np.int32), np.zeros(len(codes), np.int32), 1)
    if name == "loss":
        return float(domain.loss(shown)[0])
    if name == "certainty_penalty":
        return float(domain.penalty(shown)[0])
    return log2(max(1, int(covered(domain, shown, value_counts(table, attribute))[0])))


def repeated(table):
    """The codes of all rows, each as often as it weighs."""
    return np.repeat(table.codes, table.weights, axis=0)


def best(table, name, smallest, weights=None):
    """The least that all rows together can cost, each in a class of enough rows or suppressed as the top."""
    rows = repeated(table)
    factors = list(enumerate(weights or [1] * rows.shape[1]))
    top = sum(factor * cell(table, name, a, rows[:, a]) for a, factor in factors)

    def cost(members):
        return len(members) * sum(factor * cell(table, name, a, rows[list(members), a]) for a, factor in factors)

    @cache
    def least(left):
        if not left:
            return 0.0
        first, others = left[0], left[1:]
        found = top + least(others)
        for size in range(smallest - 1, len(others) + 1):
            for mates in itertools.combinations(others, size):
                rest = tuple(row for row in others if row not in mates)
                found = min(found, cost((first, *mates)) + least(rest))
        return found

    return least(tuple(range(len(rows))))


def parts(domain):
    """Everything that a class can show of an attribute, as sets of codes."""
    codes = range(len(domain))
    if isinstance(domain, TreeDomain):
        return {frozenset(range(a, b + 1)) for a, b in zip(domain.hierarchy.lows, domain.hierarchy.highs, strict=True)}
    if isinstance(domain, SetDomain):
        sizes = range(1, len(domain) + 1)
        return {frozenset(some) for size in sizes for some in itertools.combinations(codes, size)}
    ranges = {frozenset(range(a, b + 1)) for a in codes for b in codes if a <= b}
    return {some for some in ranges if domain.missing not in some or len(some) in (1, len(domain))}


def boxes(table, name):
    """All boxes, as (the rows in it, what a row costs)."""
    rows = repeated(table)
    priced = [
        [(part, cell(table, name, a, sorted(part))) for part in parts(domain)] for a, domain in enumerate(table.domains)
    ]
    for box in itertools.product(*priced):
        inside = [i for i, row in enumerate(rows) if all(row[a] in part for a, (part, _) in enumerate(box))]
        yield inside, sum(cost for _, cost in box)


def cheapest(table, name, smallest):
    """For each row what the cheapest box with enough rows around it costs."""
    costs = [inf] * int(table.weights.sum())
    for inside, cost in boxes(table, name):
        if len(inside) >= smallest:
            for row in inside:
                costs[row] = min(costs[row], cost)
    return costs


def most_unpaid(table, name, smallest, shares):
    """By how much the mean of the largest shares in a box is above its cost, at most."""
    worst = -inf
    for inside, cost in boxes(table, name):
        if len(inside) >= smallest:
            largest = sorted((shares[row] for row in inside), reverse=True)[:smallest]
            worst = max(worst, sum(largest) / smallest - cost)
    return worst
