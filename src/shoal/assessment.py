"""Assessment: how safe a table is as it stands."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from shoal.models.distinct_diversity import distinct_values
from shoal.table import Table


@dataclass(frozen=True)
class Assessment:
    """The classes of a table and what an attacker who knows the quasi-identifiers can tell from them."""

    rows: int
    classes: int
    k: int
    average_class_size: float
    unique_rows: int
    highest_risk: float
    average_risk: float
    distinct_sensitive: dict[str, int]
    class_sizes: dict[int, int]

    def to_dict(self) -> dict[str, Any]:
        """The assessment as plain dictionaries."""
        return asdict(self)


def assessment_of(table: Table) -> Assessment:
    """Group the rows by their quasi-identifiers and look at the classes."""
    _, ids = table.distinct(sensitive=False)
    classes = table.classes(ids)
    sizes, counts = np.unique(classes.sizes, return_counts=True)
    return Assessment(
        rows=table.rows,
        classes=len(classes),
        k=int(sizes[0]),
        average_class_size=table.rows / len(classes),
        unique_rows=int(counts[0]) if sizes[0] == 1 else 0,
        highest_risk=1 / int(sizes[0]),
        average_risk=len(classes) / table.rows,
        distinct_sensitive={name: int(distinct_values(classes, name).min()) for name in table.sensitive},
        class_sizes=dict(zip(sizes.tolist(), counts.tolist(), strict=True)),
    )
