"""LM by the convention of J. Huang, K-anonymity implementation via Samarati and Mondrian (a report on the USTC lab).

As the sum over the attributes of their mean losses, with two differences: an interval of numbers loses its width out
of that of all intervals together (5, 10 or 20 of 80 years: 1/16, 1/8, 1/4), and a suppressed row loses what its node
loses, as if it were shown, and 1 more in each attribute.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum, isfinite

import numpy as np

from shoal.data.domain import TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.label_ranges import span_of
from shoal.data.recoding import Recoding
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.metrics.cells import steps_up, suppressed_rows


def loss_huang(table: Table, recoding: Recoding) -> float:
    """LM as the sum over the attributes, with intervals of numbers by their widths and M more for a suppressed row.

    An interval loses its width out of that of all intervals together. A suppressed row loses what its node loses, as
    far as all rows show the same levels, otherwise 1 in each attribute; and 1 more in each of the M attributes.
    """
    suppressed = suppressed_rows(table, recoding)
    hidden, levels = recoding.suppressed, _levels(table, recoding) if suppressed else None
    lost, others = Fraction(suppressed * len(table.quasi)), [0.0]  # exact under trees
    for at, (domain, shown, codes) in enumerate(zip(table.domains, recoding.shown, table.codes.T, strict=True)):
        if isinstance(domain, TreeDomain):
            lost += lost_in(domain.hierarchy, shown, recoding.sizes)
        else:
            others += (recoding.sizes * domain.loss(shown)).tolist()
        if levels is None or not isinstance(domain, TreeDomain):
            lost += suppressed
        else:
            nodes = domain.hierarchy.ancestors(domain.hierarchy.leaf_nodes[codes[hidden]], levels[at])
            lost += lost_in(domain.hierarchy, nodes, table.weights[hidden])
    return float(lost / table.rows) + fsum(others) / table.rows


def node_losses(tree: Hierarchy) -> list[Fraction]:
    """Return what a cell loses that shows a node: by widths in a tree of intervals, otherwise as in LM."""
    widths = _widths(tree)
    if widths is not None:
        return widths
    others, sizes = max(1, len(tree.leaf_nodes) - 1), (tree.highs - tree.lows).tolist()
    losses = {size: Fraction(size, others) for size in set(sizes)}  # few, as most nodes are leaves
    return [losses[size] for size in sizes]


def rows_lost(losses: list[Fraction], nodes: Ints, weights: Longs) -> Fraction:
    """Return what rows lose that show these nodes."""
    counts = np.bincount(nodes, weights, len(losses)).astype(np.int64)
    return sum((losses[node] * int(counts[node]) for node in np.flatnonzero(counts).tolist()), Fraction(0))


def lost_in(tree: Hierarchy, nodes: Ints, weights: Longs) -> Fraction:
    """Return what rows lose that show these nodes of a tree."""
    if len(tree.leaf_nodes) > 1 and np.isin(nodes[nodes > 0], tree.leaf_nodes).all():
        return Fraction(int(weights[nodes == 0].sum()))  # everything or nothing is shown: no label need be read
    return rows_lost(node_losses(tree), nodes, weights)


def _widths(tree: Hierarchy) -> list[Fraction] | None:
    """Return the width of each node out of all together; None if not all groups are intervals with two ends."""
    leaves = set(tree.leaf_nodes.tolist())
    spans: dict[int, tuple[Fraction, Fraction]] = {}
    for node in range(1, len(tree.labels)):
        if node not in leaves:
            ends = _ends(tree.labels[node])
            if ends is None:
                return None
            spans[node] = ends
    if not spans:
        return None
    whole = max(high for _, high in spans.values()) - min(low for low, _ in spans.values())
    known = {0: Fraction(1)} | {node: (high - low) / whole for node, (low, high) in spans.items()}
    return [known.get(node, Fraction(0)) for node in range(len(tree.labels))]


def _ends(label: str) -> tuple[Fraction, Fraction] | None:
    """Return where an interval begins and where it ends, for 16-20 at 21; None if it is not one."""
    span = span_of(label, Style())
    if span is None or span[0] != "number" or not all(isfinite(end) for end, _ in span[1:]):
        return None
    (low, _), (high, excluded) = span[1:]
    closed = not excluded and isinstance(low, int) and isinstance(high, int)
    begin, end = Fraction(low), Fraction(high) + closed
    return (begin, end) if begin < end else None


def _levels(table: Table, recoding: Recoding) -> list[int] | None:
    """Return the level of each attribute if all released rows show the values of one, up to the root; else None."""
    released, levels = ~recoding.suppressed, []
    for domain, shown, codes in zip(table.domains, recoding.shown, table.codes.T, strict=True):
        if not isinstance(domain, TreeDomain) or not released.any():
            return None
        steps = steps_up(domain, shown, recoding, codes)[released]
        level = int(steps.max())
        if (steps != np.minimum(level, domain.depth(codes[released]))).any():
            return None
        levels.append(level)
    return levels
