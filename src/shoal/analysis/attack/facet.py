"""Facet: one column as the release shows it and as people have it, with the distance between labels and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data.column import Column
from shoal.data.domain import Ordered
from shoal.data.hierarchy import Hierarchy
from shoal.data.label_cover import Cover
from shoal.data.label_ranges import place_of, span_of
from shoal.data.rows import blocks
from shoal.data.style import Style, texts
from shoal.kernels.arrays import Flags, Floats, Ints, Longs

MEMBERS, HELD_OUT = 0, 1  # the groups of people: those in the original, and those of the control
JUST_OUTSIDE = 1e-6  # the distance of a value at the end of a range that excludes it

Places = tuple[str | None, Floats]  # what is measured, if anything, and where each value is; NaN for other texts


@dataclass(frozen=True, eq=False)
class Facet:
    """The labels of a released column and the values of people; a place after the last one is a missing cell.

    shown   the place of each released row's label
    people  the place of each person's value, by group
    """

    name: str
    labels: list[str]
    shown: Ints
    values: list[str]
    people: tuple[Ints, ...]
    places: Places
    tree: Hierarchy | Ordered | None
    style: Style

    @classmethod
    def of(cls, released: Column, people: Sequence[Column], tree: Hierarchy | Ordered | None, style: Style) -> Facet:
        """Give equal values of all groups the same place."""
        known = list(dict.fromkeys(value for column in people for value in texts(column.values)))
        place = {value: number for number, value in enumerate(known)}
        groups = []
        for column in people:
            places = np.array([*(place[value] for value in texts(column.values)), len(known)], np.int32)
            groups.append(places[column.places])  # −1, a missing cell, is the last
        labels = _with_their_ends(texts(released.values))
        shown = np.where(released.places < 0, len(labels), released.places).astype(np.int32)
        return cls(released.name, labels, shown, known, tuple(groups), places_on_scale(known), tree, style)

    @cached_property
    def cover(self) -> Cover:
        """The labels, parsed once."""
        return Cover(self.labels, self.tree, style=self.style)

    @cached_property
    def value_of_label(self) -> Longs:
        """The place of the value that each label is, if it is one and nothing coarser; otherwise −1."""
        known = {value: place for place, value in enumerate(self.values)}
        nodes = self.tree.codes if isinstance(self.tree, Hierarchy) else known
        return np.array([known.get(label, -1) if label in nodes else -1 for label in self.labels], np.int64)

    @cached_property
    def unread(self) -> tuple[str, ...]:
        """The labels that could not be read: they are no value, number, moment or node, and cover nobody's value."""
        ends, nodes = self.scale[0], self.tree.labels if isinstance(self.tree, Hierarchy) else ()
        odd = [number for number in np.flatnonzero(~self.plain & np.isnan(ends)) if self.labels[number] not in nodes]
        covered = self.covered(np.array(odd, np.int64))
        return tuple(self.labels[number] for number, some in zip(odd, covered, strict=True) if not some.any())

    @property
    def plain(self) -> Flags:
        """Whether each label is one of the values, and nothing coarser."""
        return self.value_of_label >= 0

    @cached_property
    def scale(self) -> tuple[Floats, Floats, Floats]:
        """The ends of the labels and the places of the values on the same scale; NaN for other texts."""
        kind, values = self.places if self.tree is None else (None, np.full(len(self.values), np.nan))
        ends = np.full((2, len(self.labels)), np.nan)
        for number, label in enumerate(self.labels if kind else ()):
            place = place_of(label)
            span = span_of(label, self.style) if place is None else (place[0], (place[1], 0), (place[1], 0))
            if span is not None and span[0] == kind:
                ends[:, number] = float(span[1][0]), float(span[2][0])
        return ends[0], ends[1], values

    @cached_property
    def _exact(self) -> bool:
        """Whether all labels and values are on the scale, and ranges include their ends, so that numbers decide."""
        low, high, values = self.scale
        ends = np.concatenate([low, high, values])
        closed = not any(label and label[0] in "[](<>≤≥" for label in self.labels)
        return closed and bool((np.abs(ends) < 2**53).all())  # not NaN either

    @cached_property
    def breadth(self) -> Longs:
        """The number of values that each label covers, at least 1; a missing label covers all."""
        counts = np.ones(len(self.labels) + 1, np.int64)
        counts[-1] = max(1, len(self.values))
        coarse = np.flatnonzero(~self.plain)
        counts[coarse] = np.maximum(1, self.covered(coarse).sum(axis=1)) if coarse.size else 1
        return counts

    def covered(self, labels: Longs | Ints) -> Flags:
        """Return whether each of some labels covers each value; a missing label covers all."""
        there = labels < len(self.labels)
        if self._exact and there.all():
            low, high, places = self.scale
            exact: Flags = (low[labels][:, None] <= places) & (places <= high[labels][:, None])
            return exact
        flags = np.ones((labels.size, len(self.values)), np.bool_)
        names = [self.labels[place] for place in labels[there].tolist()]
        cover = Cover(names, self.tree, style=self.style)
        for block in blocks(len(self.values), len(names)):
            flags[there, block] = cover(self.values[block])
        return flags

    def distances(self, values: Ints, group: int) -> Floats:
        """Return the distance of some values to all labels, from 0 (covered) to 1, as a matrix values × labels.

        Numbers and moments are measured on the range of the release and the group; other texts are covered or not.
        """
        low, high, places = self.scale
        matrix = np.zeros((values.size, len(self.labels) + 1))
        there = np.flatnonzero(values < len(self.values))  # a missing value is near to everything
        whole = self._range(group)
        for block in blocks(there.size, len(self.labels)):
            chosen = values[there[block]]
            at = places[chosen][:, None]
            if self._exact:
                matrix[there[block], :-1] = np.clip(np.maximum(low - at, at - high) / whole, 0.0, 1.0)
                continue
            covered = self.cover([self.values[place] for place in chosen.tolist()]).T
            with np.errstate(invalid="ignore"):  # infinite ends have no distance
                gaps = np.maximum(np.maximum(low - at, at - high) / whole, JUST_OUTSIDE)
            gaps[np.isnan(gaps)] = 1.0
            matrix[there[block], :-1] = np.where(covered, 0.0, np.minimum(gaps, 1.0))
        return matrix

    def _range(self, group: int) -> float:
        """Return the range of the labels' ends and of the group's values."""
        low, high, places = self.scale
        own = self.people[group]
        ends = np.concatenate([low, high, places[np.unique(own[own < len(self.values)])]])
        ends = ends[np.isfinite(ends)]
        return float(np.ptp(ends)) or 1.0 if ends.size else 1.0


def _with_their_ends(labels: list[str]) -> list[str]:
    """Write pairs such as (20, 29) as [20, 29], unless others say that a parenthesis leaves its end out.

    Ranges that all leave out both ends would leave values out, too.
    """
    pairs = [label for label in labels if label[:1] in "([" and label[-1:] in ")]" and label]
    if not all(label[0] + label[-1] == "()" for label in pairs):
        return labels
    return [f"[{label[1:-1]}]" if label[:1] == "(" and label[-1:] == ")" else label for label in labels]


def places_on_scale(values: Sequence[str]) -> Places:
    """Place values on the scale of most of them, if they have one."""
    places = [place_of(value) for value in values]
    kinds = [place[0] for place in places if place is not None]
    kind = max(sorted(set(kinds)), key=kinds.count) if kinds else None
    found = [float(place[1]) if place is not None and place[0] == kind else np.nan for place in places]
    return kind, np.array(found, np.float64)
