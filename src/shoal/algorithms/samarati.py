"""Samarati: P. Samarati, Protecting respondents' identities in microdata release (2001), doi:10.1109/69.971193.

Binary search on the height of the lattice for the lowest one with a node that satisfies the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from shoal.algorithms.algorithm import Progress
from shoal.errors import InputError
from shoal.lattice import Judged, Lattice
from shoal.models import PrivacyModel
from shoal.recoding import Recoding
from shoal.table import Table


@dataclass(frozen=True)
class Samarati:
    """A node of minimal height; `choice` "lowest-loss" or "first" says which of them."""

    choice: Literal["lowest-loss", "first"] = "lowest-loss"

    name: ClassVar[str] = "samarati"
    needs_hierarchies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.choice not in ("lowest-loss", "first"):
            raise InputError(f"Samarati's choice is lowest-loss or first, not {self.choice!r}.")

    def recode(
        self, table: Table, model: PrivacyModel, *, max_suppressed: int = 0, progress: Progress | None = None
    ) -> Recoding:
        """Find_vector: halve the heights until the lowest with a solution is found."""
        lattice = Lattice.of(table, model)
        if not (model.monotone_with_suppression if max_suppressed else model.monotone):
            raise InputError(f"Samarati's binary search needs a model that coarser values keep satisfied, not {model}.")
        low, high, sol = 0, lattice.height, self._reach(lattice, lattice.height, model, max_suppressed)
        if sol is None:
            raise lattice.infeasible(model)
        while low < high:
            try_ = (low + high) // 2
            found = self._reach(lattice, try_, model, max_suppressed)
            if found is not None:
                high, sol = try_, found
            else:
                low = try_ + 1
            if progress:
                progress(1 - (high - low) / max(1, lattice.height))
        return lattice.recoding(sol)

    def _reach(self, lattice: Lattice, height: int, model: PrivacyModel, max_suppressed: int) -> Judged | None:
        """The chosen node of one height that satisfies the model."""
        best = None
        for node in lattice.level(height):
            verdict = lattice.judge(node, model, max_suppressed)
            if verdict is not None and (best is None or verdict.loss < best.loss):
                best = verdict
                if self.choice == "first":
                    break
        return best
