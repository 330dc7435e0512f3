"""Objectives that look at whole classes and records: discernibility, class size, ambiguity, divergence, classification.

A prefix bounds them from below by its finest classes, with all other attributes at their lowest levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import fsum, log2

import numpy as np

from shoal.algorithms.full_domain.lattice import Judged, Lattice
from shoal.algorithms.full_domain.objective import Objective, Options
from shoal.algorithms.full_domain.prefixes import Prefix
from shoal.data.rows import group_rows
from shoal.errors import InputError
from shoal.kernels.arrays import Floats, Ints, Longs
from shoal.metrics.ambiguity import MAX_RECORDS
from shoal.metrics.cells import times_log2
from shoal.metrics.classification import classification_of
from shoal.metrics.divergence import divergence as kl_divergence


def discernibility(lattice: Lattice, options: Options) -> Objective:
    """DM: the sum of the squared class sizes; a suppressed row counts as many as the table has rows."""
    rows, smallest = lattice.table.rows, lattice.model.smallest

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        finest = prefix.gone * rows + float((prefix.weights.astype(np.float64) ** 2).sum())
        return np.maximum(finest, suppressed * float(rows) + (rows - suppressed) * float(smallest))

    return _by_sizes(lattice, lambda j: float(sum(s * s for s in j.sizes.tolist()) + j.suppressed * rows), floor)


def average_class_size(lattice: Lattice, options: Options) -> Objective:
    """The mean number of rows in a class: rows that are not suppressed / classes."""
    rows, smallest = lattice.table.rows, lattice.model.smallest

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        least = (rows - lattice.max_suppressed) / max(1, prefix.rows.size)
        return np.full(suppressed.size, max(float(smallest), least))

    return _by_sizes(lattice, lambda judged: float(judged.sizes.sum()) / judged.sizes.size, floor)


def discernibility_star(lattice: Lattice, options: Options) -> Objective:
    """DM*: the sum of the squared class sizes; the suppressed rows are a class like any other."""
    rows, smallest = lattice.table.rows, lattice.model.smallest

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        finest = float(prefix.gone) ** 2 + float((prefix.weights.astype(np.float64) ** 2).sum())
        gone = np.maximum(suppressed, smallest / 2)  # above it, one more suppressed row costs more than a released one
        return np.asarray(np.maximum(finest, gone**2 + (rows - gone) * smallest), np.float64)

    return _by_sizes(lattice, lambda j: float(sum(s * s for s in j.sizes.tolist()) + j.suppressed**2), floor)


def ambiguity(lattice: Lattice, options: Options) -> Objective:
    """AM: the mean over the rows of the number of different records that their labels cover."""
    covered = [
        (tree.highs - tree.lows + 1)[shown].astype(np.float64)
        for tree, shown in zip(lattice.trees, lattice.shown, strict=True)
    ]
    everything = min(float(np.prod([float(len(tree.leaf_nodes)) for tree in lattice.trees])), MAX_RECORDS)

    def records(rows: Ints, levels: Iterable[tuple[int, int]]) -> Floats:
        product = np.ones(rows.size)
        for attribute, level in levels:
            product *= covered[attribute][level][lattice.columns[attribute][rows]]
        return np.minimum(product, MAX_RECORDS)

    def cost(judged: Judged) -> float:
        means = judged.sizes / lattice.rows * records(judged.rows, enumerate(judged.node))
        return fsum([*means.tolist(), judged.suppressed / lattice.rows * everything])

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        rest = lattice.order[len(prefix.levels) :]
        shown = [*zip(lattice.order, prefix.levels, strict=False), *((a, lattice.floor[a]) for a in rest[1:])]
        least, shares = records(prefix.rows, shown), prefix.weights / lattice.rows
        bounds = []
        for number, gone in enumerate(suppressed.tolist()):
            level = lattice.floor[rest[0]] + number
            each = np.minimum(least * covered[rest[0]][level][lattice.columns[rest[0]][prefix.rows]], everything)
            more = (gone - prefix.gone) * (everything - float(each.max(initial=0.0)))
            bounds.append(float(each @ shares) + (prefix.gone * everything + more) / lattice.rows)
        return np.array(bounds)

    return _by_sizes(lattice, cost, floor)


def divergence(lattice: Lattice, options: Options) -> Objective:
    """KL: the bits from the original distribution of the quasi-identifiers to the one that the release allows.

    Of all distributions that are even within the classes of a node, the one with the table's own shares of the classes
    is nearest. So suppression, and coarser levels, only add to the divergence of the finest classes.
    """
    trees, rows = lattice.trees, lattice.rows
    even = all(np.ptp(tree.depths[tree.leaf_nodes]) == 0 for tree in trees)
    sizes = [np.log2((tree.highs - tree.lows + 1)[shown]) for tree, shown in zip(trees, lattice.shown, strict=True)]

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        if not even:  # labels of different depths cover one another
            return np.zeros(suppressed.size)
        ids, count = lattice.finest(prefix)
        many = np.bincount(ids, prefix.weights, count)
        firsts = np.zeros(count, np.int64)
        firsts[ids] = prefix.rows
        levels = [*zip(lattice.order, prefix.levels, strict=False)]
        levels += [(a, lattice.floor[a]) for a in lattice.order[len(prefix.levels) :]]
        area = np.sum([sizes[a][level][lattice.columns[a][firsts]] for a, level in levels], axis=0)
        there = many > 0
        likelihood = fsum((many[there] * (np.log2(many[there] / rows) - area[there])).tolist()) / rows
        return np.full(suppressed.size, own - likelihood)

    widths = [len(tree.leaf_nodes) for tree in trees]
    records, _ = group_rows(lattice.columns, widths, len(lattice.table.weights))
    own = times_log2(np.bincount(records, lattice.table.weights)) / rows - log2(rows)
    return _by_sizes(lattice, lambda j: kl_divergence(lattice.table, lattice.regroup(j.node)), floor)


def classification(lattice: Lattice, options: Options) -> Objective:
    """CM: the share of rows that are suppressed or lack the target's most frequent value in their class."""
    table = lattice.table
    if not table.sensitive:
        raise InputError(
            "The objective classification needs a sensitive attribute and none is named: give sensitive=…."
        )
    name = table.sensitive[0] if options.target is None else options.target
    if name not in table.sensitive:
        raise InputError(f"The target {name!r} is not a sensitive attribute: choose from {', '.join(table.sensitive)}.")
    target, width = table.sensitive_column(name)

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        ids, count = lattice.finest(prefix)
        pairs, firsts = group_rows([ids, target[prefix.rows]], [max(1, count), width], ids.size)
        most = np.zeros(count)
        np.maximum.at(most, ids[firsts], np.bincount(pairs, prefix.weights, firsts.size))
        others = prefix.gone + float(prefix.weights.sum()) - float(most.sum())
        return np.maximum(others, suppressed) / table.rows

    return _by_sizes(lattice, lambda judged: classification_of(table, lattice.regroup(judged.node), name), floor)


def _by_sizes(lattice: Lattice, cost: Callable[[Judged], float], floor: Callable[[Prefix, Longs], Floats]) -> Objective:
    return Objective(
        cells=[np.zeros(shown.shape) for shown in lattice.shown],
        hidden=[0.0] * len(lattice.trees),
        share=lambda attribute, levels, own, spread: own,
        cost=cost,
        floor=floor,
    )
