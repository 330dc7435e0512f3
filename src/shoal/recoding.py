"""Recoding: what an algorithm answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.table import Table


@dataclass(frozen=True, eq=False)
class Recoding:
    """The class of each row (−1: suppressed) and what each class shows per quasi-identifier."""

    ids: NDArray[np.int32]
    sizes: NDArray[np.int64]
    shown: tuple[Any, ...]

    @classmethod
    def of_groups(cls, table: Table, ids: NDArray[np.int32]) -> Recoding:
        """Let each group of rows show its minimal generalization."""
        sizes = table.sizes(ids)
        shown = tuple(
            domain.join(table.codes[:, j], ids, sizes.size) for j, domain in enumerate(table.domains)
        )
        return cls(ids, sizes, shown)
