"""Solutions: the nodes of the lattice that a search looked at, what each gives, and the release of any of them."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa
import pyarrow.csv

from shoal.algorithms import FullDomain
from shoal.algorithms.full_domain.lattice import Explored, Lattice
from shoal.algorithms.full_domain.prefixes import Node
from shoal.data.budget import budget_of
from shoal.data.recoding import Recoding
from shoal.documents.html_page import Summary
from shoal.documents.plots import check_plot
from shoal.errors import InfeasibleError, InputError, InterruptedSearch
from shoal.release import lattice_plots
from shoal.release.lattice_plots import NodeFacts
from shoal.system import atomic_files
from shoal.system.interrupts import deferred

R = TypeVar("R")  # the kind of release that a node is made into
MOST = 100_000  # nodes that are all looked at where that is asked for
FEW = 20_000  # nodes that are all looked at for a picture


@dataclass(frozen=True)
class Limit:
    """The best node under a limit of suppressed rows; `proven` is False where the search was stopped before its end."""

    limit: int
    suppressed: int | None
    value: float | None
    node: Node | None
    proven: bool


@dataclass(frozen=True, eq=False, repr=False)
class Solutions(Summary, Generic[R]):
    """The `nodes` that a search looked at, which are `checked`, and all others after `complete()`.

    `found` is the account of the search: `value` of the `objective` is that of the chosen node, and no node that
    satisfies the model has a better one than `bound`, where one is proven.
    """

    found: Explored
    quasi: tuple[str, ...]
    release_of: Callable[[Recoding, Node | None], R]
    algorithm: FullDomain
    nodes: tuple[Node, ...]
    checked: frozenset[Node]
    _known: dict[Node, NodeFacts] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, found: Explored, algorithm: object, release_of: Callable[[Recoding, Node | None], R]) -> Solutions[R]:
        """The solutions that an algorithm found."""
        found.lattice.forget()
        nodes = tuple(dict.fromkeys((*found.lattice.judged, found.node)))
        search = algorithm if isinstance(algorithm, FullDomain) else FullDomain()
        return cls(found, found.lattice.table.quasi, release_of, search, nodes, frozenset(nodes))

    @property
    def node(self) -> dict[str, int]:
        """The levels that were chosen."""
        return dict(zip(self.quasi, self.found.node, strict=True))

    @property
    def size(self) -> int:
        """The number of nodes of the lattice."""
        return self.found.lattice.nodes

    def summary(self) -> dict[str, Any]:
        """How the search went, as plain values."""
        found = self.found
        return {
            "objective": found.objective,
            "value": found.value,
            "bound": found.bound,
            "node": self.node,
            "lattice_nodes": self.size,
            "checked_nodes": len(self.checked),
            "closed_nodes": found.closed,
            "stopped": found.stopped,
        }

    def complete(self, progress: Callable[[str, float], None] | None = None) -> Solutions[R]:
        """The same with every node of the lattice, where these are at most 100,000."""
        if self.size > MOST:
            raise InputError(f"The lattice has {self.size:,} nodes, more than the {MOST:,} that are all looked at.")
        whole = replace(self, nodes=tuple(self.every_node()))
        whole.facts(progress)
        return whole

    def fitting(self) -> Solutions[R]:
        """With every node where these are few enough to be looked at in passing."""
        return self.complete() if self.size <= FEW else self

    def every_node(self) -> list[Node]:
        """All nodes of the lattice."""
        lattice = self.found.lattice
        return list(product(*(range(low, high + 1) for low, high in zip(lattice.bottom, lattice.top, strict=True))))

    def facts(self, progress: Callable[[str, float], None] | None = None) -> list[NodeFacts]:
        """What each node gives, in the order of the levels."""
        for number, node in enumerate(sorted(self.nodes)):
            if node not in self._known:
                self._known[node] = self._look(node)
            if progress and number % 64 == 0:
                progress("looking at nodes", number / len(self.nodes))
        return [self._known[node] for node in sorted(self.nodes)]

    def _look(self, node: Node) -> NodeFacts:
        """What a node gives, however many rows it suppresses."""
        lattice = self._unlimited
        judged = lattice.judge(node)
        if judged is None:
            return NodeFacts(node, sum(node), 1.0, 0, lattice.rows, False)
        allowed = judged.suppressed <= self.found.lattice.max_suppressed
        loss = float(lattice.loss(judged))
        return NodeFacts(node, sum(node), loss, judged.sizes.size, judged.suppressed, allowed)

    @cached_property
    def _unlimited(self) -> Lattice:
        return self.found.lattice.unlimited()

    def table(self) -> pa.Table:
        """One row per node: levels, height, loss, classes, suppressed rows, whether it is a solution and checked."""
        facts = self.facts()
        columns: dict[str, Any] = {f"level {name}": [one.node[j] for one in facts] for j, name in enumerate(self.quasi)}
        for name in ("height", "loss", "classes", "suppressed", "satisfied"):
            columns[name] = [getattr(one, name) for one in facts]
        columns["checked"] = [one.node in self.checked for one in facts]
        columns["chosen"] = [one.node == self.found.node for one in facts]
        return pa.table(columns)

    def to_csv(self, path: str | PathLike[str]) -> Path:
        """Write the table of nodes, whole or not at all."""
        target = Path(path)
        table = self.table()
        atomic_files.replace_whole({target: lambda file: pyarrow.csv.write_csv(table, file)})
        return target

    def front(self) -> list[NodeFacts]:
        """The nodes of which no other loses less with as few suppressed rows: the Pareto front."""
        best: list[NodeFacts] = []
        for one in sorted(self.facts(), key=lambda one: (one.suppressed, one.loss, one.node)):
            if one.classes and (not best or one.loss < best[-1].loss):
                best.append(one)
        return best

    def trade_off(
        self,
        limits: Iterable[float | int] | None = None,
        *,
        progress: Callable[[str, float], None] | None = None,
    ) -> list[Limit]:
        """The best node under each limit: by default the one that was asked for, and up to ten per cent more.

        The searches share the time limit of the algorithm; Ctrl-C gives those that are done.
        """
        lattice = self.found.lattice
        wanted = sorted({budget_of(limit, lattice.rows) for limit in limits}) if limits is not None else None
        asked = lattice.max_suppressed
        if wanted is None:
            wanted = sorted({min(lattice.rows, asked + lattice.rows * step // 100) for step in range(11)})
        made: list[Limit] = []
        start = time.monotonic()
        with deferred() as pressed:
            for number, limit in enumerate(wanted):
                if progress:
                    progress("trying limits", number / len(wanted))
                if pressed():
                    told = "The search under other limits was interrupted: those looked at so far are shown."
                    warnings.warn(told, InterruptedSearch, stacklevel=2)
                    break
                made.append(self._best_under(limit, start, len(wanted) - number, pressed))
        return made

    def _best_under(self, limit: int, start: float, left: int, pressed: Callable[[], bool]) -> Limit:
        """The best node under a limit, found in its part of the time that is left."""
        lattice, algorithm = self.found.lattice, self.algorithm
        if algorithm.time_limit is not None:
            rest = algorithm.time_limit - (time.monotonic() - start)
            algorithm = replace(algorithm, time_limit=max(0.1, rest / left))

        def stop(share: float) -> None:
            if pressed():
                raise KeyboardInterrupt

        try:
            best = algorithm.recode(lattice.table, lattice.model, max_suppressed=limit, progress=stop)
        except InfeasibleError:
            return Limit(limit, None, None, None, True)
        gone = int(lattice.table.weights[best.suppressed].sum())
        return Limit(limit, gone, best.value, best.node, not best.stopped)

    def apply(self, node: Mapping[str, int] | Sequence[int]) -> R:
        """The release of another node, made and verified as the first."""
        lattice = self.found.lattice
        levels = self._levels(node)
        judged = lattice.judge(levels)
        if judged is None:
            raise InputError(
                f"The node {levels} does not satisfy {lattice.model}: "
                f"{self._look(levels).suppressed:,} rows are in classes that fail, "
                f"{lattice.max_suppressed:,} may be suppressed."
            )
        return self.release_of(lattice.recoding(levels, value=float(lattice.loss(judged))), levels)

    def _levels(self, node: Mapping[str, int] | Sequence[int]) -> Node:
        """The levels of a node, checked."""
        lattice = self.found.lattice
        if isinstance(node, Mapping):
            for name in (*node, *self.quasi):
                if name not in self.quasi or name not in node:
                    raise InputError(f"A node has a level for each of {', '.join(self.quasi)}: {name!r} does not fit.")
            node = [node[name] for name in self.quasi]
        levels = tuple(node) if isinstance(node, Sequence) else ()
        if len(levels) != len(self.quasi) or not all(isinstance(level, int) for level in levels):
            raise InputError(f"A node has a whole number for each of {', '.join(self.quasi)}, not {node!r}.")
        for name, level, low, high in zip(self.quasi, levels, lattice.bottom, lattice.top, strict=True):
            if not low <= level <= high:
                raise InputError(f"Column {name!r} has levels {low} to {high}, not {level}.")
        return levels

    def plot(self, path: str | PathLike[str]) -> None:
        """Draw the lattice, its nodes coloured by what they are, into a .png, .svg or .pdf file."""
        lattice_plots.check_lattice(path, self.size)
        facts = self.complete().facts()
        lattice_plots.plot_lattice(path, names=self.quasi, facts=facts, checked=self.checked, chosen=self.found.node)

    def plot_front(self, path: str | PathLike[str]) -> None:
        """Draw the loss of the nodes against their suppressed rows, with the Pareto front."""
        check_plot(path)
        drawn, lattice = self.fitting(), self.found.lattice
        lattice_plots.plot_front(
            path,
            facts=drawn.facts(),
            front=drawn.front(),
            chosen=self.found.node,
            nodes=self.size,
            rows=lattice.rows,
            max_suppressed=lattice.max_suppressed,
        )

    def _figures(self) -> dict[str, object]:
        return {"nodes": len(self.nodes), "node": self.node, self.found.objective: float(self.found.value)}
