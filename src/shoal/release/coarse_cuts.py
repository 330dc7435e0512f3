"""Coarse cuts: divide a table with too many distinct rows into blocks, each of which satisfies the model.

As in Mondrian (LeFevre, DeWitt, Ramakrishnan 2006), a block is cut in its widest attribute near the median; values of
a hierarchy are cut between the children of a node. The rows are only read in parts, in one sweep for each question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.classes import Classes
from shoal.data.coding import Coding
from shoal.data.domain import AnyDomain, TreeDomain
from shoal.data.rows import blocks
from shoal.errors import InputError
from shoal.kernels.trees import leaves_of
from shoal.models import PrivacyModel

IntArray = NDArray[np.int32]
Counts = NDArray[np.int64]
Count = Callable[[IntArray, Counts], list[Counts]]  # counts something in rows, given by their codes and weights
Sweep = Callable[[Count], list[Counts]]  # applies it to every part of the table and adds up the counts
BLOCK = (-1, 0, 0, 0)  # a node without a cut
MAX_CELLS = 1 << 23  # counts of sensitive values held in memory together
MIN_SHARE = 0.1  # of a block's distinct rows on each side of a balanced cut


@dataclass(frozen=True, eq=False)
class Cuts:
    """A tree of cuts, with the column, edge, left and right child of each node; column −1 marks a block.

    Codes up to the edge, in the column, go to the left.
    """

    nodes: IntArray = field(default_factory=lambda: np.array([BLOCK], np.int32))

    def leaves(self, codes: IntArray) -> IntArray:
        """Return the leaf of the tree, that is the block, in which each row lies."""
        return leaves_of(codes, *np.ascontiguousarray(self.nodes.T))

    def blocks(self, codes: IntArray) -> IntArray:
        """Return the number of each row's block."""
        numbers = np.cumsum(self.nodes[:, 0] < 0) - 1
        return numbers.astype(np.int32)[self.leaves(codes)]

    def __len__(self) -> int:
        return int((self.nodes[:, 0] < 0).sum())

    @property
    def depth(self) -> int:
        """The largest number of cuts above a block."""
        depths = np.zeros(len(self.nodes), np.int64)
        for node in np.flatnonzero(self.nodes[:, 0] >= 0):  # a node precedes its children
            depths[self.nodes[node, 2:]] = depths[node] + 1
        return int(depths.max())

    def cut(self, node: int, column: int, edge: int) -> Cuts:
        """Return this tree with one block cut in two."""
        new = len(self.nodes)
        nodes = np.append(self.nodes, np.array([BLOCK, BLOCK], np.int32), axis=0)
        nodes[node] = column, edge, new, new + 1
        return Cuts(nodes)


def find_cuts(
    coding: Coding, model: PrivacyModel, limit: int, sweep: Sweep, *, remedy: str = "give more memory"
) -> Cuts:
    """Cut until no block has more than `limit` distinct rows; both sides of each cut satisfy the model.

    `remedy` tells the caller what to do if no cuts are possible.
    """
    if not model.per_class or model.disjoint or model.populations:
        raise InputError(f"{model} cannot be satisfied block by block: {remedy}.")
    cuts = Cuts()
    while (large := np.flatnonzero(_sizes(cuts, sweep) > limit)).size:
        cuts = _cut_all(cuts, large, coding, model, limit, sweep, remedy)
    return cuts


def _sizes(cuts: Cuts, sweep: Sweep) -> Counts:
    """Count the distinct rows that reach each node."""
    return sweep(lambda codes, weights: [np.bincount(cuts.leaves(codes), minlength=len(cuts.nodes))])[0]


def _cut_all(
    cuts: Cuts, nodes: Counts, coding: Coding, model: PrivacyModel, limit: int, sweep: Sweep, remedy: str
) -> Cuts:
    """Cut each of these blocks once."""
    candidates = _candidates(cuts, nodes, coding, sweep)
    while candidates:
        tried = {node: options[0] for node, options in candidates.items() if options}
        if len(tried) < len(candidates):
            raise InputError(
                f"The table cannot be cut into blocks of {limit:,} distinct rows that satisfy {model}: "
                f"{remedy}, or larger blocks."
            )
        allowed = _allowed(cuts, tried, coding, model, sweep)
        for node in sorted(allowed):
            cuts = cuts.cut(node, *tried[node])
        candidates = {node: options[1:] for node, options in candidates.items() if node not in allowed}
    return cuts


def _candidates(cuts: Cuts, nodes: Counts, coding: Coding, sweep: Sweep) -> dict[int, list[tuple[int, int]]]:
    """List the possible cuts of each block as column and edge: balanced ones first, then by width of the attribute."""
    place = np.full(len(cuts.nodes), -1, np.int64)
    place[nodes] = np.arange(nodes.size)
    domains = coding.domains[: len(coding.quasi)]

    def count(codes: IntArray, weights: Counts) -> list[Counts]:
        block = place[cuts.leaves(codes)]
        inside = block >= 0
        return [
            np.bincount(block[inside] * len(domain) + codes[inside, at], minlength=nodes.size * len(domain))
            for at, domain in enumerate(domains)
        ]

    histograms = [counts.reshape(nodes.size, len(domain)) for counts, domain in zip(sweep(count), domains, strict=True)]
    cuts_of: dict[int, list[tuple[int, int]]] = {}
    for at, node in enumerate(nodes.tolist()):
        options = []
        for column, (domain, counts) in enumerate(zip(domains, histograms, strict=True)):
            best = _near_median(domain, counts[at])
            if best is not None:
                edge, share, width = best
                options.append((share < MIN_SHARE, -width, column, edge))
        cuts_of[node] = [(column, edge) for _, _, column, edge in sorted(options)]
    return cuts_of


def _near_median(domain: AnyDomain, counts: Counts) -> tuple[int, float, float] | None:
    """Find the edge nearest to the median; return it, the share of the smaller side, and the width of the values."""
    present = np.flatnonzero(counts)
    if present.size < 2:
        return None
    low, high = present[:1].astype(np.int32), present[-1:].astype(np.int32)
    shown: Any = domain.join(np.array([low[0], high[0]], np.int32), np.zeros(2, np.int32), 1)
    edges = present[:-1]
    if isinstance(domain, TreeDomain):
        children = np.flatnonzero(domain.hierarchy.parents == shown[0])
        ends = domain.hierarchy.highs[children]
        edges = ends[(ends >= low[0]) & (ends < high[0])]
    left = np.cumsum(counts)[edges] / counts.sum()
    best = int(np.abs(left - 0.5).argmin())
    return int(edges[best]), float(min(left[best], 1 - left[best])), float(domain.loss(shown)[0])


def _allowed(
    cuts: Cuts, tried: dict[int, tuple[int, int]], coding: Coding, model: PrivacyModel, sweep: Sweep
) -> set[int]:
    """Find the tried cuts whose two sides both satisfy the model, in batches that fit into memory."""
    width = sum(len(domain) for domain in coding.domains[len(coding.quasi) :]) if model.uses_sensitive else 1
    allowed: set[int] = set()
    for part in blocks(len(tried), 2 * width, MAX_CELLS):
        batch = dict(list(tried.items())[part])
        allowed |= _allowed_in_batch(cuts, batch, coding, model, sweep)
    return allowed


def _allowed_in_batch(
    cuts: Cuts, tried: dict[int, tuple[int, int]], coding: Coding, model: PrivacyModel, sweep: Sweep
) -> set[int]:
    trial, sides = cuts, []
    for node, (column, edge) in tried.items():
        sides += [len(trial.nodes), len(trial.nodes) + 1]
        trial = trial.cut(node, column, edge)
    place = np.full(len(trial.nodes), -1, np.int64)
    place[sides] = np.arange(len(sides))
    widths = [len(domain) for domain in coding.domains[len(coding.quasi) :]] if model.uses_sensitive else []

    def count(codes: IntArray, weights: Counts) -> list[Counts]:
        side = place[trial.leaves(codes)]
        inside = side >= 0
        rows, side = weights[inside], side[inside]
        histograms = [np.bincount(side, rows, len(sides))]
        for at, width in enumerate(widths, len(coding.quasi)):
            histograms.append(np.bincount(side * width + codes[inside, at], rows, len(sides) * width))
        return [counts.astype(np.int64) for counts in histograms]

    sizes, *histograms = sweep(count)
    by_name = dict(zip(coding.sensitive, histograms, strict=False))
    classes = Classes(sizes, coding.overall, lambda name: by_name[name].reshape(len(sides), -1))
    satisfied = model.satisfied(classes).tolist()
    return {node for at, node in enumerate(tried) if satisfied[2 * at] and satisfied[2 * at + 1]}
