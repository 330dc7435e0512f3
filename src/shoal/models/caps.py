"""Caps: a bound of how many rows of a class can be released, from the counts of its sensitive values.

The rows of a class that are released at finer levels satisfy a monotone model together. Of n such rows, r(g) in the
group g of sensitive values, all that is used is Σ_g weight(g) · min(r(g), limit(g) · n) ≥ least · n. As r(g) is at most
the count of the class, and the left side concave in n, the largest n is found from the counts of the class alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels.arrays import Floats, Ints

MAX_MEMBERS = 4096  # pairs of a value and a group, above which the bound takes longer than it saves


@dataclass(frozen=True, eq=False)
class Caps:
    """The groups of a sensitive attribute's values, and what a class may have of each.

    name    the sensitive attribute
    starts  value i is in the groups `groups[starts[i]:starts[i + 1]]`
    """

    name: str
    starts: Ints
    groups: Ints
    caps: Floats  # the weights and the limits of the groups
    least: float

    @property
    def arrays(self) -> tuple[Ints, Ints, Floats, float]:
        """The arguments of kernels."""
        return self.starts, self.groups, self.caps, self.least

    @classmethod
    def of_values(cls, name: str, limits: Floats, least: float) -> Caps:
        """Return caps for which each value is a group of its own."""
        every = np.arange(limits.size + 1, dtype=np.int32)
        return cls(name, every, every[:-1], np.stack([np.ones(limits.size), limits]), least)

    @classmethod
    def of_members(
        cls, name: str, members: list[list[int]], weights: Floats, limits: Floats, least: float
    ) -> Caps | None:
        """Return the caps of groups, given the groups of each value; None if these are too many."""
        lengths = [len(groups) for groups in members]
        if sum(lengths) > MAX_MEMBERS:
            return None
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        groups = np.array([group for own in members for group in own], np.int32)
        return cls(name, starts, groups, np.stack([weights, limits]).astype(np.float64), least)
