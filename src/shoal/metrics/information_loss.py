"""IL: J. Byun, A. Kamra, E. Bertino, N. Li, Efficient k-anonymization using clustering techniques (2007).

doi:10.1007/978-3-540-71703-4_18. It measures what a class shows: the shown node takes the place of the paper's lowest
common ancestor, which is the same in a minimal generalization.
"""

from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np

from shoal.data.domain import AnyDomain, Sets, TreeDomain
from shoal.data.hierarchy import Hierarchy
from shoal.data.recoding import Recoding
from shoal.data.table import Table
from shoal.kernels.arrays import Floats, Longs
from shoal.metrics.cells import total_per_attribute


def information_loss(table: Table, recoding: Recoding) -> float:
    """IL: Σ classes size · D, D = Σ numbers (high − low) / (max − min) + Σ trees height(shown node) / height(tree).

    Orders count as numbers; without a tree every value lies directly under the top, so that a shown set costs 1.
    A suppressed row costs 1 for each attribute.
    """
    return fsum(total_per_attribute(table, recoding, diversity, suppressed=1.0))


def diversity(domain: AnyDomain, shown: Any) -> Floats:
    """Return what one attribute adds to the D of each class, from 0 to 1."""
    if isinstance(domain, TreeDomain):
        return np.asarray(heights(domain.hierarchy)[shown] / max(1, domain.hierarchy.height), np.float64)
    if isinstance(shown, Sets):
        return (shown.sizes > 1).astype(np.float64)
    return domain.loss(shown)


def heights(tree: Hierarchy) -> Longs:
    """Return for each node the number of steps down to the deepest value under it."""
    leaves = np.append(tree.depths[tree.leaf_nodes], 0)  # one more, so that highs + 1 is an index
    deepest = np.maximum.reduceat(leaves, np.stack([tree.lows, tree.highs + 1], axis=1).ravel())[::2]
    return (deepest - tree.depths).astype(np.int64)
