"""Plan: what is asked of a table that is seen part by part. Outcome: what its different rows are to show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.algorithms import ALGORITHMS, Algorithm
from shoal.algorithms.algorithm import describe
from shoal.data.coding import Coding, Values
from shoal.data.encoding import Guide
from shoal.data.recoding import Recoding
from shoal.data.roles import Roles
from shoal.data.style import Style
from shoal.data.table import Table
from shoal.errors import InputError
from shoal.models import PrivacyModel
from shoal.release.arguments import (
    Hierarchies,
    Names,
    algorithm_of,
    check_model,
    check_recoding,
    check_suppressed,
    guides_of,
    meanings,
    style_of,
    texts_of,
)
from shoal.release.cautions import Caution, cautions_by_values
from shoal.release.release import Report, apart, class_labels, one_per_label, report_of, unchanged_columns
from shoal.release.request import Request
from shoal.release.solve import Solved, Tell, solve
from shoal.release.verification import Promise

Counts = NDArray[np.int64]
Rows = Callable[[Coding], tuple[NDArray[np.int32], Counts]]  # the codes of the different rows, and their weights


@dataclass(frozen=True, eq=False)
class Plan:
    """The arguments of anonymize(), checked, for a table whose rows need not be in memory."""

    request: Request
    given: Mapping[str, Guide]
    algorithm: Algorithm
    key: bytes | str | None

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        *,
        quasi_identifiers: Names,
        sensitive: Names = (),
        identifying: Names = (),
        hierarchies: Hierarchies | None = None,
        model: PrivacyModel,
        algorithm: Algorithm | str = "auto",
        max_suppression: float | int = 0,
        suppressed: Literal["keep", "drop"] = "keep",
        order: str = "rows",
        missing_values: Names = (),
        drop_missing: bool = False,
        pseudonymize: Names = (),
        key: bytes | str | None = None,
        style: Style | None = None,
    ) -> Plan:
        """Check what is asked of a table with these columns."""
        roles = Roles.of(
            columns,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            identifying=identifying,
            pseudonymize=pseudonymize,
        )
        check_model(model, roles)
        check_suppressed(suppressed, model, max_suppression)
        if order != "rows":
            raise InputError(
                f"order = {order!r} needs the whole table in memory: leave it out, and shuffle the table first, or "
                f"release it with shoal.anonymize()."
            )
        chosen = algorithm_of(algorithm)
        check_by_parts(model, chosen)
        request = Request(
            roles=roles,
            hierarchies=dict(hierarchies) if isinstance(hierarchies, Mapping) else hierarchies,
            model=model,
            algorithm=algorithm,
            max_suppression=max_suppression,
            suppressed=suppressed,
            order="rows",
            class_column=None,
            missing_values=texts_of(missing_values),
            drop_missing=drop_missing,
            style=style_of(style, model),
        )
        return cls(request, guides_of(hierarchies, roles, columns), chosen, key)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns whose values make the different rows: quasi-identifiers first, then sensitive ones."""
        return self.request.roles.quasi + self.request.roles.sensitive

    def coding(self, values: Sequence[Values], guides: Mapping[str, Guide]) -> Coding:
        """How the values become codes."""
        asked = self.request
        return Coding.of(
            values,
            quasi=asked.roles.quasi,
            guides=guides,
            missing_values=asked.missing_values,
            style=asked.style,
        )

    def solve(self, values: Sequence[Values], rows: Rows, tell: Tell) -> Outcome:
        """Let the algorithm answer about the different rows, all of them together."""
        found: list[Coding] = []

        def encoded(guides: Mapping[str, Guide]) -> Table:
            found.append(self.coding(values, guides))
            return found[-1].table(*rows(found[-1]))

        solved = solve(
            encoded,
            self.request.model,
            quasi=self.request.roles.quasi,
            given=self.given,
            algorithm=self.algorithm,
            max_suppression=self.request.max_suppression,
            style=self.request.style,
            tell=tell,
        )
        return Outcome.of(self, found[-1], solved)


@dataclass(frozen=True, eq=False)
class Outcome:
    """The different rows of a table with the class of each (−1: suppressed), and what each class shows."""

    plan: Plan
    coding: Coding
    solved: Solved
    labels: Mapping[str, list[str]]
    ids: NDArray[np.int32]
    tops: Mapping[str, str]

    @classmethod
    def of(cls, plan: Plan, coding: Coding, solved: Solved) -> Outcome:
        """Label the classes."""
        table, style = solved.table, plan.request.style
        check_recoding(solved.recoding, table, solved.budget)
        tops = {name: domain.top(style) for name, domain in zip(table.quasi, table.domains, strict=True)}
        dropped = plan.request.suppressed == "drop"
        labels, ids = one_per_label(
            class_labels(table, solved.recoding, style), solved.recoding.ids, {} if dropped else tops
        )
        labels, ids = apart(
            labels,
            ids,
            table=table,
            recoding=solved.recoding,
            tops=tops,
            model=plan.request.model,
            max_suppressed=solved.budget,
        )
        return cls(plan, coding, solved, labels, ids, tops)

    @property
    def recoding(self) -> Recoding:
        """What the algorithm answered."""
        return self.solved.recoding

    def changed_labels(self, schema: pa.Schema) -> dict[str, list[str]]:
        """The labels of the columns that do not keep their type."""
        same = set()
        if self.plan.request.suppressed == "drop" or (self.ids >= 0).all():
            kinds = {name: schema.field(name).type for name in self.coding.quasi}
            same = unchanged_columns(self.solved.table, self.labels, kinds, self._values)
        return {name: shown for name, shown in self.labels.items() if name not in same}

    def _values(self, name: str) -> pa.Array:
        """The different values of a column; a zero stands for itself and for -0.0, as it may be either."""
        at = self.coding.quasi.index(name)
        values = self.coding.values[at].filter(pa.array(self.coding.counts[at] > 0))
        if pa.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        if pa.types.is_float64(values.type) and pc.any(pc.equal(values, 0)).as_py():
            values = pa.concat_arrays([values, pa.array([-0.0])])
        return values

    @property
    def rows(self) -> int:
        """The rows of the release."""
        table = self.solved.table
        gone = int(table.weights[self.recoding.suppressed].sum()) if self.plan.request.suppressed == "drop" else 0
        return table.rows - gone

    def promise(self) -> Promise:
        """What the release promises, to be verified from its labels; its rows are given with their weights."""
        asked, table, whole = self.plan.request, self.solved.table, self.whole()
        return Promise(
            roles=asked.roles,
            model=asked.model,
            tops=self.tops,
            max_suppressed=0 if asked.suppressed == "drop" else self.solved.budget,
            max_dropped=self.solved.budget if asked.suppressed == "drop" else 0,
            drop_missing=asked.drop_missing,
            rows=self.rows,
            whole={name: values for name, (values, _) in whole.items()},
            whole_weights={name: counts for name, (_, counts) in whole.items()},
            hierarchies=meanings(table),
            style=asked.style,
            missing_values=asked.missing_values,
        )

    def whole(self) -> dict[str, tuple[pa.ChunkedArray, Counts]]:
        """The sensitive values of the whole table with their numbers of rows."""
        found = {}
        for at, name in enumerate(self.coding.sensitive, len(self.coding.quasi)):
            values = self.coding.values[at]
            found[name] = pa.chunked_array([values]), self.coding.counts[at]
        return found

    def cautions(self) -> list[Caution]:
        """The weak points of the release that the different rows show."""
        asked, table = self.plan.request, self.solved.table
        return cautions_by_values(asked.roles, table, table.classes(self.ids), asked.model, asked.style)

    def report(self, data: dict[str, Any], *, dropped: int, cautions: Iterable[Caution]) -> Report:
        """The report."""
        return report_of(
            self.solved,
            self.solved.table,
            self.recoding,
            self.ids,
            self.plan.request,
            data=data,
            dropped=dropped,
            warned=[caution.sentence for caution in cautions],
        )


def check_by_parts(model: PrivacyModel, algorithm: Algorithm) -> None:
    """Refuse what needs every row in memory."""
    if model.populations:
        raise InputError(f"{model} asks about a population, which needs both tables in memory: leave out the limit.")
    if not getattr(algorithm, "equal_rows_together", False):
        others = [name for name, kind in ALGORITHMS.items() if kind().equal_rows_together]
        raise InputError(
            f"{describe(algorithm)} looks at every row by itself, which needs the table in memory: choose from "
            f"{', '.join(others)}."
        )
