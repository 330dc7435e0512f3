"""Incognito: K. LeFevre, D. DeWitt, R. Ramakrishnan, Incognito: efficient full-domain k-anonymity (2005).

doi:10.1145/1066157.1066164. A node can satisfy the model only if its levels do for every subset of the attributes, so
the subsets are searched from small to large, each bottom-up, and only what survives is combined. This finds all nodes
that satisfy the model; of the minimal ones the one with the lowest loss is released. Departure: if a node above a
solution need not be one (models that are not monotone), every node is examined.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from shoal.algorithms.algorithm import Progress
from shoal.algorithms.full_domain.lattice import Explored, Lattice, LatticeAlgorithm
from shoal.algorithms.full_domain.prefixes import Node
from shoal.errors import InputError

Subset = tuple[int, ...]  # of the attributes, by their numbers
MAX_NODES = 1_000_000  # as all that satisfy the model are kept in memory


class Incognito(LatticeAlgorithm):
    """All minimal nodes that satisfy the model; the one of lowest loss is released, ties to the smallest vector."""

    name = "incognito"
    title = "Incognito"
    summary = "all minimal levels"

    def search(self, lattice: Lattice, progress: Progress) -> Explored | None:
        """Find all nodes that satisfy the model and release the best of the minimal ones."""
        if lattice.nodes > MAX_NODES:
            raise InputError(f"Incognito keeps all nodes in memory, and there are {lattice.nodes}: choose full-domain.")
        find_all = self._by_subsets if lattice.demand.monotone else self._one_by_one
        minimal = _minimal(find_all(lattice, progress))
        if not minimal:
            return None
        verdicts = [lattice.judge(node) for node in minimal]
        loss, node = min((lattice.loss(verdict), verdict.node) for verdict in verdicts if verdict is not None)
        return lattice.recoding(node, value=float(loss), minimal=tuple(minimal))

    def _by_subsets(self, lattice: Lattice, progress: Progress) -> set[Node]:
        """Search the subsets of the attributes from small to large; return the nodes that survive."""
        attributes = range(len(lattice.top))
        survivors: dict[Subset, set[Node]] = {(): {()}}
        verdicts: dict[Node, bool] = {}
        for size in range(1, len(lattice.top) + 1):
            larger = {}
            for subset in combinations(attributes, size):
                candidates = self._generate(lattice, subset, survivors)
                larger[subset] = self._search(lattice, subset, candidates, verdicts)
                progress(size / len(lattice.top))
            survivors = larger
        return survivors[tuple(attributes)]

    def _generate(self, lattice: Lattice, subset: Subset, survivors: dict[Subset, set[Node]]) -> set[Node]:
        """Graph generation: return the levels of a subset whose every part with one attribute less survived."""
        last = range(lattice.top[subset[-1]] + 1)
        joined = {(*levels, step) for levels in survivors[subset[:-1]] for step in last}
        parts = [(i, survivors[subset[:i] + subset[i + 1 :]]) for i in range(len(subset) - 1)]
        return {levels for levels in joined if all(levels[:i] + levels[i + 1 :] in verdicts for i, verdicts in parts)}

    def _search(self, lattice: Lattice, subset: Subset, candidates: set[Node], verdicts: dict[Node, bool]) -> set[Node]:
        """Search breadth first from the lowest; nodes above a solution are solutions and need not be examined."""
        marked: set[Node] = set()
        for levels in sorted(candidates, key=lambda levels: (sum(levels), levels)):
            if levels not in marked:
                node = list(lattice.top)
                for attribute, step in zip(subset, levels, strict=True):
                    node[attribute] = step
                whole = tuple(node)
                if whole not in verdicts:
                    verdicts[whole] = lattice.judge(whole) is not None
                if not verdicts[whole]:
                    continue
                marked.add(levels)
            higher = ((*levels[:i], step + 1, *levels[i + 1 :]) for i, step in enumerate(levels))
            marked.update(up for up in higher if up in candidates)
        return marked

    def _one_by_one(self, lattice: Lattice, progress: Progress) -> set[Node]:
        """Examine every node of every height."""
        solutions: set[Node] = set()
        for height in range(sum(lattice.top) + 1):
            for node in lattice.level(height):
                if lattice.judge(node) is not None:
                    solutions.add(node)
                progress(height / max(1, sum(lattice.top)))
        return solutions


def _minimal(solutions: set[Node]) -> list[Node]:
    """Return the nodes with no other one below them."""
    minimal: list[Node] = []
    for node in sorted(solutions, key=lambda node: (sum(node), node)):
        if not minimal or not (np.array(minimal) <= node).all(axis=1).any():
            minimal.append(node)
    return sorted(minimal)
