"""Cover: whether a released label covers the value of the row that shows it (SPEC §8 c).

A label covers a value that it spells, that lies under it in the hierarchy, within its range or in its set; the top
covers everything. Labels are read back from their text; each different pair of a label and a value is looked at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import Ordered
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import Style, text
from shoal.release.verification.scales import NUMBER, Scale, Span, Values, span_of

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(eq=False)
class Cover:
    """The labels of one quasi-identifier, by its hierarchy or order where there is one."""

    known: Hierarchy | Ordered | None
    style: Style
    top: str
    _members: dict[str, frozenset[str]] = field(default_factory=dict)
    _spans: dict[tuple[str, bool], Span | None] = field(default_factory=dict)

    def __call__(self, labels: Sequence[str], values: Values, *, shown: Ints, held: Ints) -> Flags:
        """For each pair of a label (its number in `shown`) and a value (in `held`) whether the label covers it."""
        if isinstance(self.known, Hierarchy):
            return self._above(self.known, labels, values, shown=shown, held=held)
        good = np.array([label == self.top for label in labels], np.bool_)[shown]
        scale = self._order(values) if isinstance(self.known, Ordered) else values.scale
        if scale is not None:
            good |= scale.within(self._ranges(labels, scale), shown=shown, held=held)
            if self.style.means:  # that it is the mean is seen from the whole class
                good |= self.are_means(labels)[shown] & ~scale.absent[held]
        rest = np.flatnonzero(~good)
        for pair, label, value in zip(rest.tolist(), shown[rest].tolist(), held[rest].tolist(), strict=True):
            good[pair] = any(self._holds(labels[label], spelled) for spelled in values.spellings(value))
        return good

    def are_means(self, labels: Sequence[str]) -> Flags:
        """For each label whether it shows the mean of a class."""
        return np.array([self.known is None and bool(NUMBER.fullmatch(label)) for label in labels], np.bool_)

    def _ranges(self, labels: Sequence[str], scale: Scale) -> list[Span | None]:
        """The range of each label, read once."""
        patterns = (Style.numbers if self.style.means else self.style.numbers), self.style.ordered
        fine = scale.places.dtype == object
        for label in labels:
            if (label, fine) not in self._spans:
                self._spans[label, fine] = span_of(label, patterns, scale.read)
        return [self._spans[label, fine] for label in labels]

    def _order(self, values: Values) -> Scale:
        """The values by their places in the order that was given."""
        place = {text(value): number for number, value in enumerate(self.known.values)}  # type: ignore[union-attr]
        places = np.array([place.get(value, -1) for value in values.texts])
        return Scale(places, places < 0, place.get)

    def _holds(self, label: str, value: str) -> bool:
        """Whether a label is the value, or a set that has it; a value may hold the separator itself."""
        sign = self.style.separator
        if label not in self._members:
            self._members[label] = frozenset(label.split(sign) if sign else label)
        if label == value or value in self._members[label]:
            return True
        return bool(value) and sign in value and f"{sign}{value}{sign}" in f"{sign}{label}{sign}"

    def _above(self, tree: Hierarchy, labels: Sequence[str], values: Values, *, shown: Ints, held: Ints) -> Flags:
        """The pairs whose label stands on the way from the value's leaf up to the root."""
        leaves, numbers, named = self._tree
        wanted = np.array([numbers.get(label, -2) for label in labels], np.int64)[shown]
        leaf = np.array([leaves.get(value, -1) for value in values.texts], np.int64)
        for at in np.flatnonzero(leaf < 0).tolist():
            leaf[at] = next((leaves[spelled] for spelled in values.spellings(at) if spelled in leaves), -1)
        node = leaf[held]
        good = np.zeros(shown.size, np.bool_)
        parents, open_ = tree.parents, np.flatnonzero(node >= 0)
        while open_.size:
            good[open_] = named[node[open_]] == wanted[open_]
            node[open_] = parents[node[open_]]
            open_ = open_[~good[open_] & (node[open_] >= 0)]
        return good

    @cached_property
    def _tree(self) -> tuple[dict[str, int], dict[str, int], Ints]:
        """The leaf of each value, a number for each different label, and that number for each node."""
        tree = self.known
        assert isinstance(tree, Hierarchy)  # noqa: S101
        inner = set(tree.parents.tolist())
        leaves = {label: node for node, label in enumerate(tree.labels) if node not in inner}
        numbers = {label: number for number, label in enumerate(dict.fromkeys(tree.labels))}
        return leaves, numbers, np.array([numbers[label] for label in tree.labels], np.int64)
