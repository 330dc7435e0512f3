"""t-closeness: in every class the sensitive values are distributed about as in the whole table.

N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and ℓ-diversity (2007),
doi:10.1109/ICDE.2007.367856. The distance is the earth mover's, for three ground distances. Everything is computed in
whole numbers, c N − C n for each value, so that a class right at t passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.data.domain import Ordered
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import text
from shoal.data.table import Classes
from shoal.errors import InputError
from shoal.models.earth_movers import Compared, Edges, Order, Whole
from shoal.models.exact import at_most, exact, fraction
from shoal.models.model import PrivacyModel
from shoal.models.sensitive import attributes, each, known_counts, reached


@dataclass(frozen=True)
class Closeness(PrivacyModel):
    """Earth mover's distance to the whole table ≤ `t`.

    distance  "equal": ½ Σ |q − p|; "ordered": Σ |cumulated (q − p)| / (m − 1) over m places, of numbers or in `order`;
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
        counted, overall = known_counts(classes, name)
        compared = Compared(classes.sizes, counted, overall)
        if self.distance == "equal":
            return compared.equal(), compared.scale(2)
        if self.distance == "ordered":
            order = overall.remembered(("order", self.order), lambda: Order.of(name, overall, self.order))
            return compared.ordered(order), compared.scale(max(1, order.size - 1))
        tree = self.hierarchy or Hierarchy.flat(())
        edges = overall.remembered(("tree", id(tree)), lambda: (tree, Edges.of(name, overall, tree)))[1]
        return compared.hierarchical(edges), compared.scale(2 * max(1, tree.height))

    def __str__(self) -> str:
        return f"t = {self.t} ({self.distance})" + (f" of {self.sensitive!r}" if self.sensitive else "")
