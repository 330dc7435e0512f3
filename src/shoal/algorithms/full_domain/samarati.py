"""Samarati: P. Samarati, Protecting respondents' identities in microdata release (2001), doi:10.1109/69.971193.

Binary search on the height of the lattice for the lowest one with a node that satisfies the model. Departure: if a
node above a solution need not be one (models that are not monotone), every height is examined from the lowest up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal

from shoal.algorithms.algorithm import Progress
from shoal.algorithms.full_domain.lattice import Explored, Lattice, LatticeAlgorithm
from shoal.algorithms.full_domain.prefixes import Node
from shoal.errors import InputError


@dataclass(frozen=True)
class Samarati(LatticeAlgorithm):
    """A node of minimal height: by `choice` the one with the lowest loss, or the first."""

    choice: Literal["lowest-loss", "first"] = "lowest-loss"

    name = "samarati"
    title = "Samarati"
    summary = "the lowest levels"

    def __post_init__(self) -> None:
        if self.choice not in ("lowest-loss", "first"):
            raise InputError(f"Samarati's choice is lowest-loss or first, not {self.choice!r}.")

    def search(self, lattice: Lattice, progress: Progress) -> Explored | None:
        """Find_vector: halve the range of heights until the lowest with a solution is found."""
        top = sum(lattice.top)
        low, high, sol = 0, top, None
        while low < high:
            try_ = (low + high) // 2 if lattice.demand.monotone else low
            chosen = self._reach(lattice, try_, partial(progress, 1 - (high - low) / max(1, top)))
            if chosen is not None:
                high, sol = try_, chosen
            else:
                low = try_ + 1
        sol = sol or self._reach(lattice, high, partial(progress, 1.0))
        return None if sol is None else lattice.recoding(sol[1], value=float(sol[0]))

    def _reach(self, lattice: Lattice, height: int, tell: Callable[[], None]) -> tuple[Fraction, Node] | None:
        """Return the chosen node of one height that satisfies the model, with its loss."""
        best = None
        for node in lattice.level(height):
            tell()
            if self.choice == "first" and best is not None and node > best[1]:
                continue
            verdict = lattice.judge(node)
            if verdict is not None:
                solutions = (lattice.loss(verdict), node)
                best = solutions if best is None or self.choice == "first" else min(best, solutions)
        return best
