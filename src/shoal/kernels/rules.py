"""The rules of a model in whole numbers: whether compositions of sensitive values satisfy it.

For t-closeness, with c and C the counts of a group of values in a class and in the table, n and N their sizes, a
distance is a sum of weight · |c N − C n| over groups, divided by its scale: single values, or the values below each
edge of a tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Flags, Longs
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.local_recoding.verdicts import Conditions, deficit

UNIT = 1 << 30  # parts of a share that bounds count
LOW, HIGH = range(2)  # of a value: LOW · n ≤ UNIT · c ≤ HIGH · n
FIRST, LAST, ROWS, FACTOR, LIMIT = range(5)  # of a rule: its groups, N, and FACTOR · distance ≤ LIMIT · n
BEGIN, END, WHOLE, WEIGHT = range(4)  # of a group: its members, C, and its weight


class Rules(NamedTuple):
    """The rules of a model that asks for a size, for t-closeness and for other conditions, on combined values."""

    smallest: int  # class
    rule: Longs
    group: Longs
    member: Longs
    conditions: Conditions
    bound: Longs  # for each such model: a line for each value


@lean
def satisfies(rules: Rules, counts: Longs) -> Any:
    """Return whether a class with these counts of combined values satisfies the model."""
    size = np.int64(0)
    for v in range(counts.size):
        size += counts[v]
    if size < rules.smallest:
        return False
    for r in range(rules.rule.shape[0]):
        rows, far = rules.rule[r, ROWS], np.int64(0)
        for g in range(rules.rule[r, FIRST], rules.rule[r, LAST]):
            held = np.int64(0)
            for m in range(rules.group[g, BEGIN], rules.group[g, END]):
                held += counts[rules.member[m]]
            far += rules.group[g, WEIGHT] * abs(held * rows - rules.group[g, WHOLE] * size)
        if rules.rule[r, FACTOR] * far > rules.rule[r, LIMIT] * size:
            return False
    for b in range(rules.bound.shape[0]):
        for v in range(counts.size):
            if not rules.bound[b, v, LOW] * size <= UNIT * counts[v] <= rules.bound[b, v, HIGH] * size:
                return False
    for j in range(rules.conditions.rule.shape[0]):
        if deficit(rules.conditions, j, counts, 0, counts.size, size) > 0:
            return False
    return True


@compiled
def satisfying_lines(rules: Rules, lines: Longs) -> Flags:
    """Return whether each line of counts satisfies the model."""
    good = np.zeros(lines.shape[0], np.bool_)
    for i in range(lines.shape[0]):
        good[i] = satisfies(rules, lines[i])
    return good
