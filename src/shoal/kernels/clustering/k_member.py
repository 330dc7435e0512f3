"""Clusters that grow record by record, each time by the one that adds the least cost.

For the growing cluster there is a table of what each cell would cost with each value, so that a record takes one
lookup per attribute, and after the first time only for those that the cluster has generalized since.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.compiling import compiled, lean
from shoal.kernels.costs import Space, shown_cost

TAKEN = 1 << 62  # more than any cost


class Growing(NamedTuple):
    """A cluster while it grows: the lowest and highest code of each attribute, and what its cells cost."""

    low: Ints
    high: Ints
    cells: Longs
    table: Longs  # by value: what the cell would cost with it
    more: Longs  # by value: by how much more than before


@lean
def costs_with(space: Space, growing: Growing, attribute: int) -> None:
    """Fill the table with what a cell would cost with each value; a set costs as much as the top."""
    at, low, high = space.codes_at[attribute], growing.low[attribute], growing.high[attribute]
    table, more = growing.table[at : at + space.size[attribute]], growing.more[at : at + space.size[attribute]]
    for value in range(table.size):
        before = table[value]
        table[value] = shown_cost(space, attribute, min(low, value), max(high, value), 2)
        more[value] = table[value] - before


@lean
def begin(space: Space, codes: Ints, growing: Growing, record: int, others: Ints, grown: Longs) -> None:
    """Start the cluster with one record, and compute what it would cost with each of the others."""
    for a in range(growing.cells.size):
        growing.low[a], growing.high[a], growing.cells[a] = codes[record, a], codes[record, a], 0
        costs_with(space, growing, a)
    for i in range(others.size):
        total = np.int64(0)
        for a in range(growing.cells.size):
            total += growing.table[space.codes_at[a] + codes[others[i], a]]
        grown[i] = total


@lean
def widen(space: Space, codes: Ints, growing: Growing, record: int, others: Ints, grown: Longs) -> None:
    """Put a record into the cluster, and compute what it would cost with each of the others."""
    for a in range(growing.cells.size):
        at, code = space.codes_at[a], codes[record, a]
        growing.low[a] = min(growing.low[a], code)
        growing.high[a] = max(growing.high[a], code)
        # A cell that costs the same shows the same label, or the top.
        if growing.table[at + code] > growing.cells[a]:
            growing.cells[a] = growing.table[at + code]
            costs_with(space, growing, a)
            for i in range(others.size):
                grown[i] += growing.more[at + codes[others[i], a]]


@compiled
def add_clusters(
    space: Space,
    codes: Ints,
    unused: Ints,
    left: int,
    size: int,
    ids: Ints,
    first: int,
    many: int,
    last: int,
    drawn: Longs,
) -> tuple[int, int]:
    """Make many clusters of the first `left` unused records, each starting with the one furthest from the last.

    If places are drawn, each cluster starts with the unused record at its place instead.
    Return how many records are left, and the last one that was put into a cluster.
    """
    low, high, cells = np.empty_like(codes[0]), np.empty_like(codes[0]), np.empty(codes.shape[1], np.int64)
    growing = Growing(
        low, high, cells, np.zeros(space.position.size, np.int64), np.zeros(space.position.size, np.int64)
    )
    grown = np.empty(left, np.int64)
    for c in range(first, first + many):
        others = unused[:left]
        furthest = 0
        if drawn.size > 0:
            furthest = drawn[c]
        else:
            begin(space, codes, growing, last, others, grown)
            for i in range(1, left):
                if grown[i] > grown[furthest]:
                    furthest = i
        last = others[furthest]
        ids[last] = c
        begin(space, codes, growing, last, others, grown)
        grown[furthest] = TAKEN
        members, cost = 1, np.int64(0)
        while members < size:
            best = -1
            for i in range(left):
                if grown[i] == cost:
                    # Nothing costs less, and the cost with any other record stays the same.
                    last = others[i]
                    ids[last] = c
                    grown[i] = TAKEN
                    members += 1
                    if members == size:
                        break
                elif best < 0 or grown[i] < grown[best]:
                    best = i
            if members < size:
                last = others[best]
                ids[last] = c
                cost = grown[best]
                grown[best] = TAKEN
                members += 1
                widen(space, codes, growing, last, others, grown)
        kept = 0
        for record in others:
            if ids[record] < 0:
                unused[kept] = record
                kept += 1
        left = kept
    return left, last
