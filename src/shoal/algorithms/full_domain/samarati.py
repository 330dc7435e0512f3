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
from shoal.algorithms.full_domain.lattice import Explored, Judged, Lattice, LatticeAlgorithm
from shoal.algorithms.full_domain.prefixes import Node
from shoal.data.parameters import take_plain_numbers
from shoal.errors import InputError
from shoal.metrics.huang import node_losses, rows_lost


@dataclass(frozen=True)
class Samarati(LatticeAlgorithm):
    """A node of minimal height: by `choice` the one with the lowest loss, by LM or Huang's LM, or the first."""

    choice: Literal["lowest-loss", "lowest-loss-huang", "first"] = "lowest-loss"

    name = "samarati"
    title = "Samarati"
    summary = "the lowest levels; suppressed rows are left out"
    drops_suppressed = True

    def __post_init__(self) -> None:
        take_plain_numbers(self)
        if self.choice not in ("lowest-loss", "lowest-loss-huang", "first"):
            raise InputError(f"Samarati's choice is lowest-loss, lowest-loss-huang or first, not {self.choice!r}.")

    def search(self, lattice: Lattice, progress: Progress) -> Explored | None:
        """Find_vector: halve the range of heights until the lowest with a solution is found."""
        top = sum(lattice.top)
        low, high, sol = 0, top, None
        by_huang = self.choice == "lowest-loss-huang"
        loss = huang_of(lattice) if by_huang else lattice.loss
        while low < high:
            try_ = (low + high) // 2 if lattice.demand.monotone else low
            chosen = self._reach(lattice, try_, loss, partial(progress, 1 - (high - low) / max(1, top)))
            if chosen is not None:
                high, sol = try_, chosen
            else:
                low = try_ + 1
        sol = sol or self._reach(lattice, high, loss, partial(progress, 1.0))
        objective = "loss_huang" if by_huang else "loss"
        return None if sol is None else lattice.recoding(sol[1], objective=objective, value=float(sol[0]))

    def _reach(
        self, lattice: Lattice, height: int, loss: Callable[[Judged], Fraction], tell: Callable[[], None]
    ) -> tuple[Fraction, Node] | None:
        """Return the chosen node of one height that satisfies the model, with its loss."""
        best = None
        for node in lattice.level(height):
            tell()
            if self.choice == "first" and best is not None and node > best[1]:
                continue
            verdict = lattice.judge(node)
            if verdict is not None:
                solutions = (loss(verdict), node)
                best = solutions if best is None or self.choice == "first" else min(best, solutions)
        return best


def huang_of(lattice: Lattice) -> Callable[[Judged], Fraction]:
    """Return Huang's LM of a judged node: what it loses in all rows, and 1 more for each suppressed cell."""
    losses = [node_losses(tree) for tree in lattice.trees]
    weights = lattice.table.weights

    def loss(judged: Judged) -> Fraction:
        lost = Fraction(judged.suppressed * len(losses))
        for own, shown, level, codes in zip(losses, lattice.shown, judged.node, lattice.columns, strict=True):
            lost += rows_lost(own, shown[level][codes], weights)
        return lost / lattice.rows

    return loss
