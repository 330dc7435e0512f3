"""t-closeness: in every class the sensitive values are distributed about as in the whole table.

N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and ℓ-diversity (2007),
doi:10.1109/ICDE.2007.367856. The distance is the earth mover's, for three ground distances. Everything is computed in
whole numbers, c N − C n for each value, so that a class with a distance of exactly t passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Literal

import numpy as np

from shoal.data.classes import Classes, Overall
from shoal.data.domain import Ordered
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import text
from shoal.errors import InputError
from shoal.kernels.arrays import Flags, Floats
from shoal.models.caps import Caps
from shoal.models.context import ModelContext
from shoal.models.earth_movers import Compared, Edges, Order, Whole
from shoal.models.exact import at_most, exact, fraction
from shoal.models.form import Figure, Form, Parameter
from shoal.models.model import PrivacyModel
from shoal.models.sensitive import SensitiveModel, table_counts
from shoal.system.close_names import did_you_mean

DISTANCES = ("equal", "ordered", "hierarchical")
T = Parameter("t", 0, 1, 0.01, 0.2, "distance to the whole table, at most", limit=1)


@dataclass(frozen=True)
class Closeness(SensitiveModel):
    """Earth mover's distance to the whole table ≤ `t`.

    distance  "equal": ½ Σ |q − p|; "ordered": Σ |cumulated (q − p)| / (m − 1) over m places, of numbers or in `order`;
              "hierarchical": values are as far apart as height(lowest common ancestor) / height(`hierarchy`).
    """

    t: float
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: Sequence[str] | None = None
    hierarchy: Hierarchy | None = None
    sensitive: str | None = None

    name = "t-closeness"
    label = "t = {t} ({distance})"
    promise = (
        "In every class {columns} is distributed as in the whole table, up to a distance of {t:g} (earth mover's, "
        "{distance}), which is at most 1."
    )
    forms = (
        Form(
            "t<={t}",
            "Like the whole table (t-closeness)",
            "½ · Σ |p(s) − q(s)| ≤ t",
            (T,),
            aliases=("equal t<={t}",),
            option="t",
            figures=(Figure("t_equal", "t, equal distance", {"t": 1}),),
        ),
        Form(
            "ordered t<={t}",
            "Like the whole table, in order (ordered t-closeness)",
            "1/(m − 1) · Σᵢ |Σⱼ≤ᵢ (p(sⱼ) − q(sⱼ))| ≤ t",
            (T,),
            fixed={"distance": "ordered"},
            figures=(Figure("t_ordered", "t, ordered distance", {"t": 1}),),
        ),
        Form(
            "hierarchical t<={t}",
            "Like the whole table, by a hierarchy (hierarchical t-closeness)",
            "Σ over the edges of the tree |p − q| of the values below · height gained / (2 · height) ≤ t",
            (T,),
            fixed={"distance": "hierarchical"},
            figures=(Figure("t_hierarchical", "t, hierarchical distance", {"t": 1}),),
            needs_hierarchy=True,
        ),
    )
    parameter = "t"
    monotone = True
    compares_with_table = True
    weakest = (("t", 1),)

    def __post_init__(self) -> None:
        fraction("t", self.t, at_most="1")
        if self.distance not in DISTANCES:
            close = did_you_mean(self.distance, DISTANCES)
            raise InputError(
                f"The distance {self.distance!r} is not known: choose equal, ordered or hierarchical.{close}"
            )
        if (self.distance == "hierarchical") != (self.hierarchy is not None):
            raise InputError("The hierarchical distance, and no other, needs a hierarchy of the sensitive attribute.")
        if self.order is not None and self.distance != "ordered":
            raise InputError("An order is for the ordered distance only: leave it out, or choose that distance.")
        if self.order is not None:
            object.__setattr__(self, "order", tuple(map(text, Ordered(self.order).values)))
        if self.hierarchy is not None and not isinstance(self.hierarchy, Hierarchy):
            raise InputError(f"The hierarchy of a distance is a shoal.Hierarchy, not {self.hierarchy!r}.")

    @classmethod
    def build(
        cls, form: Form, numbers: Mapping[str, float], context: ModelContext, column: str | None = None
    ) -> PrivacyModel:
        """Build the model; with orders or hierarchies, one for each sensitive column, as each has its own."""
        distance = form.fixed.get("distance", "equal")
        if distance == "equal":
            return super().build(form, numbers, context, column)
        columns = context.columns if column is None else (column,)
        if not columns:
            raise InputError(f"The requirement {form.write(numbers)} needs a sensitive column and none is named.")
        t, orders, trees = numbers["t"], context.orders, context.hierarchies
        if distance == "ordered":
            return reduce(and_, (cls(t, "ordered", order=orders.get(name), sensitive=name) for name in columns))
        for name in columns:
            if name not in trees:
                raise InputError(f"The hierarchical distance of {name!r} needs a hierarchy of that column: give one.")
        return reduce(and_, (cls(t, "hierarchical", hierarchy=trees[name], sensitive=name) for name in columns))

    @classmethod
    def applies(cls, form: Form, column: str, context: ModelContext) -> bool:
        """Return whether the column has the order or hierarchy that the distance needs."""
        needed = {"ordered": context.orders, "hierarchical": context.hierarchies}
        return column in needed.get(str(form.fixed.get("distance")), (column,))

    def holds(self, classes: Classes, name: str) -> Flags:
        """Distance ≤ t."""
        return at_most(*self._ratio(classes, name), exact(self.t))

    def measured(self, classes: Classes, name: str) -> Floats:
        """The distance of each class."""
        moved, scale = self._ratio(classes, name)
        return np.asarray(moved / scale, np.float64)

    def caps(self, name: str, overall: Overall) -> Caps | None:
        """Bound the distance from below: |r − p n| = r + p n − 2 min(r, p n), and Σ r and Σ p n are known."""
        if overall.people is not None:
            return None
        near = 1 - float(exact(self.t))
        if self.distance == "equal":
            return Caps.of_values(name, overall.counts / overall.size, near)
        if self.distance == "ordered":
            return self._order(name, overall).caps(name, overall, near)
        return self.edges(name, overall).caps(name, overall, near)

    def _order(self, name: str, overall: Overall) -> Order:
        order: Order = overall.remembered(("order", self.order), lambda: Order.of(name, overall, self.order))
        return order

    def edges(self, name: str, overall: Overall) -> Edges:
        """Return the tree over the values of the whole table."""
        tree = self.hierarchy or Hierarchy.flat(())
        # The tree is remembered too, so that no other one can get its id.
        edges: Edges = overall.remembered(("tree", id(tree)), lambda: (tree, Edges.of(name, overall, tree)))[1]
        return edges

    def _ratio(self, classes: Classes, name: str) -> tuple[Whole, Whole]:
        """Return the numerator and the denominator of the distance of each class."""
        if self.distance != "equal":
            classes = classes.divided(name)
        counted, overall = table_counts(classes, name)
        compared = Compared(classes.sizes, counted, overall)
        if self.distance == "equal":
            return compared.equal(), compared.scale(2)
        if self.distance == "ordered":
            order = self._order(name, overall)
            return compared.ordered(order), compared.scale(max(1, order.size - 1))
        height = self.hierarchy.height if self.hierarchy else 0
        return compared.hierarchical(self.edges(name, overall)), compared.scale(2 * max(1, height))
