"""Solutions: the nodes of the lattice that a search checked, the figures of each, and the release of any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa
import pyarrow.csv

from shoal.algorithms import FullDomain
from shoal.algorithms.full_domain.lattice import Explored, Lattice
from shoal.algorithms.full_domain.prefixes import Node
from shoal.data.recoding import Recoding
from shoal.documents.html_page import Summary
from shoal.documents.plots import check_plot
from shoal.errors import InputError
from shoal.release import lattice_plots
from shoal.release.lattice_plots import NodeFacts
from shoal.release.lattice_trade_off import Limit, trade_off
from shoal.system import atomic_files
from shoal.system.progress import Progress, showing, silent

R = TypeVar("R")  # the kind of release that a node is made into
MAX_NODES = 100_000  # of a lattice that can be checked completely
MAX_CHECKED_NODES = 20_000  # nodes, so that all are checked for a plot
NODES_PER_CALL = 64  # between two calls of progress


class NodeFigures(dict[Node, NodeFacts]):
    """The figures of the nodes of a lattice, each computed once, however many rows it suppresses."""

    def __init__(self, lattice: Lattice) -> None:
        self._max_suppressed = lattice.max_suppressed
        self._lattice = lattice.unlimited()

    def __missing__(self, node: Node) -> NodeFacts:
        judged = self._lattice.judge(node)
        if judged is None:
            self[node] = NodeFacts(node, sum(node), 1.0, 0, self._lattice.rows, False)
        else:
            loss, allowed = float(self._lattice.loss(judged)), judged.suppressed <= self._max_suppressed
            self[node] = NodeFacts(node, sum(node), loss, judged.sizes.size, judged.suppressed, allowed)
        return self[node]


@dataclass(frozen=True, eq=False, repr=False)
class Solutions(Summary, Generic[R]):
    """The nodes of a lattice that a search checked; after `complete()`, all nodes.

    found       the outcome of the search: the chosen node, its value, and a bound on the value of any solution, if
                one is proven
    quasi       the quasi-identifiers, in the order of the levels
    release_of  makes and verifies the release of another node
    nodes       the nodes with figures: those that the search `checked`, or all
    """

    found: Explored
    quasi: tuple[str, ...]
    release_of: Callable[[Recoding, Node | None], R]
    algorithm: FullDomain
    nodes: tuple[Node, ...]
    checked: frozenset[Node]
    _figures_of: NodeFigures = field(repr=False)

    @classmethod
    def of(cls, found: Explored, algorithm: object, release_of: Callable[[Recoding, Node | None], R]) -> Solutions[R]:
        """Collect the nodes that an algorithm checked."""
        lattice = found.lattice
        lattice.forget()
        nodes = tuple(dict.fromkeys((*lattice.judged, found.node)))
        search = algorithm if isinstance(algorithm, FullDomain) else FullDomain()
        return cls(found, lattice.table.quasi, release_of, search, nodes, frozenset(nodes), NodeFigures(lattice))

    @property
    def node(self) -> dict[str, int]:
        """The chosen level of each quasi-identifier."""
        return dict(zip(self.quasi, self.found.node, strict=True))

    @property
    def size(self) -> int:
        """The number of nodes of the lattice."""
        return self.found.lattice.nodes

    def summary(self) -> dict[str, Any]:
        """Summarize the search as plain values."""
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

    def complete(self, progress: Progress | bool | None = None) -> Solutions[R]:
        """Return the same with every node of the lattice, if it has at most 100,000."""
        if self.size > MAX_NODES:
            raise InputError(f"The lattice has {self.size:,} nodes, more than the {MAX_NODES:,} that can be checked.")
        lattice = self.found.lattice
        levels = (range(low, high + 1) for low, high in zip(lattice.bottom, lattice.top, strict=True))
        whole = replace(self, nodes=tuple(product(*levels)))
        with showing(progress) as tell:
            whole.facts(tell)
        return whole

    def facts(self, tell: Progress = silent) -> list[NodeFacts]:
        """Compute the figures of each node, ordered by level."""
        facts = []
        for number, node in enumerate(sorted(self.nodes)):
            facts.append(self._figures_of[node])
            if number % NODES_PER_CALL == 0:
                tell("looking at nodes", number / len(self.nodes))
        return facts

    def table(self) -> pa.Table:
        """Return a table of the nodes: levels, height, loss, classes, suppressed rows, and whether it is a solution."""
        facts = self.facts()
        columns: dict[str, Any] = {
            f"level {name}": [fact.node[at] for fact in facts] for at, name in enumerate(self.quasi)
        }
        for name in ("height", "loss", "classes", "suppressed", "satisfied"):
            columns[name] = [getattr(fact, name) for fact in facts]
        columns["checked"] = [fact.node in self.checked for fact in facts]
        columns["chosen"] = [fact.node == self.found.node for fact in facts]
        return pa.table(columns)

    def to_csv(self, path: str | PathLike[str]) -> Path:
        """Write the table of nodes, completely or not at all."""
        target = Path(path)
        table = self.table()
        atomic_files.replace_whole({target: lambda file: pyarrow.csv.write_csv(table, file)})
        return target

    def front(self) -> list[NodeFacts]:
        """Return the Pareto front: no other node loses less while suppressing no more rows."""
        best: list[NodeFacts] = []
        for fact in sorted(self.facts(), key=lambda fact: (fact.suppressed, fact.loss, fact.node)):
            if fact.classes and (not best or fact.loss < best[-1].loss):
                best.append(fact)
        return best

    def trade_off(
        self, limits: Iterable[float | int] | None = None, *, progress: Progress | bool | None = None
    ) -> list[Limit]:
        """Find the best node under each limit of suppressed rows: by default the requested one, and up to 10 % more.

        The searches share the time limit of the algorithm; after Ctrl-C, those that are complete are returned.
        """
        with showing(progress) as tell:
            return trade_off(self.found.lattice, self.algorithm, limits, tell)

    def apply(self, node: Mapping[str, int] | Sequence[int]) -> R:
        """Make and verify the release of another node."""
        lattice = self.found.lattice
        levels = self._levels(node)
        judged = lattice.judge(levels)
        if judged is None:
            raise InputError(
                f"The node {levels} does not satisfy {lattice.model}: "
                f"{self._figures_of[levels].suppressed:,} rows are in classes that fail, "
                f"{lattice.max_suppressed:,} may be suppressed."
            )
        return self.release_of(lattice.recoding(levels, value=float(lattice.loss(judged))), levels)

    def _levels(self, node: Mapping[str, int] | Sequence[int]) -> Node:
        """Return the levels of a node as a tuple; refuse levels that are not in the lattice."""
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
        """Draw the lattice, with the chosen node and the solutions coloured, into a .png, .svg or .pdf file."""
        lattice_plots.check_lattice(path, self.size)
        facts = self.complete().facts()
        lattice_plots.plot_lattice(path, facts, names=self.quasi, checked=self.checked, chosen=self.found.node)

    def plot_front(self, path: str | PathLike[str]) -> None:
        """Draw the loss of the nodes against their suppressed rows, with the Pareto front."""
        check_plot(path)
        drawn = self.complete() if self.size <= MAX_CHECKED_NODES else self
        lattice_plots.plot_front(
            path, drawn.facts(), front=drawn.front(), chosen=self.found.node, lattice=self.found.lattice
        )

    def _figures(self) -> dict[str, object]:
        return {"nodes": len(self.nodes), "node": self.node, self.found.objective: float(self.found.value)}
