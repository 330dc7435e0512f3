"""Answers for tables that are read in parts: their distinct rows are solved together, or in blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.algorithms import Algorithm
from shoal.data.classes import Classes
from shoal.data.coding import Coding, Values
from shoal.data.encoding import Guide
from shoal.release.figures import Report, report_of
from shoal.release.labelling import Labelling
from shoal.release.promise import Promise, Whole
from shoal.release.range_ends.widening import Moved
from shoal.release.request import Request
from shoal.release.review.finding import Finding
from shoal.release.review.review import Review
from shoal.release.review.weak_points import weak_points
from shoal.release.solve import Encode, Tell, solve
from shoal.release.verification.range_ends import Cells, check_range_ends


@dataclass(frozen=True, eq=False)
class WholeAnswer:
    """The answer for all distinct rows together."""

    labelling: Labelling
    coding: Coding

    @classmethod
    def of(cls, encode: Encode, request: Request, tell: Tell) -> WholeAnswer:
        """Solve the distinct rows and label their classes."""
        labelling = Labelling.of(solve(encode, request, tell), request)
        if labelling.solved.moved is not None:
            _check_range_ends(labelling, labelling.solved.moved)
        coding = labelling.solved.coding
        assert coding is not None  # noqa: S101
        return cls(labelling, coding)

    @property
    def request(self) -> Request:
        """The request that was answered."""
        return self.labelling.request

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm that reproduces the release."""
        return self.labelling.solved.algorithm

    @property
    def classes_of_rows(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The codes of the distinct rows, and the equivalence class of each."""
        table = self.labelling.table
        return np.concatenate([table.codes, table.sensitive_codes], axis=1), self.labelling.ids

    def changed_labels(self, schema: pa.Schema) -> dict[str, list[str]]:
        """Return the labels of the columns that do not keep their type."""
        return self.labelling.changed({name: schema.field(name).type for name in self.coding.quasi}, self._values)

    def _values(self, name: str) -> pa.Array:
        """Return the distinct values of a column; add -0.0 to 0.0, since equal values are counted as one."""
        at = self.coding.quasi.index(name)
        values = self.coding.values[at].filter(pa.array(self.coding.counts[at] > 0))
        if pa.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        if pa.types.is_float64(values.type) and pc.any(pc.equal(values, 0)).as_py():
            values = pa.concat_arrays([values, pa.array([-0.0])])
        return values

    def promise(self) -> Promise:
        """State what must hold for the release, whose rows are counted by weight."""
        return self.labelling.promise(whole=sensitive_values(self.coding))

    def weak_points(self, classes: Classes) -> list[Finding]:
        """List the weak points that the distinct rows reveal."""
        return weak_points(self.labelling)

    def report(
        self, classes: Classes, *, data: dict[str, Any], dropped: int, warned: Sequence[str], review: Review
    ) -> Report:
        """Report on the release."""
        return report_of(self.labelling, data=data, dropped=dropped, warned=warned, review=review.to_dict())


def _check_range_ends(labelling: Labelling, moved: Moved) -> None:
    """Check that the ranges of distinct rows end where they should; that rows show these labels is checked later."""
    table = labelling.table

    def values(name: str) -> Cells:
        at = table.quasi.index(name)
        return Cells(table.domains[at].labels_or_none, table.codes[:, at].astype(np.int64))

    def labels(name: str) -> Cells:
        return Cells(labelling.labels[name], labelling.ids.astype(np.int64))

    claim = moved.claim()
    # A class with the labels of suppressed rows may have been dissolved.
    shown = np.where(labelling.ids < 0, -1, claim.cells)
    check_range_ends(replace(claim, cells=shown), values, labels, labelling.request.style)


def coding_of(request: Request, values: Sequence[Values], guides: Mapping[str, Guide]) -> Coding:
    """Assign codes to the distinct values of the requested columns."""
    return Coding.of(
        values, quasi=request.roles.quasi, guides=guides, missing_values=request.missing_values, style=request.style
    )


def sensitive_values(coding: Coding) -> Whole:
    """Return the distinct sensitive values of the whole table and the number of rows of each, by column."""
    columns = enumerate(coding.sensitive, len(coding.quasi))
    return {name: (pa.chunked_array([coding.values[at]]), coding.counts[at]) for at, name in columns}
