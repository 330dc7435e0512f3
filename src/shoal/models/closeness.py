"""t-closeness: in every class the sensitive values are distributed about as in the whole table.

N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and ℓ-diversity (2007),
doi:10.1109/ICDE.2007.367856. The distance is the earth mover's, for three ground distances. Everything is computed in
whole numbers, c N − C n for each value, so that a class right at t passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.domain import Ordered
from shoal.errors import InputError
from shoal.hierarchy import Hierarchy
from shoal.labels import text
from shoal.models.exact import at_most, exact, fraction, times
from shoal.models.model import PrivacyModel
from shoal.models.sensitive import attributes, each, reached
from shoal.table import Classes, Overall

Whole = NDArray[Any]  # of 64-bit or of Python's whole numbers


@dataclass(frozen=True)
class Closeness(PrivacyModel):
    """Earth mover's distance to the whole table ≤ `t`.

    distance  "equal": ½ Σ |q − p|; "ordered": Σ |cumulated (q − p)| / (m − 1), in the order of numbers or in `order`;
              "hierarchical": values are as far apart as height(lowest common ancestor) / height(`hierarchy`).
    """

    t: float
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: Sequence[str] | None = None
    hierarchy: Hierarchy | None = None
    sensitive: str | None = None

    monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        fraction("t", self.t, at_most="1")
        if self.distance not in ("equal", "ordered", "hierarchical"):
            raise InputError(f"The distance {self.distance!r} is not known: choose equal, ordered or hierarchical.")
        if (self.distance == "hierarchical") != (self.hierarchy is not None):
            raise InputError("The hierarchical distance, and no other, needs a hierarchy of the sensitive attribute.")
        if self.order is not None and self.distance != "ordered":
            raise InputError("An order goes with the ordered distance only.")
        if self.order is not None:
            object.__setattr__(self, "order", tuple(map(text, Ordered(self.order).values)))
        if self.hierarchy is not None and not isinstance(self.hierarchy, Hierarchy):
            raise InputError(f"The hierarchy of a distance is a shoal.Hierarchy, not {self.hierarchy!r}.")

    @property
    def trivial(self) -> bool:
        """Whether t is 1, which every class satisfies."""
        return self.t == 1

    def satisfied(self, classes: Classes) -> NDArray[np.bool_]:
        """Distance ≤ t."""
        bound = exact(self.t)
        return each(at_most(*self._parts(classes, name), bound) for name in attributes(self.sensitive, classes))

    def distances(self, classes: Classes, name: str) -> NDArray[np.float64]:
        """The distance of each class."""
        moved, scale = self._parts(classes, name)
        return np.asarray(moved / scale, np.float64)

    def reach(self, whole: Classes) -> str:
        """The whole table has distance 0."""
        return reached("t", whole, attributes(self.sensitive, whole), self.distances, most=False)

    def _parts(self, classes: Classes, name: str) -> tuple[Whole, Whole]:
        """Numerator and denominator of the distance of each class."""
        overall = classes.sensitive[name]
        extra = _extra(classes, name)
        if self.distance == "equal":
            return _sum(np.abs(extra)), _scale(classes, overall, 2)
        if self.distance == "ordered":
            places = _places(name, overall, self.order)
            flow = np.cumsum(extra[:, np.array(sorted(range(len(places)), key=places.__getitem__))], axis=1)
            return _sum(np.abs(flow)), _scale(classes, overall, max(1, len(places) - 1))
        tree = self.hierarchy or Hierarchy.flat(())
        return _tree_flow(name, overall, extra, tree), _scale(classes, overall, max(1, tree.height))

    def __str__(self) -> str:
        return f"t = {self.t} ({self.distance})" + (f" of {self.sensitive!r}" if self.sensitive else "")


def _extra(classes: Classes, name: str) -> Whole:
    """c N − C n for each value that the table has: what a class has more of than its share, times n N."""
    histogram, counts = classes.histogram(name), classes.sensitive[name].counts
    there = counts > 0
    histogram, counts = histogram[:, there], counts[there]
    bound = 4 * counts.size * int(counts.sum()) * int(classes.sizes.max(initial=1)) * 64
    kind = object if bound >= 2**62 else np.int64  # Python's whole numbers where 64 bits could overflow
    own, table = histogram.astype(kind) * int(counts.sum()), counts.astype(kind) * classes.sizes.astype(kind)[:, None]
    return np.asarray(own - table)


def _sum(values: Whole) -> Whole:
    return np.asarray(values.sum(axis=1))


def _scale(classes: Classes, overall: Overall, farthest: int) -> Whole:
    return times(classes.sizes, farthest * int(overall.counts.sum()))


def _labels(overall: Overall) -> list[str | None]:
    return [label for label, count in zip(overall.labels, overall.counts.tolist(), strict=True) if count]


def _places(name: str, overall: Overall, order: Sequence[str] | None) -> list[Fraction | int]:
    """Where each value stands in the order; a missing value stands first."""
    labels = _labels(overall)
    known = {label: place for place, label in enumerate(order)} if order is not None else None
    places: list[Fraction | int] = []
    for label in labels:
        try:
            if label is None or (label == "" and (known is None or "" not in known)):
                places.append(Fraction(-(10**400)))
            else:
                places.append(known[label] if known is not None else Fraction(label))
        except (KeyError, ValueError, ZeroDivisionError) as error:
            what = "is not in the order" if known is not None else "is not a number"
            raise InputError(
                f"The ordered distance of {name!r} needs an order of its values, and {label!r} {what}: give order=[…]."
            ) from error
    return places


def _tree_flow(name: str, overall: Overall, extra: Whole, tree: Hierarchy) -> Whole:
    """Σ over the inner nodes of their height × what is carried between their children."""
    labels = _labels(overall)
    if None in labels:  # the missing value stands under the root, by a name that nothing else has
        missing = "missing"
        while missing in labels or missing in tree.codes:
            missing += "′"
        labels = [missing if label is None else label for label in labels]
        tree = tree.with_value(missing)
    unknown = [label for label in labels if label not in tree.codes]
    if unknown:
        raise InputError(f"The hierarchy of the sensitive attribute {name!r} does not know the value {unknown[0]!r}.")
    held = np.zeros((extra.shape[0], len(tree.labels)), extra.dtype)
    held[:, tree.leaf_nodes[[tree.codes[label] for label in labels if label is not None]]] = extra
    heights = np.zeros(len(tree.labels), np.int64)
    surplus, lack = np.zeros_like(held), np.zeros_like(held)
    moved = np.zeros(extra.shape[0], extra.dtype)
    for node in range(len(tree.labels) - 1, -1, -1):  # children stand after their parents
        moved = moved + int(heights[node]) * np.minimum(surplus[:, node], lack[:, node])
        held[:, node] = held[:, node] + surplus[:, node] - lack[:, node]
        if node:
            parent = int(tree.parents[node])
            surplus[:, parent] = surplus[:, parent] + np.maximum(held[:, node], 0)
            lack[:, parent] = lack[:, parent] + np.maximum(-held[:, node], 0)
            heights[parent] = max(heights[parent], heights[node] + 1)
    return moved
