"""What a command writes and shows of the lattice that an algorithm went through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.cli.console import check_places
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.release.lattice_explorer import Solutions


@dataclass(frozen=True)
class LatticeOutputs:
    """The files and tables that are asked for."""

    nodes: Path | None
    front: Path | None
    trade_off: bool

    def check(self, algorithm: str, *others: Any) -> None:
        """Refuse what cannot be written, or not of this algorithm, before any work is done."""
        if not (self.nodes or self.front or self.trade_off):
            return
        from shoal.algorithms import ALGORITHMS
        from shoal.documents.plots import ENDINGS, check_plot

        if algorithm in ALGORITHMS and not ALGORITHMS[algorithm]().needs_hierarchies:
            raise InputError(
                f"--nodes, --front and --trade-off are for full-domain algorithms, not for {algorithm}: "
                "name one, such as --algorithm full-domain."
            )
        check_places((self.nodes, self.front), *others)
        for path in (self.nodes, self.front):
            if path is None:
                continue
            if path == self.nodes and path.suffix.lower() not in (".csv", *ENDINGS):
                raise InputError(f"{path}: the nodes are a .csv file, or a picture: {', '.join(ENDINGS)}.")
            if path.suffix.lower() != ".csv" or path == self.front:
                check_plot(path)

    def write(self, solutions: Solutions | None, progress: Callable[[str, float], None]) -> list[dict[str, Any]]:
        """Write the files; returns the rows of the trade-off."""
        if solutions is None:
            return []
        from shoal.release.lattice_explorer import FEW

        if (self.nodes or self.front) and solutions.size <= FEW:
            solutions = solutions.complete(progress)
        if self.nodes is not None:
            (solutions.to_csv if self.nodes.suffix.lower() == ".csv" else solutions.plot)(self.nodes)
        if self.front is not None:
            solutions.plot_front(self.front)
        return [vars(limit) for limit in solutions.trade_off(progress=progress)] if self.trade_off else []
