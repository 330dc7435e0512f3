"""KeptColumn: what the classes of a release show of one quasi-identifier, kept to be applied to other tables.

It keeps the caller's trees and orders, the spelling of trees that were built, and the released labels. It keeps no
original value unless the release shows it.
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
from shoal.data.domain import AnyDomain, NumericDomain, Ordered, SetDomain, TreeDomain
from shoal.data.encoding import counted, domain_of
from shoal.data.hierarchies.spec import builds, parse
from shoal.data.hierarchy import Hierarchy
from shoal.data.label_ranges import Number, places_of
from shoal.data.style import Style, text
from shoal.data.value_order import numbers_of
from shoal.errors import InputError
from shoal.release.reuse.extended_column import extended
from shoal.release.reuse.scales import SCALES, scale_of, value_on
from shoal.release.reuse.trees import fits, spelled_tree, with_strange

EVERYTHING = None  # the form of the top label
MISSING: list[str] = []  # the form of the missing value alone


@dataclass(frozen=True)
class KeptColumn:
    """A quasi-identifier: its kind, and the distinct generalized values that its classes show.

    kind   tree (`labels`, `parents`), spelled (`spelling`, `form` and `root` of a tree that is built from values),
           order (`values`), set, or a scale: number, moment, time, duration; `form` is the pattern of intervals, and
           for dates the height of the tree
    shown  nodes of a tree, labels of a spelled one, [low, high] of orders and scales, or the members of sets (None:
           the missing value)
    level  replaces `shown` if every value is generalized by the same number of levels
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
        """Return this column; raise ValueError if its fields are invalid."""
        texts = [self.name, self.kind, self.spelling, self.form, self.root, *self.labels, *self.values]
        if self.kind not in (*SCALES, "tree", "spelled", "order", "set"):
            raise ValueError(self.kind)
        if not all(isinstance(text, str) for text in texts) or not all(type(parent) is int for parent in self.parents):
            raise ValueError(texts)
        if self.kind in ("tree", "spelled"):
            nodes = len(self.tree.labels) if self.kind == "tree" else 0
            valid = all(
                type(shown) is int and 0 <= shown < nodes
                if self.kind == "tree"
                else shown is EVERYTHING or shown == MISSING or isinstance(shown, str)
                for shown in self.shown
            )
            valid &= self.level is None or (type(self.level) is int and 0 <= self.level < 2**31)
            valid &= self.kind == "tree" or (builds(self.spelling) and not isinstance(parse(self.spelling), Ordered))
        else:
            valid = self.level is None and all(map(self._can_show, self.shown))
        if not valid:
            raise ValueError(self.shown)
        return self

    def _can_show(self, shown: Any) -> bool:
        """Say whether this is a possible generalized value of a column without a tree."""
        if self.kind == "set":
            members = shown if isinstance(shown, list) else []
            return bool(members) and all(member is None or isinstance(member, str) for member in members)
        if shown is EVERYTHING or shown == MISSING:
            return True
        if not isinstance(shown, list):
            return False
        low, high = (self._places[end] for end in shown)
        return bool(low <= high)

    def domain_of(self, column: Column, style: Style) -> tuple[AnyDomain, NDArray[np.int32]]:
        """Return the domain of a new column, which also has all kept values and labels, and the code of each value."""
        column = extended(column, [], missing=self.missing)
        if self.kind in ("tree", "spelled"):
            return self._tree_domain(column, style)
        if self.kind == "order":
            names = dict.fromkeys([*self.values, *map(text, column.values)])
            return domain_of(column, Ordered(list(names)), style)
        if self.kind == "set":
            return self._set_domain(column, style)
        self._check_scale(column)
        domain, codes = domain_of(extended(column, self._ends(column), missing=self.missing), None, style)
        if not isinstance(domain, NumericDomain):
            raise self._changed("has numbers too close to the earlier ones to be distinguished")
        return domain, codes

    def unknown(self, domain: AnyDomain) -> NDArray[np.bool_]:
        """Flag the values of a domain that are not in the tree or order, or do not match the spelling."""
        is_known = [code == domain.missing or self._knows(label) for code, label in enumerate(domain.labels)]
        return ~np.array(is_known, np.bool_)

    def meaning(self, domain: AnyDomain) -> list[list[Any]]:
        """Translate each kept value into a domain, as nodes, ranges or sets of codes; it may have several or none."""
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
        if isinstance(domain, NumericDomain):
            values = places_of(domain.labels[domain.missing + 1 :])[1]
            return [[self._range(ends, domain, values)] for ends in self.shown]
        codes: dict[str | None, int] = {label: code for code, label in enumerate(domain.labels)}
        if self.kind == "set":
            codes[None] = domain.missing
            return [[sorted({codes[member] for member in members})] for members in self.shown]
        return [[self._range(ends, domain, codes)] for ends in self.shown]

    def root_in(self, domain: TreeDomain) -> int:
        """Return the node of a domain that is the root of this column's tree: 1 if unknown values are beside it."""
        return int(self.kind == "tree" and domain.hierarchy.root != self.labels[0])

    def _range(
        self, ends: Sequence[str] | None, domain: AnyDomain, places: dict[str | None, int] | list[Number]
    ) -> tuple[int, int]:
        """Return the first and last code of a range; `places` has the code of each label, or the values on a scale."""
        if ends is EVERYTHING:
            return 0, len(domain) - 1
        if not ends:
            return domain.missing, domain.missing
        if isinstance(places, dict):
            return places[ends[0]], places[ends[1]]
        low, high = (self._places[end] for end in ends)
        first = domain.missing + 1
        return bisect_left(places, low) + first, bisect_right(places, high) - 1 + first

    @property
    def missing(self) -> bool:
        """Whether a class shows the missing value, alone or among others, so that the domain needs one."""
        if self.kind == "tree":
            return False  # the tree itself contains it if it is shown
        return any(
            self.kind != "spelled"
            if shown is EVERYTHING
            else shown == MISSING or (self.kind == "set" and None in shown)
            for shown in self.shown
        )

    @cached_property
    def members(self) -> list[str]:
        """The distinct members of sets, or ends of ranges."""
        return list(dict.fromkeys(member for shown in self.shown for member in shown or () if member is not None))

    def _knows(self, label: str) -> bool:
        if self.kind == "tree":
            return label in self.tree.codes
        if self.kind == "order":
            return label in self._places
        return self.kind != "spelled" or fits(self.spelling, self.form, label)

    @cached_property
    def tree(self) -> Hierarchy:
        """The caller's tree."""
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
            matches = {label: fits(self.spelling, self.form, label) for label in labels}
            fitting, strange = ([label for label in labels if matches[label] is match] for match in (True, False))
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
            raise self._changed("has dates with other levels than before, with or without a time of day")
        return tree

    def _check_scale(self, column: Column) -> None:
        """Refuse a column that is not on its earlier scale."""
        if not column.values:
            return
        if numbers_of(column.values) is None:
            odd = [text(value) for value in column.values if scale_of([value]) != self.kind][:3]
            raise self._changed(f"held {self.kind}s and now holds {', '.join(map(repr, odd)) or 'text'}")
        if scale_of(column.values) != self.kind:
            raise self._changed(f"held {self.kind}s and now holds {scale_of(column.values)}s")

    def _changed(self, change: str) -> InputError:
        return InputError(
            f"Column {self.name!r} {change}: declare these values as missing, or anonymize the table anew."
        )

    def _ends(self, column: Column) -> list[Any]:
        """Return the ends of ranges as values of the column's type."""
        if column.values and isinstance(column.values[0], str):
            return self.members
        return [value_on(self.kind, end) for end in self.members]

    @cached_property
    def _places(self) -> dict[str, Number]:
        """The place of each end of a range in the order or on the scale; ValueError if one has none."""
        if self.kind == "order":
            return {value: place for place, value in enumerate(self.values)}
        for end in self.members:
            value_on(self.kind, end)
        return dict(zip(self.members, places_of(self.members)[1], strict=True)) if self.members else {}
