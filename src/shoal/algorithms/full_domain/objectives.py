"""Objectives: the measures by which a full-domain generalization can be the best.

The cost of a node is a sum of shares, one per attribute. A share grows with the attribute's level and with the rows
that are suppressed, so that some levels and some suppressed rows bound the cost of every node that has them from below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import expm1, fsum, log1p, log2

import numpy as np

from shoal.algorithms.full_domain.lattice import Judged, Lattice
from shoal.algorithms.full_domain.prefixes import Prefix
from shoal.data.rows import group_rows
from shoal.errors import InputError
from shoal.kernels.arrays import Floats, Ints, Longs
from shoal.metrics.ambiguity import MAX_RECORDS
from shoal.metrics.cells import times_log2
from shoal.metrics.classification import classification as classification_metric
from shoal.metrics.divergence import divergence as kl_divergence
from shoal.metrics.non_uniform_entropy import bits_of_all, entropy_by_attribute
from shoal.metrics.precision import imprecision_by_attribute


@dataclass(frozen=True, eq=False)
class Objective:
    """A measure of nodes, by its cost: the lower, the better."""

    cells: list[Floats]  # of each attribute: what a shown cell costs, levels × values
    hidden: list[float]  # of each attribute: what a suppressed cell costs
    #: (attribute, levels, mean cost of its cells, entropy of its suppressed values) -> its least share at these levels
    share: Callable[[int, Longs, Floats, Floats], Floats]
    cost: Callable[[Judged], float]
    value: Callable[[float], float] = float  # from a cost to the measure
    #: (prefix, numbers of suppressed rows) -> another bound, from the finest classes that begin so
    floor: Callable[[Prefix, Longs], Floats] = lambda prefix, suppressed: np.zeros(suppressed.size)
    #: the cost of a node from the shares of its attributes
    total: Callable[[Iterable[float]], float] = fsum
    #: what decides between nodes of the same cost, before their levels do
    ties: Callable[[Judged], tuple[float, ...]] = lambda judged: ()
    linear: bool = True  # whether shares are sums over rows
    cells_only: bool = False  # whether the cost is the sum of what cells cost, and nothing else
    entropy: bool = False  # whether shares depend on the entropy of what is suppressed, for which all rows are kept


def loss(lattice: Lattice, weights: list[float]) -> Objective:
    """LM: the weighted mean of the attributes' losses."""
    return Objective(
        cells=[w * tree.loss[shown] for w, tree, shown in zip(weights, lattice.trees, lattice.shown, strict=True)],
        hidden=weights,
        share=lambda attribute, levels, own, spread: own,
        cost=lambda judged: _mean(weights, lattice.losses(judged)),
        cells_only=True,
    )


def loss_geometric(lattice: Lattice, weights: list[float]) -> Objective:
    """LM as the weighted geometric mean Π (LM_a + 1)^w_a − 1; its cost is the logarithm."""
    return Objective(
        cells=[tree.loss[shown] for tree, shown in zip(lattice.trees, lattice.shown, strict=True)],
        hidden=[1.0] * len(weights),
        share=lambda attribute, levels, own, spread: weights[attribute] * np.log1p(own),
        cost=lambda judged: _mean(weights, map(log1p, lattice.losses(judged))),
        value=expm1,
        linear=False,
    )


def precision(lattice: Lattice, weights: list[float]) -> Objective:
    """Precision; its cost is 1 − precision: the steps taken of those up to the top."""
    cells, hidden = [], []
    for weight, tree in zip(weights, lattice.trees, strict=True):
        depths = tree.depths[tree.leaf_nodes]
        steps = np.minimum(np.arange(tree.height + 1)[:, None], depths)
        cells.append(weight * steps / np.maximum(1, depths))
        hidden.append(weight * min(1, tree.height))
    return Objective(
        cells=cells,
        hidden=hidden,
        share=lambda attribute, levels, own, spread: own,
        cost=lambda judged: _mean(weights, imprecision_by_attribute(lattice.table, lattice.regroup(judged.node))),
        value=lambda cost: 1 - cost,
        cells_only=True,
    )


def non_uniform_entropy(lattice: Lattice, weights: list[float]) -> Objective:
    """Non-uniform entropy: all rows pay the steps up to the level, suppressed rows also those from there to the top."""
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


def height(lattice: Lattice, weights: list[float]) -> Objective:
    """The sum of the levels; nodes of equal height are compared by their loss, which is below 1."""
    lm = loss(lattice, [weight / 2 for weight in weights])
    return Objective(
        cells=lm.cells,
        hidden=lm.hidden,
        share=lambda attribute, levels, own, spread: levels + own,
        cost=lambda judged: sum(judged.node) + lm.cost(judged),
        value=lambda cost: float(int(cost)),
    )


def discernibility(lattice: Lattice, weights: list[float]) -> Objective:
    """DM: the sum of the squared class sizes; a suppressed row counts as many as the table has rows."""
    rows, smallest = lattice.table.rows, lattice.model.smallest

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        finest = prefix.gone * rows + float((prefix.weights.astype(np.float64) ** 2).sum())
        return np.maximum(finest, suppressed * float(rows) + (rows - suppressed) * float(smallest))

    return _by_sizes(lattice, lambda j: float(sum(s * s for s in j.sizes.tolist()) + j.suppressed * rows), floor)


def average_class_size(lattice: Lattice, weights: list[float]) -> Objective:
    """The mean number of rows in a class: rows that are not suppressed / classes."""
    rows, smallest = lattice.table.rows, lattice.model.smallest

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        least = (rows - lattice.max_suppressed) / max(1, prefix.rows.size)
        return np.full(suppressed.size, max(float(smallest), least))

    return _by_sizes(lattice, lambda judged: float(judged.sizes.sum()) / judged.sizes.size, floor)


def discernibility_star(lattice: Lattice, weights: list[float]) -> Objective:
    """DM*: the sum of the squared class sizes; the suppressed rows are a class like any other."""
    rows, smallest = lattice.table.rows, lattice.model.smallest

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        finest = float(prefix.gone) ** 2 + float((prefix.weights.astype(np.float64) ** 2).sum())
        gone = np.maximum(suppressed, smallest / 2)  # above it, one more suppressed row costs more than a released one
        return np.asarray(np.maximum(finest, gone**2 + (rows - gone) * smallest), np.float64)

    return _by_sizes(lattice, lambda j: float(sum(s * s for s in j.sizes.tolist()) + j.suppressed**2), floor)


def ambiguity(lattice: Lattice, weights: list[float]) -> Objective:
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


def divergence(lattice: Lattice, weights: list[float]) -> Objective:
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


def classification(lattice: Lattice, weights: list[float]) -> Objective:
    """CM: the share of rows that are suppressed or lack the most frequent first sensitive value of their class."""
    table = lattice.table
    if not table.sensitive:
        raise InputError(
            "The objective classification needs a sensitive attribute and none is named: give sensitive=…."
        )
    target, width = table.sensitive_column(table.sensitive[0])

    def floor(prefix: Prefix, suppressed: Longs) -> Floats:
        ids, count = lattice.finest(prefix)
        pairs, firsts = group_rows([ids, target[prefix.rows]], [max(1, count), width], ids.size)
        most = np.zeros(count)
        np.maximum.at(most, ids[firsts], np.bincount(pairs, prefix.weights, firsts.size))
        others = prefix.gone + float(prefix.weights.sum()) - float(most.sum())
        return np.maximum(others, suppressed) / table.rows

    return _by_sizes(lattice, lambda judged: classification_metric(table, lattice.regroup(judged.node)), floor)


def loss_maximum(lattice: Lattice, weights: list[float]) -> Objective:
    """LM as the maximum of the attributes' losses, each times its weight, the largest of which is 1."""
    scaled = [weight / max(weights) for weight in weights]
    return replace(
        loss(lattice, scaled),
        cost=lambda judged: max(_weighted(scaled, lattice.losses(judged))),
        total=lambda shares: max(shares),
        linear=False,
        cells_only=False,
    )


def loss_rank(lattice: Lattice, weights: list[float]) -> Objective:
    """LM by rank: the largest of the attributes' losses decides; if it is the same, the second largest, and so on."""
    scaled = [weight / max(weights) for weight in weights]
    return replace(
        loss_maximum(lattice, weights),
        ties=lambda judged: tuple(sorted(_weighted(scaled, lattice.losses(judged)), reverse=True)),
    )


def _weighted(weights: list[float], shares: Iterable[float]) -> list[float]:
    return [weight * share for weight, share in zip(weights, shares, strict=True)]


def _by_sizes(lattice: Lattice, cost: Callable[[Judged], float], floor: Callable[[Prefix, Longs], Floats]) -> Objective:
    return Objective(
        cells=[np.zeros(shown.shape) for shown in lattice.shown],
        hidden=[0.0] * len(lattice.trees),
        share=lambda attribute, levels, own, spread: own,
        cost=cost,
        floor=floor,
    )


def _mean(weights: list[float], shares: Iterable[float]) -> float:
    return fsum(weight * share for weight, share in zip(weights, shares, strict=True))


OBJECTIVES: dict[str, Callable[[Lattice, list[float]], Objective]] = {
    "loss": loss,
    "loss_geometric": loss_geometric,
    "non_uniform_entropy": non_uniform_entropy,
    "discernibility": discernibility,
    "average_class_size": average_class_size,
    "precision": precision,
    "height": height,
    "loss_maximum": loss_maximum,
    "loss_rank": loss_rank,
    "discernibility_star": discernibility_star,
    "ambiguity": ambiguity,
    "divergence": divergence,
    "classification": classification,
}
WEIGHTED = ("loss", "loss_geometric", "non_uniform_entropy", "precision", "loss_maximum", "loss_rank")
