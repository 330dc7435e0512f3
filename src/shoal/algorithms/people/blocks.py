"""Blocks of similar people, which bound the work of comparing each with each: Mondrian on all their events in order."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.cost_arrays import space_of
from shoal.data.table import Table
from shoal.kernels import mondrian as kernel
from shoal.kernels.arrays import Ints, Longs
from shoal.kernels.mondrian import Cuts, Partitions


def blocks_of(table: Table, lines: Ints, *, static: int, events: int, smallest: int) -> list[Longs]:
    """Divide people into blocks of at least `smallest`; a line has the static codes and those of all events in order.

    A static attribute counts once for each event.
    """
    if len(lines) < 2 * smallest:
        return [np.arange(len(lines))]
    domains = [*table.domains[:static], *table.domains[static:] * events]
    space = space_of(domains, weights=[events] * static + [1] * (len(domains) - static))
    order, weights = np.arange(len(lines)), np.ones(len(lines), np.int64)
    starts, ends = np.array([0]), np.array([len(lines)])
    blocks = []
    while starts.size:
        partitions = Partitions(lines, weights, order, starts, ends)
        no_ranks = np.zeros((0, 0), np.int64)
        found = kernel.candidate_cuts(partitions, space, smallest, kernel.BY_COST, no_ranks, False, True)
        cuts = Cuts(*np.ascontiguousarray(found.T))
        best = kernel.best_cuts(cuts, np.ones(cuts.low.size, np.bool_), starts.size)
        middle = kernel.apply_cuts(partitions, lines, cuts, best, False)
        done = middle == ends
        blocks += [order[a:b].copy() for a, b in zip(starts[done].tolist(), ends[done].tolist(), strict=True)]
        starts, ends, middle = starts[~done], ends[~done], middle[~done]
        starts, ends = np.stack([starts, middle], axis=1).ravel(), np.stack([middle, ends], axis=1).ravel()
    return blocks
