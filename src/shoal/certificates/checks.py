"""The checks of the columns, rows and cells of a written release, by code that is not used to make one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.certificates.labels import pairs_of
from shoal.certificates.matching import BY_COLUMN, is_sure, match_rows
from shoal.certificates.rows import Rows, alike
from shoal.certificates.tables import Tables
from shoal.data.domain import NumericDomain
from shoal.data.unit import nobody
from shoal.errors import InputError
from shoal.release.verification.classes import grouped

MEAN_TOLERANCE = 1e-7  # relative, since released means have eight digits


@dataclass(eq=False)
class Checks:
    """The results so far: the checks that hold, the failures, and the figures of the release.

    by, column  how the rows were matched, and by which column
    """

    tables: Tables
    passed: list[dict[str, Any]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    by: str = ""
    column: str | None = None
    suppressed: int = 0

    def run(self) -> Checks:
        """Run all checks; stop after a failure that makes the later ones meaningless."""
        if self._check_columns() and self._check_count():
            self.rows = Rows.of(self.tables)
            if self._check_rows() and self._check_cells():
                self._check_pseudonyms()
                self._check_class_numbers()
        return self

    def holds(self, name: str, required: Any, measured: Any, sentence: str) -> None:
        """Record a check that holds: the required and the measured value, and a sentence."""
        self.passed.append({"check": name, "required": required, "measured": measured, "sentence": sentence})

    def _check_columns(self) -> bool:
        """Check the names and the order of the columns."""
        tables, roles = self.tables, self.tables.request.roles
        new = [tables.request.class_column] if tables.request.class_column else []
        names = [name for name in tables.original.columns if name not in roles.identifying] + new
        if tables.released.columns != names:
            self.failures.append(f"The release has the columns {tables.released.columns} and should have {names}.")
            return False
        count = len(roles.identifying)
        removed = {0: "none is", 1: "1 identifying column is"}.get(count, f"{count} identifying columns are")
        self.holds("columns", names, names, f"The {len(names)} columns are in their order; {removed} removed.")
        return True

    def _check_count(self) -> bool:
        """Check the number of rows."""
        tables, lost = self.tables, self.tables.lost
        allowed = tables.budget if tables.request.suppressed == "drop" else 0
        if not 0 <= lost <= allowed:
            rows = f"{len(tables.released):,} rows of {len(tables.kept):,}"
            self.failures.append(f"The release has {rows}, and {allowed:,} may be missing.")
            return False
        return True

    def _check_rows(self) -> bool:
        """Match each released row with an original row; check its unchanged columns and its position."""
        tables = self.tables
        originals, self.by, self.column = match_rows(self.rows)
        if originals is None:
            self.failures.append(f"The rows of the release are not rows of the original, matched {self._how()}.")
            return False
        self.originals, self.sure = originals, is_sure(self.rows, self.by)
        changed = np.flatnonzero(self.rows.before[originals] != self.rows.after)
        for name in tables.exact if changed.size else ():
            before, after = self._numbers(name)
            rows = np.flatnonzero(before[originals] != after)
            if rows.size:
                where = f"{rows.size:,} row{'s' * (rows.size != 1)}, first in row {rows[0] + 1}"
                self.failures.append(f"Column {name!r} is not as it was in {where}.")
        self._check_order()
        if self.classes().max() > grouped(list(self.rows.shown.values()))[0].max():
            self.failures.append("Rows with the same labels have different class numbers.")
        if self.failures:
            return False
        sentence = (
            f"Each of the {len(tables.released):,} rows is a different row of the original, matched {self._how()}; "
            f"columns without a role are unchanged."
        )
        self.holds("rows", len(tables.kept), len(tables.released), sentence)
        return True

    def _how(self) -> str:
        return f"by column {self.column!r}" if self.by == BY_COLUMN else self.by

    def _numbers(self, name: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Number the texts of a column in the original and in the release, equal ones alike."""
        numbers = alike(self.tables.kept.arrow(name), self.tables.released.arrow(name))
        return numbers[: len(self.tables.kept)], numbers[len(self.tables.kept) :]

    def _check_order(self) -> None:
        """Check that rows sorted by class have each class in one piece, with its rows in their original order."""
        if self.tables.request.order != "classes":
            return
        ids = self.classes()
        starts = np.flatnonzero(np.diff(ids, prepend=-1))
        if starts.size > np.unique(ids).size:
            self.failures.append("The rows of a class are not in one piece, which the order by classes requires.")
        elif self.by == BY_COLUMN and ((np.diff(self.originals) < 0) & (np.diff(ids) == 0)).any():
            self.failures.append("The rows of a class are not in their original order.")

    def classes(self) -> NDArray[np.int64]:
        """Return the class of each released row, by its labels and class number; the first row's class is 0."""
        columns: list[NDArray[np.int32]] = list(self.rows.shown.values())
        if name := self.tables.request.class_column:
            numbers = self.tables.released.arrow(name)
            columns.append(alike(numbers, numbers)[: len(numbers)])
        return grouped(columns)[0]

    def _check_class_numbers(self) -> None:
        """Check that class numbers count the classes from 1, and disclose nothing else."""
        if name := self.tables.request.class_column:
            pairs = set(zip(self.tables.released.arrow(name).to_pylist(), self.classes().tolist(), strict=True))
            numbers = {number for number, _ in pairs if number != self.tables.request.style.top}
            tops = sum(number == self.tables.request.style.top for number, _ in pairs)
            if numbers != {str(number) for number in range(1, len(pairs) - tops + 1)}:
                self.failures.append(f"Column {name!r} does not count the classes from 1.")

    def _check_cells(self) -> bool:
        """Check that each label covers the original value of its row."""
        tables, width = self.tables, [len(domain) for domain in self.tables.table.domains]
        self.losses: dict[str, NDArray[np.float64]] = {}  # of each cell, the minimum and the maximum
        for at, name in enumerate(tables.table.quasi):
            labels, reader = self.rows.labels[name], self.rows.readers[name]
            codes = tables.table.codes[self.originals, at]
            pairs, firsts, places = pairs_of(self.rows.shown[name], codes, width[at])
            losses = [reader.losses(labels[label], code, sure=self.sure) for label, code in pairs]
            uncovered = [int(row) for row, loss in zip(firsts, losses, strict=True) if loss is None]
            if uncovered:
                row = min(uncovered)
                label = labels[int(self.rows.shown[name][row])]
                self.failures.append(
                    f"Column {name!r} shows {label!r} in row {row + 1}, which does not cover the original value."
                )
            elif reader.means:
                self._check_means(at, name)
            self.losses[name] = np.array([loss or (0.0, 1.0) for loss in losses])[places]
        if self.failures:
            return False
        cells = len(self.originals) * len(width)
        self.holds("cells", cells, cells, f"Each of the {cells:,} labels covers the original value of its row.")
        return True

    def _check_means(self, at: int, name: str) -> None:
        """Check that the mean that a class shows is the mean of its values."""
        if not self.sure:
            raise InputError(
                f"Column {name!r} shows means, and no column tells which row is which in a release whose rows were "
                f"reordered or dropped: this cannot be certified. Show ranges, or keep all rows in order."
            )
        domain, ids = self.tables.table.domains[at], self.classes()
        assert isinstance(domain, NumericDomain)  # noqa: S101
        values = domain.values[self.tables.table.codes[self.originals, at]]
        sums, sizes = np.bincount(ids, np.nan_to_num(values)), np.bincount(ids)
        for number, row in zip(*np.unique(ids, return_index=True), strict=True):
            label = self.rows.labels[name][int(self.rows.shown[name][row])]
            if label in (self.rows.readers[name].top, self.tables.request.style.missing):
                continue
            mean, released = sums[number] / sizes[number], float(label)
            if abs(mean - released) > MEAN_TOLERANCE * max(abs(mean), abs(released)):
                self.failures.append(
                    f"Column {name!r} shows {label!r} in row {row + 1}, which is not the mean of its class."
                )
                return

    def _check_pseudonyms(self) -> None:
        """Check that values and pseudonyms are one to one, as far as the rows are known."""
        tables = self.tables
        for name in tables.request.roles.pseudonymized:
            before, after = self._numbers(name)
            values = tables.kept.arrow(name).to_pylist()
            unit = tables.request.unit
            if unit is not None and name in unit.columns:  # several texts can name nobody, and none has a pseudonym
                nameless = {*nobody(tables.kept.arrow(name), tables.request.missing_values), ""}
                absent = np.array([value is None or str(value) in nameless for value in values], np.bool_)
                before = np.where(absent, np.int32(-1), before)
            blank = [number for number, value in zip(before.tolist(), values, strict=True) if value in (None, "")][:1]
            shared = np.setdiff1d(np.intersect1d(before, after), blank)
            if self.sure:
                pairs = set(zip(before[self.originals].tolist(), after.tolist(), strict=True))
                one_to_one = len(pairs) == len({value for value, _ in pairs}) == len({other for _, other in pairs})
            else:
                one_to_one = bool(tables.lost) or (
                    _spreads(before, self.rows.before) == _spreads(after, self.rows.after)
                )
            if shared.size or not one_to_one:
                self.failures.append(f"Column {name!r} is not replaced value by value by pseudonyms.")
            else:
                sentence = f"Column {name!r} has a different pseudonym for each value, and no pseudonym is a value."
                if not self.sure:
                    sentence = (
                        f"Column {name!r} shows pseudonyms, none of which is a value; equal rows cannot be told apart."
                    )
                self.holds("pseudonyms", name, int(np.unique(after).size), sentence)


def _spreads(values: NDArray[np.int32], numbers: NDArray[np.int64]) -> Counter[tuple[int, ...]]:
    """Count the ways in which a value is spread over the contents of the other columns."""
    spread: dict[int, list[int]] = {}
    for value, number in zip(values.tolist(), numbers.tolist(), strict=True):
        spread.setdefault(value, []).append(number)
    return Counter(tuple(sorted(places)) for places in spread.values())
