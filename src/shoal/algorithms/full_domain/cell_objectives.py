"""Objectives that are sums over attributes: loss in its forms, precision, non-uniform entropy, height.

A share grows with the attribute's level and with the rows that are suppressed, so that some levels and some suppressed
rows bound the cost of every node that has them from below. If suppression costs less than generalization, a cell is
bounded by the cheaper of the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import expm1, fsum, log1p

import numpy as np

from shoal.algorithms.full_domain.lattice import Judged, Lattice
from shoal.algorithms.full_domain.objective import Objective, Options
from shoal.kernels.arrays import Floats, Longs
from shoal.metrics.cells import times_log2
from shoal.metrics.non_uniform_entropy import bits_of_all, entropy_by_attribute
from shoal.metrics.precision import imprecision_by_attribute


def loss(lattice: Lattice, options: Options) -> Objective:
    """LM: the weighted mean of the attributes' losses."""
    weights = options.weights
    cells = [w * tree.loss[shown] for w, tree, shown in zip(weights, lattice.trees, lattice.shown, strict=True)]
    return Objective(
        *_priced(lattice, options, cells, weights),
        share=lambda attribute, levels, own, spread: own,
        cost=lambda judged: _mean(weights, _losses(lattice, options, judged)),
        cells_only=options.hidden >= options.shown,
    )


def loss_geometric(lattice: Lattice, options: Options) -> Objective:
    """LM as the weighted geometric mean Π (LM_a + 1)^w_a − 1; its cost is the logarithm."""
    weights = options.weights
    cells = [tree.loss[shown] for tree, shown in zip(lattice.trees, lattice.shown, strict=True)]
    return Objective(
        *_priced(lattice, options, cells, [1.0] * len(weights)),
        share=lambda attribute, levels, own, spread: weights[attribute] * np.log1p(own),
        cost=lambda judged: _mean(weights, map(log1p, _losses(lattice, options, judged))),
        value=expm1,
        linear=False,
    )


def loss_maximum(lattice: Lattice, options: Options) -> Objective:
    """LM as the maximum of the attributes' losses, each times its weight, the largest of which is 1."""
    scaled = replace(options, weights=[weight / max(options.weights) for weight in options.weights])
    return replace(
        loss(lattice, scaled),
        cost=lambda judged: max(_weighted(scaled.weights, _losses(lattice, options, judged))),
        total=lambda shares: max(shares),
        linear=False,
        cells_only=False,
    )


def loss_rank(lattice: Lattice, options: Options) -> Objective:
    """LM by rank: the largest of the attributes' losses decides; if it is the same, the second largest, and so on."""
    weights = [weight / max(options.weights) for weight in options.weights]
    return replace(
        loss_maximum(lattice, options),
        ties=lambda judged: tuple(sorted(_weighted(weights, _losses(lattice, options, judged)), reverse=True)),
    )


def precision(lattice: Lattice, options: Options) -> Objective:
    """Precision; its cost is 1 − precision: the steps taken of those up to the top."""
    weights, cells, hidden = options.weights, [], []
    for weight, tree in zip(weights, lattice.trees, strict=True):
        depths = tree.depths[tree.leaf_nodes]
        steps = np.minimum(np.arange(tree.height + 1)[:, None], depths)
        cells.append(weight * steps / np.maximum(1, depths))
        hidden.append(weight * min(1, tree.height))

    def cost(judged: Judged) -> float:
        shares = imprecision_by_attribute(lattice.table, lattice.regroup(judged.node))
        gone = [judged.suppressed / lattice.rows * min(1, tree.height) for tree in lattice.trees]
        return _mean(weights, _factored(options, shares, gone))

    return Objective(
        *_priced(lattice, options, cells, hidden),
        share=lambda attribute, levels, own, spread: own,
        cost=cost,
        value=lambda cost: 1 - cost,
        cells_only=options.hidden >= options.shown,
    )


def non_uniform_entropy(lattice: Lattice, options: Options) -> Objective:
    """Non-uniform entropy: all rows pay the steps up to the level, suppressed rows also those from there to the top."""
    weights = options.weights
    upward = []  # of each attribute: the bits of all rows at each level
    for numbered, codes in zip(lattice.numbered, lattice.columns, strict=True):
        sums = [times_log2(np.bincount(row[codes], lattice.table.weights)) for row in numbered]
        upward.append(np.maximum(0, np.array(sums) - sums[0]))
    most = bits_of_all(lattice.table)
    # In a ragged tree the path up has more than one stop, which is not bounded here.
    even = [
        np.ptp(tree.depths[tree.leaf_nodes]) == 0 and bits > 0 for tree, bits in zip(lattice.trees, most, strict=True)
    ]

    def share(attribute: int, levels: Longs, own: Floats, spread: Floats) -> Floats:
        if not even[attribute]:
            return np.zeros(levels.size)
        return weights[attribute] * (upward[attribute][levels] + spread) / most[attribute]

    return Objective(
        cells=[np.zeros(shown.shape) for shown in lattice.shown],
        hidden=[0.0] * len(weights),
        share=share,
        cost=lambda judged: _mean(weights, entropy_by_attribute(lattice.table, lattice.regroup(judged.node))),
        linear=False,
        entropy=True,
    )


def height(lattice: Lattice, options: Options) -> Objective:
    """The sum of the levels; nodes of equal height are compared by their loss, which is below 1."""
    lm = loss(lattice, Options([weight / 2 for weight in options.weights]))
    return Objective(
        cells=lm.cells,
        hidden=lm.hidden,
        share=lambda attribute, levels, own, spread: levels + own,
        cost=lambda judged: sum(judged.node) + lm.cost(judged),
        value=lambda cost: float(int(cost)),
    )


def _priced(
    lattice: Lattice, options: Options, cells: list[Floats], hidden: list[float]
) -> tuple[list[Floats], list[float]]:
    """Return the least that cells cost, shown and suppressed, with the factors of both."""
    prices = [options.hidden * cost for cost in hidden]
    least = [options.shown * costs for costs in cells]
    if lattice.max_suppressed:  # the row of a cell may be suppressed, too
        least = [np.minimum(costs, price) for costs, price in zip(least, prices, strict=True)]
    return least, prices


def _losses(lattice: Lattice, options: Options, judged: Judged) -> list[float]:
    """Return what each attribute loses, with the factors of what is shown and of what is suppressed."""
    losses = lattice.losses(judged)
    return _factored(options, losses, [judged.suppressed / lattice.rows] * len(losses))


def _factored(options: Options, shares: list[float], suppressed: list[float]) -> list[float]:
    """Return the shares of the attributes with factors, given what the suppressed rows add to each."""
    if options.shown == options.hidden == 1:
        return shares
    return [
        options.shown * (share - gone) + options.hidden * gone for share, gone in zip(shares, suppressed, strict=True)
    ]


def _weighted(weights: list[float], shares: Iterable[float]) -> list[float]:
    return [weight * share for weight, share in zip(weights, shares, strict=True)]


def _mean(weights: list[float], shares: Iterable[float]) -> float:
    return fsum(_weighted(weights, shares))
