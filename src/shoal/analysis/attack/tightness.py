"""Tightness: what a label says about the rows behind it, if the algorithm makes labels no coarser than needed.

A. Cohen, Attacks on deidentification's defenses (2022): the ends of a minimal range are held by rows of the class,
every member of a minimal set by at least one row, and not all rows lie under one child of a minimal node.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from shoal.analysis.attack.facet import Facet
from shoal.data.domain import Ordered
from shoal.data.hierarchy import Hierarchy
from shoal.data.rows import blocks
from shoal.kernels.arrays import Flags, Floats, Ints, Longs

MAX_MEMBERS = 8  # of a set whose every member is taken to be held by a row; 2 to the power of this are summed up


def ranks(facet: Facet) -> Floats:
    """Place the values in their order: by number or moment, by the given order, or else alphabetically."""
    if isinstance(facet.tree, Ordered):
        order = {str(value): float(number) for number, value in enumerate(facet.tree.values)}
        return np.array([order.get(value, np.nan) for value in facet.values])
    _, places = facet.places
    if not np.isnan(places).any():
        return places
    alphabetical = {value: float(number) for number, value in enumerate(sorted(facet.values))}
    return np.array([alphabetical[value] for value in facet.values])


def prior(facet: Facet) -> Floats:
    """Estimate the share of each value from the release alone: a row is spread evenly over what its label covers."""
    counts = np.bincount(facet.shown, minlength=len(facet.labels) + 1)
    total = np.full(len(facet.values), counts[-1] / max(1, len(facet.values)))
    np.add.at(total, facet.value_of_label[facet.plain], counts[:-1][facet.plain])
    coarse = np.flatnonzero(~facet.plain)
    for block in blocks(coarse.size, len(facet.values)):
        labels = coarse[block]
        total += (counts[labels] / facet.breadth[labels]) @ facet.covered(labels)
    shares_of_all: Floats = total / max(1.0, total.sum())
    return shares_of_all


def shares(facet: Facet, labels: Ints | Longs, sizes: Longs, likely: Floats) -> Floats:
    """Return for classes that show a label in so many rows the expected share of each value among these rows.

    likely  the share of each value among everybody
    """
    covered = facet.covered(labels)
    found = np.where(covered, np.maximum(likely, 1e-12), 0.0)
    found /= np.maximum(found.sum(axis=1, keepdims=True), 1e-300)
    at, binned = ranks(facet), are_steps(*facet.scale[:2])
    children = _Children(facet)
    for row, (label, size) in enumerate(zip(labels.tolist(), sizes.tolist(), strict=True)):
        text = facet.labels[label] if label < len(facet.labels) else ""
        values = np.flatnonzero(covered[row])
        if size < 2 or values.size < 2 or not text or facet.plain[label]:
            continue
        if isinstance(facet.tree, Hierarchy):
            found[row] = _under_a_node(found[row], children.of(text), size)
        elif facet.style.separator and facet.style.separator in text:
            found[row] = _in_a_set(found[row], values, size)
        elif not binned and _names_its_ends(facet, label, at[values]):
            ends = values[np.argsort(at[values], kind="stable")[[0, -1]]]
            found[row] = _in_a_range(found[row], ends, size)
    return found


def _in_a_range(share: Floats, ends: Longs, size: int) -> Floats:
    """Condition on both ends being held: P(v, both held) = p(v) · P(the ends other than v are held by the rest)."""
    low, high = share[ends]
    rest = size - 1
    both = 1 - (1 - low) ** rest - (1 - high) ** rest + max(0.0, 1 - low - high) ** rest
    found = share * max(both, 0.0)
    found[ends[0]] = low * (1 - (1 - high) ** rest)
    found[ends[1]] = high * (1 - (1 - low) ** rest)
    return found / found.sum() if found.sum() > 0 else share


def _in_a_set(share: Floats, members: Longs, size: int) -> Floats:
    """Condition on every member being held, by inclusion and exclusion."""
    if members.size > MAX_MEMBERS or members.size > size:
        return share
    found = np.zeros_like(share)
    for member in members.tolist():
        others = [other for other in members.tolist() if other != member]
        held = sum(
            (-1) ** number * max(0.0, 1 - share[list(absent)].sum()) ** (size - 1)
            for number in range(len(others) + 1)
            for absent in combinations(others, number)
        )
        found[member] = share[member] * max(held, 0.0)
    return found / found.sum() if found.sum() > 0 else share


def _under_a_node(share: Floats, children: list[Flags], size: int) -> Floats:
    """Condition on the rows not all lying under one child: P = p(v) · (1 − p(child of v)^(rows − 1))."""
    found = share.copy()
    for child in children:
        found[child] *= 1 - min(1.0, share[child].sum()) ** (size - 1)
    return found / found.sum() if found.sum() > 0 else share


class _Children:
    """The values under each child of a node; of no node, if all labels lie on one level, as in full-domain recoding."""

    def __init__(self, facet: Facet) -> None:
        self._tree = facet.tree if isinstance(facet.tree, Hierarchy) else None
        self._known: dict[str, list[Flags]] = {}
        if self._tree is not None:
            codes = [self._tree.codes.get(value, -1) for value in facet.values]
            self._codes = np.array(codes, np.int64)
            self._node = {label: node for node, label in reversed(list(enumerate(self._tree.labels)))}
            depths = {int(self._tree.depths[self._node[label]]) for label in facet.labels if label in self._node}
            if len(depths) < 2:
                self._tree = None

    def of(self, label: str) -> list[Flags]:
        """Return the values under each child of the node with a label."""
        if self._tree is None or label not in self._node:
            return []
        if label not in self._known:
            below = np.flatnonzero(self._tree.parents == self._node[label]).tolist()
            spans = [(self._tree.lows[child], self._tree.highs[child]) for child in below]
            self._known[label] = [(low <= self._codes) & (self._codes <= high) for low, high in spans]
        return self._known[label]


def _names_its_ends(facet: Facet, label: int, places: Floats) -> bool:
    """Return whether the ends that a label names are values that people have."""
    if isinstance(facet.tree, Ordered):
        return True
    low, high, _ = facet.scale
    return bool(low[label] == places.min() and high[label] == places.max())


def are_steps(low: Floats, high: Floats) -> bool:
    """Return whether ranges are steps of one width that do not overlap: made before anyone saw the rows."""
    coarse = np.flatnonzero((high > low) & np.isfinite(high - low))
    if coarse.size < 3:
        return False
    order = coarse[np.argsort(low[coarse])]
    widths = np.round(high[order] - low[order], 9)
    usual = np.unique(widths, return_counts=True)[1].max()
    return bool(usual >= 0.8 * widths.size and (low[order][1:] >= high[order][:-1]).all())
