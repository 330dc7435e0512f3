"""What the classes tell of a sensitive attribute: the parameter that each privacy model reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shoal.analysis.assessment.kinds import kinds_of
from shoal.data.domain import Ordered, RangeDomain
from shoal.data.encoding import Guide
from shoal.data.grouping import Grouping
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import text
from shoal.data.table import Classes, Table
from shoal.models.alpha_k import alpha
from shoal.models.beta_likeness import beta
from shoal.models.closeness import Closeness
from shoal.models.delta_disclosure import delta
from shoal.models.distinct_diversity import distinct_values
from shoal.models.earth_movers import number_of
from shoal.models.entropy_diversity import entropy_l
from shoal.models.frequency_diversity import frequency_l
from shoal.models.recursive_diversity import recursive_c


@dataclass(frozen=True)
class Sensitive:
    """The parameters that every class reaches: the least ℓ, the greatest c, α, β, δ and t.

    c and δ are infinite where no number is enough; t by a distance that does not apply is None.
    """

    values: int
    distinct_l: int
    frequency_l: float
    entropy_l: float
    recursive_c_2: float
    recursive_c_3: float
    alpha: float
    beta: float
    delta: float
    t_equal: float
    t_ordered: float | None
    t_hierarchical: float | None


@dataclass(frozen=True)
class Known:
    """The sensitive attributes with their orders and hierarchies; numbers, dates and times have an order themselves."""

    names: tuple[str, ...] = ()
    orders: Mapping[str, Sequence[str] | None] = field(default_factory=dict)  # None: that of numbers
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table, guides: Mapping[str, Guide]) -> Known:
        """What the domains of the table and the guides that are given say."""
        orders: dict[str, Sequence[str] | None] = {}
        hierarchies: dict[str, Hierarchy] = {}
        for name, domain in zip(table.sensitive, table.sensitive_domains, strict=True):
            guide = guides.get(name)
            labels = {label: code for code, label in enumerate(domain.labels) if code != domain.missing}
            if isinstance(domain, RangeDomain):
                orders[name] = None if _are_numbers(list(labels)) else list(labels)
            if isinstance(guide, Ordered):
                orders[name] = [text(value) for value in guide.values]
            elif guide is not None:
                counts = table.overall[name].counts
                counted = {label: int(counts[code]) for label, code in labels.items()}
                hierarchies[name] = guide if isinstance(guide, Hierarchy) else guide(counted)
        return cls(table.sensitive, orders, hierarchies)


def _are_numbers(labels: list[str]) -> bool:
    """Whether values stand in the order of the numbers that they are, in which 1.5 and 1.50 are one place."""
    try:
        numbers = list(map(number_of, labels))
    except ValueError:
        return False
    return all(one <= two for one, two in pairwise(numbers))


LEAST = ("distinct_l", "frequency_l", "entropy_l")


def sensitive_of(grouping: Grouping, name: str, known: Known) -> Sensitive:
    """The parameters of one sensitive attribute, over all classes."""
    table = grouping.table
    counts = grouping.counts[name]
    _, examples = kinds_of([counts], grouping.sizes)
    classes = Classes(grouping.sizes[examples], table.overall, lambda name: counts.some(examples))
    worst = {
        measure: float(reached.min() if measure in LEAST else reached.max())
        for measure, reached in _measured(classes, name, known).items()
    }
    optional = {one.name: worst.get(one.name) for one in fields(Sensitive) if one.name.startswith("t_")}
    values = int(np.count_nonzero(table.overall[name].counts))
    whole = {"values": values, "distinct_l": int(worst["distinct_l"])}
    return Sensitive(**{**worst, **optional, **whole})  # type: ignore[arg-type]


def _measured(classes: Classes, name: str, known: Known) -> dict[str, NDArray[np.float64]]:
    """For each measure what each class reaches."""
    found = {
        "distinct_l": distinct_values(classes, name).astype(np.float64),
        "frequency_l": frequency_l(classes, name),
        "entropy_l": entropy_l(classes, name),
        "recursive_c_2": recursive_c(classes, name, 2),
        "recursive_c_3": recursive_c(classes, name, 3),
        "alpha": alpha(classes, name),
        "beta": beta(classes, name),
        "delta": delta(classes, name),
        "t_equal": Closeness(1).distances(classes, name),
    }
    if name in known.orders:
        found["t_ordered"] = Closeness(1, "ordered", order=known.orders[name]).distances(classes, name)
    if name in known.hierarchies:
        model = Closeness(1, "hierarchical", hierarchy=known.hierarchies[name])
        found["t_hierarchical"] = model.distances(classes, name)
    return found
