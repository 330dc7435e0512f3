"""Cover: whether a released label covers the value of the row that shows it.

A label covers a value that it spells, that is below it in the hierarchy, within its range or in its set; the top
covers everything. Labels are read back from their text; each distinct pair of a label and a value is checked once.
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
    """The labels of one quasi-identifier, with the meaning given by its hierarchy or order, if any."""

    meaning: Hierarchy | Ordered | None
    style: Style
    top: str
    _members: dict[str, frozenset[str]] = field(default_factory=dict)
    _spans: dict[tuple[str, bool], Span | None] = field(default_factory=dict)

    def __call__(self, labels: Sequence[str], values: Values, *, shown: Ints, held: Ints) -> Flags:
        """Flag the pairs of a label (its number in `shown`) and a value (in `held`) in which the label covers it."""
        if isinstance(self.meaning, Hierarchy):
            return self._above(self.meaning, labels, values, shown=shown, held=held)
        covered = np.array([label == self.top for label in labels], np.bool_)[shown]
        scale = self._order(values) if isinstance(self.meaning, Ordered) else values.scale
        if scale is not None:
            covered |= scale.within(self._ranges(labels, scale), shown=shown, held=held)
            if self.style.means:  # whether it is the mean is checked for the whole class
                means = [self.meaning is None and bool(NUMBER.fullmatch(label)) for label in labels]
                covered |= np.array(means, np.bool_)[shown] & ~scale.absent[held]
        rest = np.flatnonzero(~covered)
        for pair, label, value in zip(rest.tolist(), shown[rest].tolist(), held[rest].tolist(), strict=True):
            covered[pair] = any(self._holds(labels[label], spelling) for spelling in values.spellings(value))
        return covered

    def _ranges(self, labels: Sequence[str], scale: Scale) -> list[Span | None]:
        """Return the range of each label, parsed only once."""
        patterns = (Style.numbers if self.style.means else self.style.numbers), self.style.ordered
        fine = scale.places.dtype == object
        for label in labels:
            if (label, fine) not in self._spans:
                self._spans[label, fine] = span_of(label, patterns, scale.read)
        return [self._spans[label, fine] for label in labels]

    def _order(self, values: Values) -> Scale:
        """Return the places of the values in the caller's order."""
        place = {text(value): number for number, value in enumerate(self.meaning.values)}  # type: ignore[union-attr]
        places = np.array([place.get(value, -1) for value in values.texts])
        return Scale(places, places < 0, place.get)

    def _holds(self, label: str, value: str) -> bool:
        """Say whether a label is the value, or a set that contains it; a value may contain the separator itself."""
        separator = self.style.separator
        if label not in self._members:
            self._members[label] = frozenset(label.split(separator) if separator else label)
        if label == value or value in self._members[label]:
            return True
        is_part = f"{separator}{value}{separator}" in f"{separator}{label}{separator}"
        return bool(value) and separator in value and is_part

    def _above(self, tree: Hierarchy, labels: Sequence[str], values: Values, *, shown: Ints, held: Ints) -> Flags:
        """Flag the pairs whose label is on the path from the value's leaf to the root."""
        leaves, numbers, number_of = self._tree
        wanted = np.array([numbers.get(label, -2) for label in labels], np.int64)[shown]
        leaf = np.array([leaves.get(value, -1) for value in values.texts], np.int64)
        for at in np.flatnonzero(leaf < 0).tolist():
            leaf[at] = next((leaves[spelling] for spelling in values.spellings(at) if spelling in leaves), -1)
        node = leaf[held]
        covered = np.zeros(shown.size, np.bool_)
        parents, pending = tree.parents, np.flatnonzero(node >= 0)
        while pending.size:
            covered[pending] = number_of[node[pending]] == wanted[pending]
            node[pending] = parents[node[pending]]
            pending = pending[~covered[pending] & (node[pending] >= 0)]
        return covered

    @cached_property
    def _tree(self) -> tuple[dict[str, int], dict[str, int], Ints]:
        """The leaf of each value, a number for each distinct label, and that number for each node."""
        tree = self.meaning
        assert isinstance(tree, Hierarchy)  # noqa: S101
        inner = set(tree.parents.tolist())
        leaves = {label: node for node, label in enumerate(tree.labels) if node not in inner}
        numbers = {label: number for number, label in enumerate(dict.fromkeys(tree.labels))}
        return leaves, numbers, np.array([numbers[label] for label in tree.labels], np.int64)
