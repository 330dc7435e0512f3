"""The models where people count instead of rows, class by class; rows are pairs of a person and a sensitive value."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import lcm, log

from oracles import models


def values_of(rows):
    """The different values of each person."""
    held = {}
    for person, value in rows:
        held.setdefault(person, set()).add(value)
    return held


def once(rows):
    """The share of the people who have each value; a person with several counts for each of them."""
    held = values_of(rows)
    values = set().union(*held.values())
    return {value: Fraction(sum(value in own for own in held.values()), len(held)) for value in values}


def evenly(rows):
    """Each person divided evenly among their values, as a list in which everybody has equally many entries."""
    held = values_of(rows)
    parts = lcm(*map(len, held.values()))
    return [value for own in held.values() for value in sorted(own) for _ in range(parts // len(own))]


def number(rows):
    """How many people there are."""
    return len({person for person, _ in rows})


def distinct(rows):
    """How many different values they have."""
    return len({value for _, value in rows})


def most_rows(rows):
    """The most rows of one person."""
    return max(Counter(person for person, _ in rows).values())


def limited(rows, k):
    return len(rows) >= k * most_rows(rows)


def frequency(rows, l):  # noqa: E741
    return max(once(rows).values()) <= 1 / Fraction(str(l))


def alpha(rows, bound, k):
    return number(rows) >= k and max(once(rows).values()) <= Fraction(str(bound))


def beta(rows, table, bound, *, enhanced):
    q, p = once(rows), once(table)
    gains = {value: (q[value] - p[value]) / p[value] for value in q if q[value] > p[value]}
    limit = Fraction(str(bound))
    return all(gain <= limit and (not enhanced or float(gain) <= -log(p[v])) for v, gain in gains.items())


def delta(rows, table, bound):
    q, p = once(rows), once(table)
    return all(value in q and abs(log(q[value] / p[value])) < bound for value in p)


def equal_distance(rows, table):
    """The larger of all that is gained and all that is lost."""
    q, p = once(rows), once(table)
    changes = [q.get(value, Fraction(0)) - p[value] for value in p]
    return max(sum(change for change in changes if change > 0), -sum(change for change in changes if change < 0))


def entropy(rows, l):  # noqa: E741
    return models.entropy(evenly(rows), l)


def recursive(rows, c, l):  # noqa: E741
    return models.recursive(evenly(rows), c, l)


def ordered_distance(rows, table, order):
    return models.ordered_distance(evenly(rows), evenly(table), order)


def earth_movers_distance(rows, table, ground):
    return models.earth_movers_distance(evenly(rows), evenly(table), ground)
