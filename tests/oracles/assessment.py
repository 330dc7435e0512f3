"""What an assessment finds, counted row by row in plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from math import exp, inf, log

from oracles.models import equal_distance, ordered_distance, shares


def classes_of(rows, quasi):
    """The rows by what they show, in the order of their first rows."""
    found = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in quasi)].append(row)
    return list(found.values())


def sensitive(rows, quasi, name, *, ordered):
    table = [row[name] for row in rows]
    parts = [[row[name] for row in members] for members in classes_of(rows, quasi)]
    order = sorted(set(table), key=lambda value: (value is not None, value)) if ordered else None
    return {
        "values": len(set(table)),
        "distinct_l": min(len(set(values)) for values in parts),
        "frequency_l": min(1 / max(shares(values).values()) for values in parts),
        "entropy_l": min(exp(-sum(q * log(q) for q in shares(values).values())) for values in parts),
        "recursive_c_2": max(recursive_c(values, 2) for values in parts),
        "recursive_c_3": max(recursive_c(values, 3) for values in parts),
        "alpha": max(max(shares(values).values()) for values in parts),
        "beta": max(beta(values, table) for values in parts),
        "delta": max(delta(values, table) for values in parts),
        "t_equal": max(equal_distance(values, table) for values in parts),
        "t_ordered": max(ordered_distance(values, table, order) for values in parts) if ordered else None,
        "t_hierarchical": None,
    }


def recursive_c(values, l):  # noqa: E741
    down = sorted(Counter(values).values(), reverse=True)
    return Fraction(down[0], sum(down[l - 1 :])) if len(down) >= l else inf


def beta(values, table):
    q, p = shares(values), shares(table)
    return max(0, max((q[value] - p[value]) / p[value] for value in q))


def delta(values, table):
    q, p = shares(values), shares(table)
    return max(abs(log(q[value] / p[value])) if value in q else inf for value in p)


def column_sets(rows, names, size):
    """For each set of columns: different rows, pairs told apart, whether it is unique, whether minimally so."""
    found = {}
    for number in range(1, size + 1):
        for chosen in combinations(names, number):
            keys = [tuple(row[name] for name in chosen) for row in rows]
            apart = sum(one != other for one, other in combinations(keys, 2))
            unique = len(set(keys)) == len(keys)
            smaller = [part for part in combinations(chosen, number - 1) if part]
            minimal = unique and not any(found[part][2] for part in smaller)
            found[chosen] = len(set(keys)), apart, unique, minimal
    return found
