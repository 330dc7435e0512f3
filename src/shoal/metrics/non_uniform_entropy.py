"""Non-uniform entropy: T. de Waal, L. Willenborg, Information loss through global recoding and local suppression.

Netherlands Official Statistics 14, 17–20 (1999); for local recoding as F. Prasser, R. Bild, K. Kuhn, A generic method
for assessing the quality of de-identified health data (2016), doi:10.3233/978-1-61499-678-1-312, as in ARX.
"""

from __future__ import annotations

from math import fsum, log2
from typing import Any

import numpy as np

from shoal.data.domain import TreeDomain
from shoal.data.recoding import Recoding
from shoal.data.rows import group_rows
from shoal.data.table import Table
from shoal.kernels.arrays import Ints, Longs
from shoal.metrics.cells import cells_of, times_log2, value_counts


def non_uniform_entropy(table: Table, recoding: Recoding) -> float:
    """The mean over the attributes of Σ rows −log2(f(raw) / f(shown)) / Σ rows −log2(f(raw) / n), from 0 to 1.

    f(raw): the rows that show the row's label and have its raw value; f(shown): the rows that show its label. In a
    tree the sum goes up level by level: at each level that the release shows, the rows shown there or higher pay
    −log2(f(value at the shown level below) / f(value at this level)), counted among themselves.
    """
    return fsum(entropy_by_attribute(table, recoding)) / len(table.quasi)


def entropy_by_attribute(table: Table, recoding: Recoding) -> list[float]:
    """Return the entropy of each attribute alone."""
    shares = []
    whole = table.rows * log2(table.rows)
    for attribute, (domain, shown) in enumerate(zip(table.domains, recoding.shown, strict=True)):
        bits = _by_level if isinstance(domain, TreeDomain) else _by_label
        cells = cells_of(table, recoding, attribute)
        most = whole - times_log2(_rows(cells.codes, cells.rows))
        shares.append(bits(table, recoding, attribute, shown) / most if most > 0 else 0.0)
    return shares


def bits_of_all(table: Table) -> list[float]:
    """Return Σ rows −log2(f(raw) / n) of each attribute: the bits that are lost if all of it is suppressed."""
    whole = table.rows * log2(table.rows)
    return [whole - times_log2(value_counts(table, attribute)) for attribute in range(len(table.quasi))]


def _by_label(table: Table, recoding: Recoding, attribute: int, shown: Any) -> float:
    """Return Σ rows −log2(f(raw) / f(shown)) of an attribute without a tree; the suppressed rows show one label."""
    domain = table.domains[attribute]
    _, place = np.unique(domain.alike(shown), return_inverse=True)
    tops = int(place.max(initial=-1)) + 1
    label = np.append(place, tops).astype(np.int32)[recoding.ids]  # −1 takes the last: the top
    pairs, _ = group_rows([label, table.codes[:, attribute]], [tops + 1, len(domain)], label.size)
    return max(0.0, times_log2(_rows(label, table.weights)) - times_log2(_rows(pairs, table.weights)))


def _by_level(table: Table, recoding: Recoding, attribute: int, shown: Any) -> float:
    """Return the same in a tree, level by level: Σ c log2 c over the values of a level less that of the level below."""
    domain: TreeDomain = table.domains[attribute]  # type: ignore[assignment]
    tree = domain.hierarchy
    steps, codes, rows = cells_of(table, recoding, attribute)
    # The top is one label, whatever the depth of the value.
    levels = np.where(steps == domain.depth(codes.astype(np.int32)), tree.height, steps)
    below = tree.leaf_nodes
    terms, reached = [], 0
    for level in np.flatnonzero(np.bincount(levels)).tolist():
        nodes = tree.ancestors(below, level - reached)
        here = levels >= level
        weights, values = rows[here], codes[here]
        terms += [times_log2(_rows(nodes[values], weights)), -times_log2(_rows(below[values], weights))]
        below, reached = nodes, level
    return max(0.0, fsum(terms))


def _rows(numbers: Ints | Longs, weights: Longs) -> Longs:
    return np.bincount(numbers, weights).astype(np.int64)
