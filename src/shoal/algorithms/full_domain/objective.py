"""Objective: a measure of nodes that a search can minimize, and what a caller chooses of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import fsum

import numpy as np

from shoal.algorithms.full_domain.lattice import Judged
from shoal.algorithms.full_domain.prefixes import Prefix
from shoal.kernels.arrays import Floats, Longs


@dataclass(frozen=True)
class Options:
    """What a caller chooses of an objective.

    weights  of the attributes, with the sum 1
    shown    what the cost of a cell that is shown is multiplied by
    hidden   what the cost of a suppressed cell is multiplied by
    target   the sensitive attribute to be told by classes; None: the first
    """

    weights: list[float]
    shown: float = 1.0
    hidden: float = 1.0
    target: str | None = None

    @classmethod
    def of(cls, weights: list[float], factor: float, target: str | None) -> Options:
        """Return the options for a factor from 0, suppression is free, to 1, generalization is."""
        return cls(weights, min(1.0, 2 - 2 * factor), min(1.0, 2 * factor), target)


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
