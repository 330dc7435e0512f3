"""Promise: what must hold for a release, and the original that the release is checked against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from weakref import ReferenceType

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.data.classes import Classes
from shoal.data.domain import Ordered
from shoal.data.hierarchy import Hierarchy
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.unit import Unit
from shoal.io.source import Source
from shoal.models import PrivacyModel
from shoal.release.arguments import Dropping
from shoal.release.request import Request
from shoal.release.verification.columns import Remembered

Whole = Mapping[str, tuple[pa.ChunkedArray, NDArray[np.int64]]]  # distinct values and the rows of each, by column


@dataclass(frozen=True, eq=False)
class Original:
    """The caller's table, and the row of it that each released row claims to be.

    `at` has the number of that row, None if rows keep their numbers. It is a claim of the code that made the release:
    every cell is compared accordingly, so a wrong claim is refused.
    """

    source: Source = field(repr=False)
    order: str = "rows"
    at: NDArray[np.int64] | None = field(default=None, repr=False)
    verified: dict[int, Verified] = field(default_factory=dict, init=False, repr=False)  # by the id of the promise

    @cached_property
    def columns(self) -> Remembered:
        """The columns as numbers."""
        return Remembered(self.source.encoded)


@dataclass(frozen=True, eq=False)
class Verified:
    """An immutable table that was compared with the original and kept a promise."""

    promise: ReferenceType[Promise]
    table: pa.Table
    classes: Classes


@dataclass(frozen=True, eq=False)
class Promise:
    """What a release promises: enough to verify it from the released table.

    Without an original, `whole` has the distinct values of each sensitive column of the input, and `whole_weights` the
    number of rows of each.
    """

    roles: Roles
    model: PrivacyModel
    tops: Mapping[str, str]
    max_suppressed: int
    rows: int
    hierarchies: Mapping[str, Hierarchy | Ordered]
    style: Style
    missing_values: tuple[str, ...]
    max_dropped: int = 0  # suppressed rows that may be left out
    drop_missing: Dropping = False  # leave out rows with a missing value in columns with roles, or in "all", too
    class_column: str | None = None
    unit: Unit | None = None
    original: Original | None = field(default=None, repr=False)
    whole: Mapping[str, pa.ChunkedArray] | None = field(default=None, repr=False)
    whole_weights: Mapping[str, NDArray[np.int64]] | None = None

    @classmethod
    def of(
        cls,
        request: Request,
        *,
        tops: Mapping[str, str],
        budget: int,
        rows: int,
        hierarchies: Mapping[str, Hierarchy | Ordered],
        original: Original | None = None,
        whole: Whole | None = None,
    ) -> Promise:
        """State what must hold for a release that was made as requested.

        tops         the label of a suppressed row, by quasi-identifier
        budget       how many rows may be suppressed
        rows         how many rows the release has
        hierarchies  what the labels mean, by quasi-identifier
        original     the caller's table; engines that never hold all of it pass `whole` instead:
        whole        the distinct sensitive values of the table and the number of rows of each, by column
        """
        return cls(
            roles=request.roles,
            model=request.model,
            tops=tops,
            max_suppressed=0 if request.drops_suppressed else budget,
            max_dropped=budget if request.drops_suppressed else 0,
            drop_missing=request.drop_missing,
            rows=rows,
            hierarchies=hierarchies,
            style=request.style,
            missing_values=request.missing_values,
            class_column=request.class_column,
            unit=request.unit,
            original=original,
            whole=None if whole is None else {name: values for name, (values, _) in whole.items()},
            whole_weights=None if whole is None else {name: counts for name, (_, counts) in whole.items()},
        )

    @property
    def quasi(self) -> tuple[str, ...]:
        """The columns whose labels form the classes."""
        return self.roles.quasi + ((self.class_column,) if self.class_column is not None else ())

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns."""
        return self.roles.sensitive

    @property
    def hidden(self) -> dict[str, str]:
        """The labels of suppressed rows in the columns that form the classes."""
        return {name: self.tops.get(name, self.style.top) for name in self.quasi}
