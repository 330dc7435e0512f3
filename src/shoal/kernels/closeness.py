"""t-closeness in whole numbers: whether compositions of sensitive values are as close to the whole table as asked for.

With c and C the counts of a group of values in a class and in the table, n and N their sizes, a distance is a sum of
weight · |c N − C n| over groups, divided by its scale: single values, or the values below each edge of a tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.kernels.arrays import Flags, Longs
from shoal.kernels.compiling import compiled, lean

FIRST, LAST, ROWS, FACTOR, LIMIT = range(5)  # of a rule: its groups, N, and FACTOR · distance ≤ LIMIT · n
BEGIN, END, WHOLE, WEIGHT = range(4)  # of a group: its members, C, and its weight


class Close(NamedTuple):
    """The rules of a model that asks for a size and for t-closeness, on combined values."""

    smallest: int  # class
    rule: Longs
    group: Longs
    member: Longs


@lean
def is_close(close: Close, counts: Longs) -> Any:
    """Return whether a class with these counts of combined values satisfies the model."""
    size = np.int64(0)
    for v in range(counts.size):
        size += counts[v]
    if size < close.smallest:
        return False
    for r in range(close.rule.shape[0]):
        rows, far = close.rule[r, ROWS], np.int64(0)
        for g in range(close.rule[r, FIRST], close.rule[r, LAST]):
            held = np.int64(0)
            for m in range(close.group[g, BEGIN], close.group[g, END]):
                held += counts[close.member[m]]
            far += close.group[g, WEIGHT] * abs(held * rows - close.group[g, WHOLE] * size)
        if close.rule[r, FACTOR] * far > close.rule[r, LIMIT] * size:
            return False
    return True


@compiled
def close_lines(close: Close, lines: Longs) -> Flags:
    """Return whether each line of counts satisfies the model."""
    good = np.zeros(lines.shape[0], np.bool_)
    for i in range(lines.shape[0]):
        good[i] = is_close(close, lines[i])
    return good
