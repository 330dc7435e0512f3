"""ModelContext: what a requirement may refer to beside its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from shoal.data.domain import Ordered, RangeDomain
from shoal.data.encoding import Guide
from shoal.data.hierarchy import Hierarchy
from shoal.data.style import text
from shoal.data.table import Table
from shoal.models.earth_movers import number_of


@dataclass(frozen=True)
class ModelContext:
    """The sensitive columns with their orders and hierarchies, and the population.

    orders      by column; None: the order of numbers. Numbers, dates and times have an order without being given one.
    population  a table, or the path of one
    """

    columns: tuple[str, ...] = ()
    orders: Mapping[str, Sequence[str] | None] = field(default_factory=dict)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    population: Any = None

    @classmethod
    def of(cls, table: Table, guides: Mapping[str, Guide], population: Any = None) -> ModelContext:
        """Take the orders and hierarchies from the domains of a table and from the guides that the caller gave."""
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
        return cls(table.sensitive, orders, hierarchies, population)


def _are_numbers(labels: list[str]) -> bool:
    """Return whether labels are in the order of their numbers, in which 1.5 and 1.50 share a place."""
    try:
        numbers = list(map(number_of, labels))
    except ValueError:
        return False
    return all(number <= successor for number, successor in pairwise(numbers))
