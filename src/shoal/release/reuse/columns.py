"""KeptColumn: what the classes of a release show of one quasi-identifier, to be kept and shown of other tables.

Kept are trees and orders that were given, the spelling of trees that were built, and the labels that the release
shows. No value of the original is, unless the release shows it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.data.column import Column
from shoal.data.domain import AnyDomain, NumericDomain, Ordered, Ranges, SetDomain, Sets, TreeDomain
from shoal.data.encoding import counted, domain_of
from shoal.data.hierarchies.spec import builds, parse
from shoal.data.hierarchy import Hierarchy
from shoal.data.label_ranges import Number, places_of
from shoal.data.style import Style, text
from shoal.data.value_order import numbers_of
from shoal.errors import InputError
from shoal.release.reuse.scales import SCALES, scale_of, value_on
from shoal.release.reuse.trees import fits, spelled_tree, with_strange

EVERYTHING = None  # how the top is kept
MISSING: list[str] = []  # how the missing value alone is kept


@dataclass(frozen=True)
class KeptColumn:
    """One quasi-identifier: what it is, and the different things that classes show of it.

    kind   tree (`labels`, `parents`), spelled (`spelling`, `form` and `root` of a tree that is built from values),
           order (`values`), set, or a scale: number, moment, time, duration; `form` is the pattern of intervals, and
           for dates the height of the tree
    shown  nodes of a tree, labels of a spelled one, [low, high] of orders and scales, or the members of sets (None:
           the missing value); `level` is in place of it where every value goes up by so many steps
    """

    name: str
    kind: str
    labels: Sequence[str] = ()
    parents: Sequence[int] = ()
    spelling: str = ""
    form: str = ""
    root: str = "*"
    values: Sequence[str] = ()
    shown: Sequence[Any] = ()
    level: int | None = None

    def checked(self) -> KeptColumn:
        """This column, or ValueError where what is kept cannot be."""
        texts = [self.name, self.kind, self.spelling, self.form, self.root, *self.labels, *self.values]
        if self.kind not in (*SCALES, "tree", "spelled", "order", "set"):
            raise ValueError(self.kind)
        if not all(isinstance(one, str) for one in texts) or not all(type(parent) is int for parent in self.parents):
            raise ValueError(texts)
        if self.kind in ("tree", "spelled"):
            nodes = len(self.tree.labels) if self.kind == "tree" else 0
            good = all(
                type(one) is int and 0 <= one < nodes
                if self.kind == "tree"
                else one is EVERYTHING or one == MISSING or isinstance(one, str)
                for one in self.shown
            )
            good &= self.level is None or (type(self.level) is int and 0 <= self.level < 2**31)
            good &= self.kind == "tree" or (builds(self.spelling) and not isinstance(parse(self.spelling), Ordered))
        else:
            good = self.level is None and all(map(self._can_be, self.shown))
        if not good:
            raise ValueError(self.shown)
        return self

    def _can_be(self, shown: Any) -> bool:
        """Whether classes can show this of a column without a tree."""
        if self.kind == "set":
            members = shown if isinstance(shown, list) else []
            return bool(members) and all(one is None or isinstance(one, str) for one in members)
        if shown is EVERYTHING or shown == MISSING:
            return True
        if not isinstance(shown, list):
            return False
        low, high = (self._places[end] for end in shown)
        return bool(low <= high)

    def domain_of(self, column: Column, style: Style) -> tuple[AnyDomain, NDArray[np.int32]]:
        """The domain of a new column that has all values and labels of this one, too; the code of each value."""
        column = _with(column, [], missing=self.missing)
        if self.kind in ("tree", "spelled"):
            return self._tree_domain(column, style)
        if self.kind == "order":
            names = dict.fromkeys([*self.values, *map(text, column.values)])
            return domain_of(column, Ordered(list(names)), style)
        if self.kind == "set":
            return self._set_domain(column, style)
        self._check_scale(column)
        domain, codes = domain_of(_with(column, self._ends(column), missing=self.missing), None, style)
        if not isinstance(domain, NumericDomain):
            raise self._changed("has numbers too near to those of before to be told apart")
        return domain, codes

    def unknown(self, domain: AnyDomain) -> NDArray[np.bool_]:
        """For each value of a domain, whether it is none that the tree, the order or the spelling knows."""
        known = [code == domain.missing or self._knows(label) for code, label in enumerate(domain.labels)]
        return ~np.array(known, np.bool_)

    def meaning(self, domain: AnyDomain) -> list[list[Any]]:
        """For each thing that is shown, what it is in a domain: nodes, or ends, or members; several or none."""
        if isinstance(domain, TreeDomain):
            if self.kind == "tree":
                return [[node + self.root_in(domain)] for node in self.shown]
            nodes: dict[Any, list[int]] = {}
            for node, label in enumerate(domain.hierarchy.labels[1:], 1):
                nodes.setdefault(label, []).append(node)
            missing = [int(domain.hierarchy.leaf_nodes[domain.missing])] if domain.missing >= 0 else []
            return [
                [0] if label is EVERYTHING else missing if label == MISSING else nodes.get(label, [])
                for label in self.shown
            ]
        if self.kind == "set":
            codes = {label: code for code, label in enumerate(domain.labels)}
            return [[sorted({domain.missing if m is None else codes[m] for m in members})] for members in self.shown]
        if isinstance(domain, NumericDomain):
            values = places_of(domain.labels[domain.missing + 1 :])[1]
            return [[self._range(ends, domain, values)] for ends in self.shown]
        codes = {label: code for code, label in enumerate(domain.labels)}
        return [[self._range(ends, domain, codes)] for ends in self.shown]

    def root_in(self, domain: TreeDomain) -> int:
        """The node of a domain that is the root of this column's tree: 1 where strange values stand beside it."""
        return int(self.kind == "tree" and domain.hierarchy.root != self.labels[0])

    def _range(
        self, ends: Sequence[str] | None, domain: AnyDomain, known: dict[str, int] | list[Number]
    ) -> tuple[int, int]:
        """The codes from one end to another, by the code of each label or by the places of all values on a scale."""
        if ends is EVERYTHING:
            return 0, len(domain) - 1
        if not ends:
            return domain.missing, domain.missing
        if isinstance(known, dict):
            return known[ends[0]], known[ends[1]]
        low, high = (self._places[end] for end in ends)
        first = domain.missing + 1
        return bisect_left(known, low) + first, bisect_right(known, high) - 1 + first

    @property
    def missing(self) -> bool:
        """Whether a class shows the missing value, alone or among others, and the domain must have one."""
        if self.kind == "tree":
            return False  # it has one where it is shown
        return any(
            self.kind != "spelled" if one is EVERYTHING else one == MISSING or (self.kind == "set" and None in one)
            for one in self.shown
        )

    @cached_property
    def members(self) -> list[str]:
        """The different members of sets, or ends of ranges."""
        return list(dict.fromkeys(one for shown in self.shown for one in shown or () if one is not None))

    def _knows(self, label: str) -> bool:
        if self.kind == "tree":
            return label in self.tree.codes
        if self.kind == "order":
            return label in self._places
        return self.kind != "spelled" or fits(self.spelling, self.form, label)

    @cached_property
    def tree(self) -> Hierarchy:
        """The tree that was given."""
        return Hierarchy.from_parents(self.labels, self.parents)

    def _set_domain(self, column: Column, style: Style) -> tuple[SetDomain, NDArray[np.int32]]:
        labels = [text(value) for value in column.values]
        if not isinstance(column.values[0], str):
            raise self._changed(f"held text and now holds {scale_of(column.values)}s, such as {labels[0]!r}")
        members = sorted({*labels, *self.members, *([style.missing] if column.has_missing else [])})
        codes = {name: code for code, name in enumerate(members)}
        domain = SetDomain(tuple(members), codes[style.missing] if column.has_missing else -1)
        return domain, np.array([codes[label] for label in labels], np.int32)

    def _tree_domain(self, column: Column, style: Style) -> tuple[TreeDomain, NDArray[np.int32]]:
        labels = list(counted(column, [text(value) for value in column.values]))
        if self.kind == "tree":
            tree, strange = self.tree, [label for label in labels if label not in self.tree.codes]
        else:
            known = {label: fits(self.spelling, self.form, label) for label in labels}
            fitting, strange = ([label for label in labels if known[label] is good] for good in (True, False))
            tree = self._spelled(fitting) if fitting else Hierarchy.flat(strange, root=self.root)
            strange = strange if fitting else []
        if column.has_missing:
            tree = tree.with_value(style.missing)
        if strange:
            tree = with_strange(tree, strange, style)
        domain = TreeDomain.of(tree, missing=style.missing if column.has_missing else None)
        codes = domain.hierarchy.codes
        return domain, np.array([codes[text(value)] for value in column.values], np.int32)

    def _spelled(self, labels: list[str]) -> Hierarchy:
        tree = spelled_tree(self.spelling, self.form, self.root, labels)
        if self.level is not None and self.spelling.startswith("dates") and str(tree.height) != self.form:
            raise self._changed("has dates of other levels than before, with a time of day or without")
        return tree

    def _check_scale(self, column: Column) -> None:
        """Refuse a column that is on another scale than it was."""
        if not column.values:
            return
        if numbers_of(column.values) is None:
            odd = [text(value) for value in column.values if scale_of([value]) != self.kind][:3]
            raise self._changed(f"held {self.kind}s and now holds {', '.join(map(repr, odd)) or 'text'}")
        if scale_of(column.values) != self.kind:
            raise self._changed(f"held {self.kind}s and now holds {scale_of(column.values)}s")

    def _changed(self, what: str) -> InputError:
        return InputError(f"Column {self.name!r} {what}: name such values as missing, or anonymize the table anew.")

    def _ends(self, column: Column) -> list[Any]:
        """The ends of ranges as values of the kind that the column has."""
        if column.values and isinstance(column.values[0], str):
            return self.members
        return [value_on(self.kind, end) for end in self.members]

    @cached_property
    def _places(self) -> dict[str, Number]:
        """Where each end of a range lies in the order or on the scale; ValueError where one lies nowhere."""
        if self.kind == "order":
            return {value: place for place, value in enumerate(self.values)}
        for end in self.members:
            value_on(self.kind, end)
        return dict(zip(self.members, places_of(self.members)[1], strict=True)) if self.members else {}


class _Missing(Column):
    """A column whose domain has a missing value even if no row misses one."""

    @property
    def has_missing(self) -> bool:
        """Yes."""
        return True


def _with(column: Column, values: Sequence[Any], *, missing: bool) -> Column:
    """A column with more values, which no row has."""
    have = set(column.values)
    more = [value for value in values if value not in have]
    kind = _Missing if missing or column.has_missing else Column
    counts = np.append(column.counts, np.zeros(len(more), np.int64))
    return kind(column.name, [*column.values, *more], column.places, counts, column.order)


def shown_of(domain: AnyDomain, shown: Any, used: NDArray[np.bool_]) -> list[Any]:
    """What each class in use shows of a column without a tree, as it is kept."""
    if isinstance(shown, Ranges):
        found: list[Any] = []
        for low, high in zip(shown.low[used].tolist(), shown.high[used].tolist(), strict=True):
            mixed = low == domain.missing and high > low
            found.append(EVERYTHING if mixed else MISSING if low == domain.missing else _labels(domain, low, high))
        return found
    if not isinstance(shown, Sets):
        raise TypeError(f"{shown!r} is shown without a tree")
    names = [None if code == domain.missing else label for code, label in enumerate(domain.labels)]
    members = [names[code] for code in shown.codes.tolist()]
    starts = shown.starts.tolist()
    return [members[starts[at] : starts[at + 1]] for at in np.flatnonzero(used).tolist()]


def _labels(domain: AnyDomain, low: int, high: int) -> list[str]:
    return [domain.labels[low], domain.labels[high]]
